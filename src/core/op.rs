//! An operation: one thing somebody did, with what is needed to take it back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::change::{Marks, Uid};
use super::{Effect, Ids, Key, SessionFacts, TableShape, Timestamp};

/// Which of the two logs a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    #[default]
    Ops,
    Audit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpStatus {
    /// Recorded; its files are being written.
    Pending,
    Done,
    Undone,
    /// Its files are in a state that packd must not repair by itself.
    NeedsAttention,
}

/// How a record relates to the undo stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "of")]
pub enum OpKind {
    /// An ordinary change; can be undone.
    Do,
    /// Took back the named operation.
    Undo(String),
    /// Took back the named operations together, newest first.
    UndoAll(Vec<String>),
    /// Brought the named operation back; of one that took several back, all of them.
    Redo(String),
    /// An ordinary change that inverts an older operation; can itself be undone.
    Revert(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Who {
    pub session: String,
    pub client: String,
    /// The task they had in hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The linked work tree they worked in, where the operation belongs to the workspace of its main checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
}

impl Who {
    /// Whoever calls in a session; what they have in hand is looked up where it is recorded.
    pub fn calls(session: &SessionFacts) -> Who {
        Who {
            session: session.id.clone(),
            client: session.client.clone(),
            task: None,
            tree: session.linked_tree().map(str::to_string),
        }
    }
}

/// One side of a change: content with the revision it had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub rev: u64,
    #[serde(with = "super::key::bytes")]
    pub value: Vec<u8>,
    /// Encoded identities that the content brings along; empty = those it has, and new ones for what is new.
    #[serde(skip)]
    pub marks: Vec<u8>,
}

impl Image {
    /// The identities it brings along.
    pub fn own_marks(&self) -> Option<Marks> {
        (!self.marks.is_empty()).then(|| super::row::decode(&self.marks).ok()).flatten()
    }

    /// Its identities, or those that follow from its place.
    pub fn marks_or(&self, shape: &TableShape, key: &Key) -> Marks {
        self.own_marks().unwrap_or_else(|| {
            let uid = Uid::from(key.as_bytes(), shape.table.0, 0);
            Marks::fresh(uid, shape.shape, &self.value)
        })
    }
}

/// Compare-and-set on one row: applies only where the row is still `before`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub table: String,
    pub key: Key,
    pub before: Option<Image>,
    pub after: Option<Image>,
}

/// Metadata is kept for good; the field changes stand beside it in the record and may be dropped by retention.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Op {
    pub id: String,
    pub seq: u64,
    pub time: Timestamp,
    pub workspace: String,
    pub family: String,
    pub tool: String,
    pub who: Who,
    pub targets: Vec<String>,
    /// One line a person reads in `packd history`.
    pub summary: String,
    /// The arguments of the call, secrets redacted.
    pub request: Value,
    /// Family-specific metadata (for tasks: intent, result, nested operation ids).
    #[serde(default)]
    pub data: Value,
    /// Paths mentioned in the request, for the `paths` filter.
    #[serde(default)]
    pub paths: Vec<String>,
    pub kind: OpKind,
    pub status: OpStatus,
    /// Why this cannot be undone; `None` = it can.
    #[serde(default)]
    pub irreversible: Option<String>,
    #[serde(default)]
    pub effects: Vec<Effect>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<super::run::RunStep>,
    #[serde(default)]
    pub request_key: Option<String>,
    /// Operation ids that stand for this one (batches), each usable as a cursor.
    #[serde(default)]
    pub aliases: Vec<String>,
    pub stream: Stream,
    /// Rows came or went, so lists look different now.
    #[serde(default)]
    pub reshapes: bool,
    /// What the host said to find its own side again: trace parent, tool use id, thread.
    #[serde(default)]
    pub trace: Value,
    /// Some of what it said was blanked afterwards, because it had to be forgotten.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
    /// Each of its files is taken back by itself: one that was changed since stays, and the others go all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub file_by_file: bool,
    /// Nobody asked packd for it, so nobody takes it back but by its id.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_id_only: bool,
}

impl Op {
    pub fn reversible(&self) -> bool {
        self.irreversible.is_none() && matches!(self.kind, OpKind::Do | OpKind::Revert(_))
    }

    /// Does an undo that names no operation come to it?
    pub fn next_in_line(&self) -> bool {
        self.reversible() && !self.by_id_only
    }
}

/// An operation id: sortable by time, made from injected time and randomness.
pub fn operation_id(now: Timestamp, ids: &dyn Ids) -> String {
    let millis = u64::try_from(now.micros() / 1000).unwrap_or(0);
    let random = ids.random().to_le_bytes();
    // Ten of the sixteen bytes: the array is longer than that.
    let mut ten = [0u8; 10];
    ten.copy_from_slice(&random[..10]);
    uuid::Builder::from_unix_timestamp_millis(millis, &ten).into_uuid().to_string()
}
