//! Suggestions: actions a client can copy and execute. Each is checked against the tool's own schema
//! before it leaves; one that does not pass is dropped, never sent as if it were valid.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::core::tool::Late;
use crate::core::{IndexQuery, Result, Tool, View, schema};

use super::model::{Item, ItemKind, Status};
use super::store::{self, BY_STATUS};

pub const TOOLS_JSON: &str = include_str!("../../../proto/tools/tasks.json");

static SCHEMAS: LazyLock<BTreeMap<String, Late<Value>>> = LazyLock::new(|| {
    // The file is part of the binary and a test parses it.
    let tools = Tool::parse_all(TOOLS_JSON).expect("proto/tools/tasks.json");
    tools.into_iter().map(|tool| (tool.name, tool.schema)).collect()
});

/// May these arguments be sent to `tasks_<intent>` as they are?
pub fn accepted(intent: &str, params: &Value) -> bool {
    let filled = |key: &str| params[key].as_array().is_some_and(|list| !list.is_empty());
    let complete = match intent {
        "batch" => filled("operations"),
        "patch" => filled("ops"),
        _ => true,
    };
    let Some(schema) = SCHEMAS.get(&format!("tasks_{intent}")) else { return false };
    complete && schema::check(schema, params).is_none()
}

/// A suggestion of high priority, or nothing if its parameters would not be accepted.
pub fn high(action: &str, reason: &str, params: Value) -> Option<Value> {
    build(action, reason, "high", params)
}

pub fn normal(action: &str, reason: &str, params: Value) -> Option<Value> {
    build(action, reason, "normal", params)
}

fn build(action: &str, reason: &str, priority: &str, params: Value) -> Option<Value> {
    if !accepted(action, &params) {
        return None;
    }
    let mut out = json!({"action": action, "target": format!("tasks_{action}"), "reason": reason,
        "priority": priority, "validated": true});
    if params.as_object().is_some_and(|p| !p.is_empty()) {
        out["params"] = params;
    }
    Some(out)
}

/// Pins a write to one item at one revision.
pub fn guarded(mut params: Value, item: &Item, revision: u64) -> Value {
    params["strict_targeting"] = json!(true);
    params["expected_target_id"] = json!(item.id);
    params["expected_kind"] = json!(item.kind.as_str());
    params["expected_revision"] = json!(revision);
    params
}

/// The first of possible suggestions as a list.
pub fn list<const N: usize>(items: [Option<Value>; N]) -> Vec<Value> {
    items.into_iter().flatten().collect()
}

/// How to find out what there is, and up to three items to focus.
pub fn pick_a_target(view: &dyn View, workspace: &str) -> Result<Vec<Value>> {
    let mut out = list([
        high("context", "Lists every plan and task.", json!({"include_all": true, "compact": true})),
        normal("focus_get", "Shows what is focused now.", json!({})),
    ]);
    let groups = [
        (ItemKind::Task, Status::Active),
        (ItemKind::Plan, Status::Active),
        (ItemKind::Task, Status::Todo),
        (ItemKind::Plan, Status::Todo),
    ];
    let mut left = 3;
    for (kind, status) in groups {
        let group = store::group(workspace, &[kind.as_str(), status.as_str()]);
        let query = IndexQuery::new(BY_STATUS, group).reverse().limit(left);
        for (_, id) in store::ids(view, &query)? {
            let reason = format!("Makes {id} the target of calls without one.");
            out.extend(normal("focus_set", &reason, json!({"task": id})));
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    Ok(out)
}

/// What to look at when a path or a node id does not fit.
pub fn look_at(id: &str) -> Vec<Value> {
    list([
        high("radar", "Shows the current step with its path.", json!({"task": id})),
        normal("mirror", "Lists the steps with their paths.", json!({"task": id, "limit": 10})),
    ])
}

/// How to get over a stale revision.
pub fn reread(id: &str) -> Vec<Value> {
    let mut out = list([high("resume", "Reads the present revision.", json!({"task": id}))]);
    out.extend(look_at(id));
    out
}
