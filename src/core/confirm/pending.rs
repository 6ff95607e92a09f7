//! The row of a confirmation: who asked for what in which state, what became of it, and the lists it is on.
//!
//! It says how things stand; what may follow from that is decided by the functions around it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::core::{Index, IndexEntry, Key, Mode, Question, Row, SessionInfo, Sha, Table, Timestamp, row};

/// SHA-256 of the token → [`Pending`].
pub const CONFIRMATIONS: Table = Table("confirmations");
/// What waits, by expiry; groups: one session, and everything.
pub const WAITING: Index = Index("confirmations_waiting");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfirmStatus {
    Waiting,
    Used,
    Cancelled,
    /// The state moved; a fresh preview was given instead.
    Drifted,
    /// The wrong name was typed too often.
    Locked,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pending {
    pub info: SessionInfo,
    pub tool: String,
    pub args: Map<String, Value>,
    pub args_digest: Sha,
    /// Digest of the state that was previewed.
    pub state: String,
    /// `simple`, `preview` or `type`.
    pub kind: String,
    /// What must be typed, for `type`.
    pub typed: Option<String>,
    /// The mode said in the call itself.
    pub call_mode: Option<Mode>,
    /// The session's mode at that time.
    pub session_mode: Option<Mode>,
    pub summary: String,
    pub issued: Timestamp,
    pub expires: Timestamp,
    pub status: ConfirmStatus,
    pub tries_left: u8,
    /// Only a person may confirm it.
    #[serde(default)]
    pub human: bool,
    #[serde(default)]
    pub question: Question,
    /// The id under which its whole life is recorded; a fresh token after drift has another id, but the same life.
    #[serde(default)]
    pub life: String,
    /// When the preview was made that counts now; `None` = when it was issued.
    #[serde(default)]
    pub previewed: Option<Timestamp>,
    /// What it is about, as the history's filter names it.
    #[serde(default)]
    pub targets: Vec<String>,
    /// That it lapsed is recorded.
    #[serde(default)]
    pub lapse_noted: bool,
    /// What came of it.
    #[serde(default)]
    pub ended: Option<ConfirmEnded>,
}

/// How a confirmation that a person decided came out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConfirmEnded {
    /// `done`, `failed` or `declined`.
    pub how: String,
    pub at: Timestamp,
    /// One line.
    pub text: String,
    #[serde(default)]
    pub operation_id: Option<String>,
    #[serde(default)]
    pub run_id: Option<String>,
}

impl Pending {
    pub fn lapsed(&self, now: Timestamp) -> bool {
        self.status == ConfirmStatus::Waiting && self.expires <= now
    }

    pub fn previewed(&self) -> Timestamp {
        self.previewed.unwrap_or(self.issued)
    }

    /// One word for lists.
    pub fn state(&self, now: Timestamp) -> &str {
        match (self.status, &self.ended) {
            (_, Some(ended)) => &ended.how,
            (ConfirmStatus::Waiting, _) if self.lapsed(now) => "lapsed",
            (ConfirmStatus::Waiting, _) => "waiting",
            (ConfirmStatus::Used, _) => "running",
            (ConfirmStatus::Cancelled, _) => "declined",
            (ConfirmStatus::Drifted, _) => "outdated",
            (ConfirmStatus::Locked, _) => "locked",
        }
    }
}

pub fn index(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != CONFIRMATIONS {
        return Vec::new();
    }
    let Ok(pending) = row::decode::<Pending>(&row.value) else { return Vec::new() };
    let mut groups = Vec::new();
    if pending.status == ConfirmStatus::Waiting {
        groups.extend([Key::of("all"), Key::of("session").text(&pending.info.id)]);
    }
    if pending.human {
        groups.extend([Key::of("people"), Key::of("people of").text(&pending.info.id)]);
    }
    let sort = Key::empty().number(pending.expires.sortable()).join(key);
    let entry =
        |group| IndexEntry { index: WAITING, group, sort: sort.clone(), value: key.as_bytes().to_vec() };
    groups.into_iter().map(entry).collect()
}
