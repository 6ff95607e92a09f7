//! Payloads by which a reader gets more: the intent and its arguments, as the contract shows them.

use serde::Serialize;

use super::model::{ItemKind, TaskItem};

#[derive(Debug, Clone, Default, Serialize)]
pub struct IntentLink<'a> {
    intent: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    include_all: bool,
}

impl<'a> IntentLink<'a> {
    /// To an intent about nothing in particular.
    pub fn to(intent: &'static str) -> IntentLink<'a> {
        IntentLink { intent, include_all: intent == "context", ..IntentLink::default() }
    }

    /// To an intent about an item.
    pub fn of(intent: &'static str, item: &'a TaskItem) -> IntentLink<'a> {
        let is = |kind| Some(item.id.as_str()).filter(|_| item.kind == kind);
        IntentLink { intent, task: is(ItemKind::Task), plan: is(ItemKind::Plan), ..IntentLink::default() }
    }

    /// To an intent that takes any item as its task.
    pub fn of_any(intent: &'static str, item: &'a TaskItem) -> IntentLink<'a> {
        IntentLink { intent, task: Some(&item.id), ..IntentLink::default() }
    }

    #[must_use]
    pub fn limit(self, limit: i64) -> IntentLink<'a> {
        IntentLink { limit: Some(limit), ..self }
    }
}
