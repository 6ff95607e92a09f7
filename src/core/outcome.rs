//! What a family wants to happen: changes, effects and the reply. A family returns this; it changes nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Change, Effect, Error, OpKind, Question, Result, Sha, Who};

/// Stands in a reply for the id of the operation the call leaves; the engine fills it in, in slots only.
pub const OP_ID: &str = "@op-id@";
/// The same for the audit record of a preview.
pub const AUDIT_ID: &str = "@audit-id@";

/// The members that may hold such a mark, as their whole value.
const SLOTS: [&str; 3] = ["operation_id", "latest_id", "audit_operation_id"];
/// The only members on the way to a slot: parts of a reply that families make themselves. What users wrote is
/// never below these alone, so the same words in a title stay what they are.
const WAYS: [&str; 5] = ["result", "results", "batch", "meta", "data"];

/// Puts the id (or null, where nothing was recorded) where the mark stands. True if there was a place.
pub fn fill(value: &mut Value, mark: &str, id: Option<&str>) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |any, item| fill(item, mark, id) | any),
        Value::Object(map) => map.iter_mut().fold(false, |any, (name, value)| {
            let name = name.as_str();
            if SLOTS.contains(&name) && value.as_str() == Some(mark) {
                *value = id.map_or(Value::Null, Value::from);
                return true;
            }
            (WAYS.contains(&name) && fill(value, mark, id)) | any
        }),
        _ => false,
    }
}

/// The answer to one tool call, before any protocol is wrapped around it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    /// `structuredContent`; an object.
    pub structured: Option<Value>,
    /// The text is `structured` as compact JSON, so that nobody needs to write it a second time. Whoever changes one
    /// of the two takes this away.
    pub same: bool,
    pub is_error: bool,
    /// Resources a client may read for more: (uri, name).
    pub links: Vec<(String, String)>,
    /// The run that the call started. Never part of what is sent: the family says it in its own words.
    pub run: Option<String>,
    /// The call waits for a person, who is asked this. Never part of what is sent.
    pub asks: Option<Box<PersonConfirm>>,
}

/// A confirmation that only a person can give.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonConfirm {
    pub id: String,
    pub question: Question,
}

impl Reply {
    /// An answer that is still to be made.
    pub const EMPTY: Reply = Reply {
        text: String::new(),
        structured: None,
        same: false,
        is_error: false,
        links: Vec::new(),
        run: None,
        asks: None,
    };

    pub fn text(text: impl Into<String>) -> Self {
        Reply { text: text.into(), ..Reply::default() }
    }

    /// A typed reply: its JSON as text, and the same object as structured content.
    pub fn of<T: serde::Serialize>(body: &T) -> Self {
        // Replies are structs of plain data with text keys: there is nothing in them that JSON cannot hold.
        Reply::json(serde_json::to_value(body).unwrap_or_default())
    }

    /// Compact JSON text and the same object as structured content.
    pub fn json(value: Value) -> Self {
        Reply { text: value.to_string(), structured: Some(value), same: true, ..Reply::default() }
    }

    /// Fills the slots of the structured part; a text that is the same in JSON follows it.
    pub fn fill(&mut self, mark: &str, id: Option<&str>) {
        let Some(value) = self.structured.as_mut().filter(|_| self.text.contains(mark)) else { return };
        let same = self.same || self.text == *value.to_string();
        if !fill(value, mark, id) || !same {
            return;
        }
        // The slot is the only place with these words as a whole value: the rest of the text stays as it is.
        let slot = format!("\"{mark}\"");
        self.text = match self.text.matches(mark).count() {
            1 if self.text.contains(&slot) => {
                self.text.replacen(&slot, &id.map_or(Value::Null, Value::from).to_string(), 1)
            }
            _ => value.to_string(),
        };
        self.same = true;
    }

    /// Adds one more fact, in both forms.
    pub fn say(&mut self, name: &str, fact: &impl serde::Serialize, line: &str) {
        if let (Some(Value::Object(map)), Ok(fact)) = (&mut self.structured, serde_json::to_value(fact)) {
            map.insert(name.to_string(), fact);
        }
        match (&self.structured, self.same) {
            (Some(structured), true) => self.text = structured.to_string(),
            _ => self.text.push_str(&format!("\n\n{line}")),
        }
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
    /// The operation's id, where something had to be named by it before; `None` = a new one.
    pub id: Option<String>,
    pub summary: String,
    /// Where it belongs, if not to the workspace of whoever called.
    pub workspace: Option<String>,
    pub targets: Vec<String>,
    pub paths: Vec<String>,
    pub data: Value,
    /// Why this operation cannot be undone.
    pub irreversible: Option<String>,
    /// Who did it, where that is not the caller.
    pub who: Option<Who>,
    /// See [`Op::file_by_file`](super::Op) and [`Op::by_id_only`](super::Op).
    pub file_by_file: bool,
    pub by_id_only: bool,
    /// Further ids under which this operation can be found (nested operations of a batch).
    pub aliases: Vec<String>,
}

impl Record {
    /// The same with what the family wants to know again about it.
    pub fn noting(mut self, data: &impl serde::Serialize) -> Result<Record> {
        self.data = serde_json::to_value(data)
            .map_err(|e| Error::internal(format!("Cannot note what an operation is about: {e}.")))?;
        Ok(self)
    }
}

/// An outcome without changes and effects leaves no operation.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub changes: Vec<Change>,
    pub effects: Vec<Effect>,
    /// Further work outside the database that an undo or redo consists of (git commands, directories).
    pub steps: Vec<super::run::RunStep>,
    pub blobs: Vec<(Sha, Vec<u8>)>,
    /// Counters to raise to at least this number.
    pub counters: BTreeMap<String, u64>,
    pub record: Record,
    /// Set when this takes back or brings back another operation; `None` = an ordinary change.
    pub kind: Option<OpKind>,
    pub reply: Reply,
    /// The caller sees first what would happen: everything is checked as if it were done, and nothing is.
    pub shown_first: bool,
    /// A preview that the caller asked to have recorded (`audit=true`).
    pub audit: bool,
    /// The effects tell what somebody did to files already: they are recorded, and carried out only by a redo.
    pub happened: bool,
    /// State that is not an operation (session mode, focus bookkeeping): written, never undone.
    pub quiet: bool,
    /// What the daemon is told to do once this outcome is committed.
    pub orders: Vec<super::run::Order>,
}

impl Outcome {
    pub fn reply(reply: Reply) -> Self {
        Outcome { reply, ..Outcome::default() }
    }

    pub fn changes_something(&self) -> bool {
        !self.changes.is_empty() || !self.effects.is_empty() || !self.steps.is_empty()
    }
}
