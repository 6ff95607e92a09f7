//! Confirmation tokens: issued with a preview, taken once, bound to who asked for what in which state.
//!
//! Only the SHA-256 of a token is ever stored. These functions write into a draft, so that taking a token and
//! doing the work are one commit. Rows stay for a day, to tell a used token from one that never existed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Draft, Error, Ids, Index, IndexEntry, IndexQuery, Key, Kind, Mode, Result, Row, RowQuery, SessionInfo,
    Sha, Table, Timestamp, View, json as canonical, row,
};

/// SHA-256 of the token → [`Pending`].
pub const CONFIRMATIONS: Table = Table("confirmations");
/// What waits, by expiry; groups: one session, and everything.
pub const WAITING: Index = Index("confirmations_waiting");

pub const TTL_SECONDS: i64 = 300;
const TRIES: u8 = 3;
const KEEP_SECONDS: i64 = 24 * 3600;
const ID_LEN: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
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
    pub status: Status,
    pub tries_left: u8,
}

/// What a token is issued for.
pub struct New<'a> {
    pub info: &'a SessionInfo,
    pub tool: &'a str,
    pub args: Map<String, Value>,
    pub state: String,
    pub kind: &'a str,
    pub typed: Option<String>,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
    pub summary: String,
    pub ttl_seconds: i64,
}

pub struct Issued {
    pub token: String,
    /// Names the confirmation without being able to confirm it.
    pub id: String,
    pub expires: Timestamp,
}

pub fn key_of(token: &str) -> Key {
    Key::of(Sha::of(token.as_bytes()).as_str())
}

fn id_of(key: &Key) -> String {
    key.parts().text().unwrap_or_default().chars().take(ID_LEN).collect()
}

pub fn issue(draft: &mut Draft, ids: &dyn Ids, new: New, now: Timestamp) -> Result<Issued> {
    forget_old(draft, now)?;
    let token = ids.uuid();
    let key = key_of(&token);
    let expires = now.plus_seconds(new.ttl_seconds);
    let pending = Pending {
        info: new.info.clone(),
        tool: new.tool.to_string(),
        args_digest: canonical::digest(&new.args),
        args: new.args,
        state: new.state,
        kind: new.kind.to_string(),
        typed: new.typed,
        call_mode: new.call_mode,
        session_mode: new.session_mode,
        summary: new.summary,
        issued: now,
        expires,
        status: Status::Waiting,
        tries_left: TRIES,
    };
    draft.put(CONFIRMATIONS, &key, &pending)?;
    Ok(Issued { token, id: id_of(&key), expires })
}

/// What whoever confirms brings along.
pub struct Ask<'a> {
    pub key: &'a Key,
    pub typed: Option<&'a str>,
    /// The session that confirms; `None` = a person, who may confirm for any session.
    pub session: Option<&'a str>,
    pub now: Timestamp,
    /// Digest of the state as it is now.
    pub state: &'a str,
    /// The mode that would govern the call now.
    pub mode: Mode,
}

/// Decides about a token and writes what follows into the draft: it is spent, a try is used up, or nothing.
pub fn take(draft: &mut Draft, ask: &Ask) -> Result<std::result::Result<Pending, Error>> {
    let mut pending = match waiting(draft, ask.key, ask.session, ask.now)? {
        Ok(pending) => pending,
        Err(e) => return Ok(Err(e)),
    };
    if ask.mode < Mode::Execute {
        return Ok(Err(mode_denied(&pending.tool, ask.mode)));
    }
    if pending.typed.as_deref().is_some_and(|wanted| ask.typed != Some(wanted)) {
        pending.tries_left = pending.tries_left.saturating_sub(1);
        if pending.tries_left == 0 {
            pending.status = Status::Locked;
        }
        draft.put(CONFIRMATIONS, ask.key, &pending)?;
        return Ok(Err(wrong_typed(pending.tries_left, ask.typed.is_none())));
    }
    let drifted = pending.state != ask.state;
    pending.status = if drifted { Status::Drifted } else { Status::Used };
    draft.put(CONFIRMATIONS, ask.key, &pending)?;
    if drifted {
        return Ok(Err(Error::new(
            Kind::Conflict,
            "confirm_state_drift",
            "What was previewed has changed since, so nothing was done and this token is spent.",
        )
        .hint("Look at the fresh preview and confirm that one.")));
    }
    Ok(Ok(pending))
}

pub fn mode_denied(tool: &str, mode: Mode) -> Error {
    Error::new(
        Kind::Denied,
        "confirm_mode_denied",
        format!("{tool} was not confirmed because the mode is now {}.", mode.as_str()),
    )
    .hint("Set the mode to execute again before the token expires.")
}

