//! What a family wants to happen: changes, effects and the reply. A family returns this; it changes nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Change, Effect, OpKind, Sha};

/// Stands in a reply for the id of the operation the call leaves; the engine fills it in.
pub const OP_ID: &str = "@op-id@";
/// The same for the audit record of a preview.
pub const AUDIT_ID: &str = "@audit-id@";

/// The answer to one tool call, before any protocol is wrapped around it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    /// `structuredContent`; an object.
    pub structured: Option<Value>,
    pub is_error: bool,
    /// Resources a client may read for more: (uri, name).
    pub links: Vec<(String, String)>,
}

impl Reply {
    pub fn text(text: impl Into<String>) -> Self {
        Reply { text: text.into(), ..Reply::default() }
    }

    /// Compact JSON text and the same object as structured content.
    pub fn json(value: Value) -> Self {
        Reply { text: value.to_string(), structured: Some(value), ..Reply::default() }
    }

    #[must_use]
    pub fn error(mut self) -> Self {
        self.is_error = true;
        self
    }
}

/// How the operation is recorded.
#[derive(Debug, Clone, Default)]
pub struct Record {
    pub summary: String,
    pub targets: Vec<String>,
    pub paths: Vec<String>,
    pub data: Value,
    /// Why this operation cannot be undone.
    pub irreversible: Option<String>,
    /// Further ids under which this operation can be found (nested operations of a batch).
    pub aliases: Vec<String>,
}

/// An outcome without changes and effects leaves no operation.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub changes: Vec<Change>,
    pub effects: Vec<Effect>,
    /// Further work outside the database that an undo or redo consists of (git commands, directories).
    pub steps: Vec<super::run::Step>,
    pub blobs: Vec<(Sha, Vec<u8>)>,
    /// Counters to raise to at least this number.
    pub counters: BTreeMap<String, u64>,
    pub record: Record,
    /// Set when this takes back or brings back another operation; `None` = an ordinary change.
    pub kind: Option<OpKind>,
    pub reply: Reply,
    /// A preview that the caller asked to have recorded (`audit=true`).
    pub audit: bool,
    /// State that is not an operation (session mode, focus bookkeeping): written, never undone.
    pub quiet: bool,
    /// Long work the daemon should start once this outcome is committed.
    pub start: Vec<Value>,
}

impl Outcome {
    pub fn reply(reply: Reply) -> Self {
        Outcome { reply, ..Outcome::default() }
    }

    pub fn changes_something(&self) -> bool {
        !self.changes.is_empty() || !self.effects.is_empty() || !self.steps.is_empty()
    }
}
