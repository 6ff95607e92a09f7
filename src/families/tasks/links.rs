//! Payloads by which a reader gets more: the intent and its arguments, as the contract shows them.

use serde::Serialize;

use super::model::{Item, ItemKind};

#[derive(Debug, Clone, Default, Serialize)]
pub struct Link<'a> {
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

impl<'a> Link<'a> {
    /// To an intent about nothing in particular.
    pub fn to(intent: &'static str) -> Link<'a> {
        Link { intent, include_all: intent == "context", ..Link::default() }
    }

    /// To an intent about an item.
    pub fn of(intent: &'static str, item: &'a Item) -> Link<'a> {
        let is = |kind| Some(item.id.as_str()).filter(|_| item.kind == kind);
        Link { intent, task: is(ItemKind::Task), plan: is(ItemKind::Plan), ..Link::default() }
    }

    /// To an intent that takes any item as its task.
    pub fn of_any(intent: &'static str, item: &'a Item) -> Link<'a> {
        Link { intent, task: Some(&item.id), ..Link::default() }
    }

    #[must_use]
    pub fn limit(self, limit: i64) -> Link<'a> {
        Link { limit: Some(limit), ..self }
    }
}
