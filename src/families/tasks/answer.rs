//! What an intent has to say, and the envelope it travels in: successes and failures alike, in the contract's key order.

use serde::Serialize;
use serde_json::Value;

use crate::core::{Error, Timestamp};

use super::errors::{ShownError, detail};
use super::model::Object;
use super::suggest::Suggestion;
use super::target::{Resolution, Strict};

/// What the envelope says beside the result: whom it was about and how that was found out.
#[derive(Debug, Default, Clone, Serialize)]
pub struct AnswerContext {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(flatten)]
    pub focus: Option<FocusFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_focus_parent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_resolution: Option<Resolution>,
    #[serde(flatten)]
    pub strict: Option<Strict>,
}

/// The focus as replies about it repeat it.
#[derive(Debug, Default, Clone, Serialize)]
pub struct FocusFacts {
    pub focus_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

#[derive(Debug, Default, Clone, Serialize)]
pub struct Meta {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_op: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit_operation_id: Option<String>,
}

#[derive(Debug, Default)]
pub struct IntentAnswer {
    pub result: Object,
    pub warnings: Vec<String>,
    pub suggestions: Vec<Suggestion>,
    pub context: AnswerContext,
    pub meta: Meta,
    /// The node it was about, as the log's `paths` filter finds it.
    pub path: Option<String>,
    /// A failure that nevertheless keeps what was done before it (a batch that is not atomic).
    pub error: Option<Error>,
    /// Succeeded without changing anything: leaves no operation.
    pub no_op: bool,
    /// Wrote although its intent usually reads (an import).
    pub wrote: bool,
    /// Nothing of it was kept.
    pub preview: bool,
    /// The reply is the short one: it gets what changed.
    pub short: bool,
    pub links: Vec<(String, String)>,
}

impl IntentAnswer {
    pub fn new<T: Serialize>(result: &T) -> Self {
        IntentAnswer { result: object(result), ..IntentAnswer::default() }
    }

    /// About one item: its id goes into the context.
    pub fn about<T: Serialize>(id: &str, result: &T) -> Self {
        let mut answer = IntentAnswer::new(result);
        answer.context.task_id = Some(id.to_string());
        answer
    }

    #[must_use]
    pub fn at(mut self, path: impl ToString) -> Self {
        self.path = Some(path.to_string());
        self
    }

    #[must_use]
    pub fn suggest(mut self, list: Vec<Suggestion>) -> Self {
        self.suggestions = list;
        self
    }

    #[must_use]
    pub fn no_op(mut self) -> Self {
        self.no_op = true;
        self
    }

    #[must_use]
    pub fn short(mut self, short: bool) -> Self {
        self.short = short;
        self
    }

    /// The same with further members; what is there stays.
    #[must_use]
    pub fn with<T: Serialize>(mut self, more: &T) -> Self {
        for (key, value) in object(more) {
            self.result.entry(key).or_insert(value);
        }
        self
    }
}

/// One line about an operation inside another: what it did, to whom.
#[derive(Serialize)]
pub struct OperationLine<'a> {
    intent: &'a str,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_op: bool,
}

impl<'a> OperationLine<'a> {
    pub fn of(intent: &'a str, answer: &'a IntentAnswer) -> Self {
        OperationLine {
            intent,
            success: answer.error.is_none(),
            task_id: answer.context.task_id.as_deref(),
            path: answer.path.as_deref(),
            no_op: answer.no_op,
        }
    }
}

/// A reply struct as the object it is in JSON.
pub fn object<T: Serialize>(value: &T) -> Object {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        // Replies are structs of plain data: nothing else comes out of them.
        _ => Object::new(),
    }
}

#[derive(Serialize)]
struct Envelope<'a> {
    success: bool,
    intent: &'a str,
    result: &'a Object,
    warnings: &'a [String],
    suggestions: &'a [Suggestion],
    context: &'a AnswerContext,
    error: Option<ShownError<'a>>,
    meta: &'a Meta,
    timestamp: String,
}

/// The envelope of an answer.
pub fn envelope(intent: &str, answer: &IntentAnswer, now: Timestamp) -> Object {
    object(&Envelope {
        success: answer.error.is_none(),
        intent,
        result: &answer.result,
        warnings: &answer.warnings,
        suggestions: &answer.suggestions,
        context: &answer.context,
        error: answer.error.as_ref().map(ShownError::of),
        meta: &answer.meta,
        timestamp: now.offset(),
    })
}

#[derive(Serialize)]
struct FailureEnvelope<'a> {
    success: bool,
    intent: &'a str,
    result: Object,
    warnings: Vec<Value>,
    suggestions: Vec<Value>,
    context: Object,
    error: ShownError<'a>,
    meta: Object,
    timestamp: String,
}

/// The same for a failure; what the engine says about a refusal goes into `result`.
pub fn of_error(intent: &str, error: &Error, now: Timestamp) -> Object {
    let ours = ["result", "suggestions", "context", "warnings"];
    let known = error.details.as_ref().is_some_and(|d| ours.iter().any(|key| d.get(key).is_some()));
    let map = |value: Value| value.as_object().cloned().unwrap_or_default();
    let list = |value: Value| value.as_array().cloned().unwrap_or_default();
    let result = match (known, &error.details) {
        (false, Some(details)) => (**details).clone(),
        _ => detail(error, "result"),
    };
    object(&FailureEnvelope {
        success: false,
        intent,
        result: map(result),
        warnings: list(detail(error, "warnings")),
        suggestions: list(detail(error, "suggestions")),
        context: map(detail(error, "context")),
        error: ShownError::of(error),
        meta: Object::new(),
        timestamp: now.offset(),
    })
}