fn wrong_typed(left: u8, nothing: bool) -> Error {
    let what = if nothing {
        "The name must be typed to confirm this"
    } else {
        "The typed name is not the right one"
    };
    let hint = match left {
        0 => "The token is spent. Ask for a new preview.".to_string(),
        n => format!("Send the exact name as 'typed_value'; {n} attempt(s) left."),
    };
    Error::new(Kind::Denied, "confirm_wrong_typed_value", format!("{what}."))
        .hint(hint)
        .details(json!({"attempts_left": left}))
}

/// The confirmation behind a token if it can still be taken, else the precise reason why not.
pub fn waiting(
    view: &dyn View,
    key: &Key,
    session: Option<&str>,
    now: Timestamp,
) -> Result<std::result::Result<Pending, Error>> {
    let no = |code: &str, message: String| {
        Ok(Err(Error::new(Kind::Denied, code, message).hint("Ask for a new preview.")))
    };
    let Some((pending, _)) = view.get::<Pending>(CONFIRMATIONS, key)? else {
        return no("confirm_unknown", "There is no such confirmation token.".into());
    };
    if session.is_some_and(|s| s != pending.info.id) {
        return no("confirm_wrong_session", "This token belongs to another session.".into());
    }
    match pending.status {
        Status::Waiting if pending.expires <= now => {
            no("confirm_expired", format!("This token expired at {}.", pending.expires.zulu()))
        }
        Status::Waiting => Ok(Ok(pending)),
        Status::Used => no("confirm_used", "This token has already been used.".into()),
        Status::Cancelled => no("confirm_used", "This token was cancelled.".into()),
        Status::Drifted => {
            no("confirm_used", "This token was spent when the previewed state changed.".into())
        }
        Status::Locked => Ok(Err(wrong_typed(0, false))),
    }
}

pub fn cancel(draft: &mut Draft, key: &Key, session: Option<&str>, now: Timestamp) -> Result<Pending> {
    let mut pending = waiting(draft, key, session, now)??;
    pending.status = Status::Cancelled;
    draft.put(CONFIRMATIONS, key, &pending)?;
    Ok(pending)
}

/// What waits, oldest first, with its id: of one session, or of everybody.
pub fn list(view: &dyn View, session: Option<&str>, now: Timestamp) -> Result<Vec<(String, Pending)>> {
    let group = session.map_or(Key::of("all"), |s| Key::of("session").text(s));
    let entries =
        view.index(&IndexQuery::new(WAITING, group).from(Key::empty().number(now.sortable() + 1)))?;
    let mut out = Vec::new();
    for entry in entries {
        let key = Key::from_bytes(&entry.value);
        if let Some((pending, _)) = view.get::<Pending>(CONFIRMATIONS, &key)? {
            out.push((id_of(&key), pending));
        }
    }
    Ok(out)
}

/// The key behind an id as [`list`] shows it; for people, who never see tokens.
pub fn key_by_id(view: &dyn View, id: &str) -> Result<Option<Key>> {
    let hex = id.len() == ID_LEN && id.bytes().all(|b| b.is_ascii_hexdigit());
    if !hex {
        return Ok(None);
    }
    let rows = view.rows(&RowQuery::new(CONFIRMATIONS, Key::from_bytes(id.as_bytes())).limit(2))?;
    Ok(if let [(key, _)] = rows.as_slice() { Some(key.clone()) } else { None })
}

fn forget_old(draft: &mut Draft, now: Timestamp) -> Result<()> {
    let old = now.plus_seconds(-KEEP_SECONDS);
    let rows = draft.rows(&RowQuery::new(CONFIRMATIONS, Key::empty()).limit(200))?;
    for (key, row) in rows {
        if row::decode::<Pending>(&row.value).is_ok_and(|p| p.expires < old) {
            draft.delete(CONFIRMATIONS, &key)?;
        }
    }
    Ok(())
}

pub fn index(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != CONFIRMATIONS {
        return Vec::new();
    }
    let Ok(pending) = row::decode::<Pending>(&row.value) else { return Vec::new() };
    if pending.status != Status::Waiting {
        return Vec::new();
    }
    let sort = Key::empty().number(pending.expires.sortable()).join(key);
    let entry =
        |group| IndexEntry { index: WAITING, group, sort: sort.clone(), value: key.as_bytes().to_vec() };
    vec![entry(Key::of("all")), entry(Key::of("session").text(&pending.info.id))]
}
