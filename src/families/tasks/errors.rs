//! Failures in the words of the task contract: a code, a message, a way out.
//!
//! They travel as [`Error`]; what the envelope needs beside code and message rides in `details`.

use serde::Serialize;
use serde_json::{Value, json};

use crate::core::{Error, Kind};

use super::answer::{AnswerContext, object};
use super::suggest::Suggestion;

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
pub trait EnvelopeParts: Sized {
    fn part(self, name: &str, value: Value) -> Self;

    #[must_use]
    fn result<T: Serialize>(self, value: T) -> Self {
        self.part("result", Value::Object(object(&value)))
    }

    #[must_use]
    fn suggest(self, list: Vec<Suggestion>) -> Self {
        self.part("suggestions", json!(list))
    }

    /// Adds to `context`; what is already there stays.
    #[must_use]
    fn context(self, more: &AnswerContext) -> Self;
}

impl EnvelopeParts for Error {
    fn part(mut self, name: &str, value: Value) -> Self {
        let mut details = self.details.take().map_or_else(|| json!({}), |d| *d);
        details[name] = value;
        self.details = Some(Box::new(details));
        self
    }

    fn context(self, more: &AnswerContext) -> Self {
        let mut context = detail(&self, "context").as_object().cloned().unwrap_or_default();
        for (key, value) in object(more) {
            context.entry(key).or_insert(value);
        }
        // What the engine put there is moved to where this family shows it.
        let ours = detail(&self, "result").is_null() && detail(&self, "suggestions").is_null();
        let kept = self.details.as_deref().filter(|_| ours).cloned();
        let error = if let Some(kept) = kept { Error { details: None, ..self }.result(kept) } else { self };
        error.part("context", Value::Object(context))
    }
}

/// One part of a failure's payload; null when it has none.
pub fn detail(error: &Error, name: &str) -> Value {
    error.details.as_ref().and_then(|d| d.get(name)).cloned().unwrap_or(Value::Null)
}

/// `{code, message[, recovery]}` as the envelope shows it.
#[derive(Debug, Serialize)]
pub struct ShownError<'a> {
    pub code: String,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<&'a str>,
}

impl ShownError<'_> {
    pub fn of(error: &Error) -> ShownError<'_> {
        let code = match error.code.as_str() {
            "internal" => "INTERNAL_ERROR".to_string(),
            code => code.to_uppercase(),
        };
        ShownError { code, message: &error.message, recovery: error.hint.as_deref() }
    }
}
