//! The envelope every intent answers with, successes and failures alike, in the contract's key order.

use serde_json::{Value, json};

use crate::core::{Error, Timestamp};

use super::fail::{detail, shown};
use super::run::Answer;

pub fn of(intent: &str, answer: &Answer, now: Timestamp) -> Value {
    json!({
        "success": answer.error.is_none(),
        "intent": intent,
        "result": answer.result,
        "warnings": answer.warnings,
        "suggestions": answer.suggestions,
        "context": answer.context,
        "error": answer.error.as_ref().map(shown),
        "meta": answer.meta,
        "timestamp": now.offset(),
    })
}

/// The same for a failure; what the engine says about a refusal goes into `result`.
pub fn of_error(intent: &str, error: &Error, now: Timestamp) -> Value {
    let ours = ["result", "suggestions", "context", "warnings"];
    let known = error.details.as_ref().is_some_and(|d| ours.iter().any(|key| d.get(key).is_some()));
    let or = |value: Value, default: Value| if value.is_null() { default } else { value };
    let result = match (known, &error.details) {
        (false, Some(details)) => (**details).clone(),
        _ => detail(error, "result"),
    };
    json!({
        "success": false,
        "intent": intent,
        "result": or(result, json!({})),
        "warnings": or(detail(error, "warnings"), json!([])),
        "suggestions": or(detail(error, "suggestions"), json!([])),
        "context": or(detail(error, "context"), json!({})),
        "error": shown(error),
        "meta": {},
        "timestamp": now.offset(),
    })
}
