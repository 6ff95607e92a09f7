//! Failures in the words of the task contract: a code, a message, a way out.
//!
//! They travel as [`Error`]; what the envelope needs beside code and message rides in `details`.

use serde_json::{Value, json};

use crate::core::{Error, Kind};

use super::model::Object;

pub fn fail(code: &str, message: impl Into<String>) -> Error {
    let kind = match code {
        c if c.ends_with("NOT_FOUND") => Kind::NotFound,
        "REVISION_MISMATCH" | "EXPECTED_TARGET_MISMATCH" => Kind::Conflict,
        "GATING_FAILED"
        | "RUNWAY_CLOSED"
        | "LINT_ERRORS_BLOCKING"
        | "NOTHING_TO_UNDO"
        | "NOTHING_TO_REDO" => Kind::State,
        _ => Kind::Invalid,
    };
    Error::new(kind, code, message)
}

/// Adds the parts of the envelope that belong to a failure.
pub trait Envelope: Sized {
    fn part(self, name: &str, value: Value) -> Self;

    #[must_use]
    fn result(self, value: Value) -> Self {
        self.part("result", value)
    }

    #[must_use]
    fn suggest(self, list: Vec<Value>) -> Self {
        self.part("suggestions", Value::Array(list))
    }

    /// Adds keys to `context`; what is already there stays.
    #[must_use]
    fn context(self, more: &Object) -> Self;
}

impl Envelope for Error {
    fn part(mut self, name: &str, value: Value) -> Self {
        let mut details = self.details.take().map_or_else(|| json!({}), |d| *d);
        details[name] = value;
        self.details = Some(Box::new(details));
        self
    }

    fn context(self, more: &Object) -> Self {
        let mut context = detail(&self, "context").as_object().cloned().unwrap_or_default();
        for (key, value) in more {
            context.entry(key.clone()).or_insert_with(|| value.clone());
        }
        self.part("context", Value::Object(context))
    }
}

/// One part of a failure's payload; null when it has none.
pub fn detail(error: &Error, name: &str) -> Value {
    error.details.as_ref().and_then(|d| d.get(name)).cloned().unwrap_or(Value::Null)
}

/// `{code, message[, recovery]}` as the envelope shows it.
pub fn shown(error: &Error) -> Value {
    let code = match error.code.as_str() {
        "internal" => "INTERNAL_ERROR".to_string(),
        code => code.to_uppercase(),
    };
    let mut out = json!({"code": code, "message": error.message});
    if let Some(hint) = &error.hint {
        out["recovery"] = json!(hint);
    }
    out
}
