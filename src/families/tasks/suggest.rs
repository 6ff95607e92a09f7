//! Suggestions: actions a client can copy and execute. Each is checked against the tool's own schema before it leaves;
//! one that does not pass is dropped, never sent as if it were valid.
//!
//! What only the caller can know stands in a suggestion as a placeholder (`<fill: …>`); such a suggestion says that it
//! is not validated, and a call that still holds a placeholder is refused.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use crate::core::standing::NextCall;
use crate::core::{Declared, IndexQuery, Result, SessionInfo, View, schema};

use super::answer::object;
use super::model::{ItemKind, Object, TaskItem, TaskStatus};
use super::request::IntentRequest;
use super::rows::{self, BY_KIND, BY_STATUS, ItemSummary};

const TOOLS_JSON: &str = include_str!("../../../proto/tools/tasks.json");

static DECLARED: LazyLock<BTreeMap<String, Declared>> = LazyLock::new(|| {
    // The file is part of the binary and a test parses it.
    let tools = Declared::parse_all(TOOLS_JSON).expect("proto/tools/tasks.json");
    tools.into_iter().map(|tool| (tool.name.clone(), tool)).collect()
});

pub fn declared(tool: &str) -> Option<&'static Declared> {
    DECLARED.get(tool)
}

/// An executable action.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    pub action: &'static str,
    target: String,
    reason: String,
    priority: &'static str,
    validated: bool,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub params: Object,
}

/// The same action as one flat payload.
#[derive(Debug, Clone, Serialize)]
pub struct Recipe<'a> {
    intent: &'static str,
    #[serde(flatten)]
    params: &'a Object,
}

/// A call without arguments.
#[derive(Serialize)]
pub struct Nothing {}

#[derive(Serialize)]
pub struct OfTask<'a> {
    pub task: &'a str,
}

/// Of the kind that the item is.
#[derive(Serialize)]
pub struct OfItem<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
}

impl<'a> OfItem<'a> {
    pub fn new(kind: ItemKind, id: &'a str) -> Self {
        let is = |wanted| Some(id).filter(|_| kind == wanted);
        OfItem { task: is(ItemKind::Task), plan: is(ItemKind::Plan) }
    }
}

#[derive(Serialize)]
struct Everything {
    include_all: bool,
}

#[derive(Serialize)]
struct WorkList<'a> {
    task: &'a str,
    limit: u64,
}

/// What pins a write to one item at one revision.
#[derive(Serialize)]
struct Guards<'a> {
    strict_targeting: bool,
    expected_target_id: &'a str,
    expected_kind: &'static str,
    expected_revision: u64,
}

/// May these arguments be sent to the tool as they are?
fn accepted(tool: &str, params: &Object) -> bool {
    let Some(declared) = declared(tool) else { return false };
    let empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let idle = ["operations", "ops"].iter().any(|list| params.get(*list).is_some_and(empty));
    !idle && schema::check(&declared.schema, &Value::Object(params.clone())).is_none()
}

impl Suggestion {
    /// Does this session have its tool?
    pub fn is_offered(&self, session: &SessionInfo) -> bool {
        session.offered.has(&self.target)
    }

    /// As everybody else names a call.
    pub fn call(&self) -> NextCall {
        NextCall::new(&self.target, Value::Object(self.params.clone()))
    }

    /// One of high priority, or nothing if its parameters would not be accepted.
    pub fn high<T: Serialize>(action: &'static str, reason: &str, params: &T) -> Option<Suggestion> {
        Suggestion::new(action, reason, "high", object(params))
    }

    pub fn normal<T: Serialize>(action: &'static str, reason: &str, params: &T) -> Option<Suggestion> {
        Suggestion::new(action, reason, "normal", object(params))
    }

    /// As [`high`](Self::high), pinned to an item at a revision.
    pub fn guarded<T: Serialize>(
        action: &'static str,
        reason: &str,
        params: &T,
        item: &TaskItem,
        revision: u64,
    ) -> Option<Suggestion> {
        let mut params = object(params);
        params.extend(object(&Guards {
            strict_targeting: true,
            expected_target_id: &item.id,
            expected_kind: item.kind.as_str(),
            expected_revision: revision,
        }));
        Suggestion::new(action, reason, "high", params)
    }

    fn new(action: &'static str, reason: &str, priority: &'static str, params: Object) -> Option<Suggestion> {
        let target = format!("tasks_{action}");
        let validated = !params.values().any(|value| placeholder(value).is_some());
        let fits = accepted(&target, &params);
        let reason = reason.to_string();
        fits.then_some(Suggestion { action, target, reason, priority, validated, params })
    }

    pub fn recipe(&self) -> Recipe<'_> {
        Recipe { intent: self.action, params: &self.params }
    }
}

/// What the caller has to say instead.
pub fn fill(what: &str) -> String {
    format!("<fill: {what}>")
}

/// The first placeholder in a value, at any depth.
pub fn placeholder(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.as_str()).filter(|t| t.starts_with("<fill: ") && t.ends_with('>')),
        Value::Array(items) => items.iter().find_map(placeholder),
        Value::Object(map) => map.values().find_map(placeholder),
        _ => None,
    }
}

/// Those of possible suggestions that there are.
pub fn list<const N: usize>(items: [Option<Suggestion>; N]) -> Vec<Suggestion> {
    items.into_iter().flatten().collect()
}

/// Lists every plan and task.
pub fn everything() -> Option<Suggestion> {
    Suggestion::high("context", "Lists every plan and task.", &Everything { include_all: true })
}

/// How to find out what there is, and up to three items to focus.
pub fn pick_a_target(view: &dyn View, workspace: &str) -> Result<Vec<Suggestion>> {
    let mut out =
        list([everything(), Suggestion::normal("focus_get", "Shows what is focused now.", &Nothing {})]);
    let groups = [
        (ItemKind::Task, TaskStatus::Active),
        (ItemKind::Plan, TaskStatus::Active),
        (ItemKind::Task, TaskStatus::Todo),
        (ItemKind::Plan, TaskStatus::Todo),
    ];
    let mut left = 3;
    for (kind, status) in groups {
        let group = rows::group(workspace, &[kind.as_str(), status.as_str()]);
        let query = IndexQuery::new(BY_STATUS, group).reverse().limit(left);
        for (_, id) in rows::ids(view, &query)? {
            let reason = format!("Makes {id} the target of calls without one.");
            out.extend(Suggestion::normal("focus_set", &reason, &OfTask { task: &id }));
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    Ok(out)
}

/// The only item of a kind, if there is exactly one.
pub fn only(view: &dyn View, workspace: &str, kind: ItemKind) -> Result<Option<ItemSummary>> {
    let group = rows::group(workspace, &[kind.as_str()]);
    let mut found = rows::summaries(view, &IndexQuery::new(BY_KIND, group).limit(2))?;
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// Where exactly one item could be meant: how to name it.
pub fn only_target(request: &IntentRequest, key: &str) -> Result<Option<String>> {
    let kind = if key == "plan" { ItemKind::Plan } else { ItemKind::Task };
    let found = only(request.view(), request.workspace(), kind)?;
    Ok(found.map(|s| format!("Pass {key}=\"{}\" ({}), the only {}.", s.id, s.title, kind.as_str())))
}

/// The one item with this title; of several the only one that is open.
pub fn titled(request: &IntentRequest, title: Option<&str>) -> Result<Option<ItemSummary>> {
    let Some(title) = title else { return Ok(None) };
    let mut found = rows::titled(request.view(), request.workspace(), title, 11)?;
    if found.len() > 1 {
        found.retain(|summary| summary.status != TaskStatus::Done);
    }
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// What to look at when a path or a node id does not fit.
pub fn look_at(id: &str) -> Vec<Suggestion> {
    list([
        Suggestion::high("radar", "Shows the current step with its path.", &OfTask { task: id }),
        Suggestion::normal("mirror", "Lists the steps with their paths.", &WorkList { task: id, limit: 10 }),
    ])
}

/// How to get over a stale revision.
pub fn reread(id: &str) -> Vec<Suggestion> {
    let mut out = list([Suggestion::high("resume", "Reads the present revision.", &OfTask { task: id })]);
    out.extend(look_at(id));
    out
}
