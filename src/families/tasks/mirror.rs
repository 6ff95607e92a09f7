//! mirror: a slice of a plan, a task or a node as a work list with exactly one item in progress.

use serde_json::{Value, json};

use crate::core::Result;

use super::args::{self, text};
use super::fail::{Envelope, fail};
use super::model::{Item, Object, Status, Step, TaskNode};
use super::run::{Answer, NODE, PathArgs, Run, STEP};
use super::state::percent;
use super::store::{self, Summary};
use super::{scene, suggest};

const MOST: usize = 200;

fn listed(mut out: Value, status: &str, progress: i64, children: (usize, usize)) -> Value {
    out["status"] = json!(status);
    out["queue_status"] = json!(status);
    out["progress"] = json!(progress);
    out["children_done"] = json!(children.0);
    out["children_total"] = json!(children.1);
    out
}

fn flagged(mut out: Value, gates: &super::model::Gates, blocked: bool) -> Value {
    out["criteria_confirmed"] = json!(gates.criteria_confirmed);
    out["tests_confirmed"] = json!(gates.tests_confirmed);
    out["criteria_auto_confirmed"] = json!(gates.criteria_auto_confirmed);
    out["tests_auto_confirmed"] = json!(gates.tests_auto_confirmed);
    out["blocked"] = json!(blocked);
    out
}

pub fn step_item(step: &Step, path: &str) -> Value {
    let children = &step.plan.tasks;
    let done = children.iter().filter(|t| t.is_done()).count();
    let part = percent(done, children.len());
    let (status, progress) = match (step.completed, step.ready()) {
        (true, _) => ("completed", 100),
        (_, true) if children.is_empty() => ("in_progress", 100),
        (_, true) => ("in_progress", part),
        _ => ("pending", part),
    };
    let out = json!({"kind": "step", "path": path, "id": step.id, "title": step.title});
    flagged(listed(out, status, progress, (done, children.len())), &step.gates, step.blocked)
}

fn node_item(node: &TaskNode, path: &str) -> Value {
    let status = match node.status {
        _ if node.is_done() => "completed",
        Status::Done if !node.blocked => "completed",
        Status::Active => "in_progress",
        _ => "pending",
    };
    let done = node.steps.iter().filter(|s| s.completed).count();
    let out = json!({"kind": "task", "path": path, "id": node.id, "title": node.title});
    flagged(listed(out, status, node.progress(), (done, node.steps.len())), &node.gates, node.blocked)
}

fn task_item(task: &Summary) -> Value {
    let status = match task.status {
        _ if task.progress >= 100 && !task.blocked => "completed",
        Status::Active => "in_progress",
        Status::Done => "completed",
        Status::Todo => "pending",
    };
    let out = json!({"kind": "task", "task_id": task.id, "id": task.id, "title": task.title});
    let children = (task.steps_done, task.steps_total);
    flagged(listed(out, status, task.progress, children), &task.gates, task.blocked)
}

/// Keeps the first item in progress, or promotes the first pending one.
fn one_in_progress(items: &mut [Value]) {
    fn set(item: &mut Value, status: &str) {
        item["status"] = json!(status);
        item["queue_status"] = json!(status);
    }
    let mut seen = false;
    for item in items.iter_mut().filter(|i| i["status"] == "in_progress") {
        if seen {
            set(item, "pending");
        }
        seen = true;
    }
    if let (false, Some(item)) = (seen, items.iter_mut().find(|i| i["status"] == "pending")) {
        set(item, "in_progress");
    }
}

fn steps_of(list: &[Step], prefix: &str) -> Vec<Value> {
    let dot = if prefix.is_empty() { "" } else { "." };
    list.iter().enumerate().map(|(i, s)| step_item(s, &format!("{prefix}{dot}s:{i}"))).collect()
}

/// The items of a scope: its kind, its path and what is in it.
fn scope(run: &Run, request: &Object, item: &Item) -> Result<(&'static str, Option<String>, Vec<Value>)> {
    const STEP_HERE: PathArgs = PathArgs { absent: "STEP_NOT_FOUND", ..STEP };
    const NODE_HERE: PathArgs = PathArgs { absent: "TASK_NODE_NOT_FOUND", ..NODE };
    if item.is_plan() {
        let tasks = store::children(run.view(), run.workspace(), &item.id, MOST)?;
        return Ok(("plan", None, tasks.iter().map(task_item).collect()));
    }
    let path = text(request, "path").unwrap_or_default();
    let leaf = path.rsplit('.').next().unwrap_or_default();
    let wants_node = NODE.id.iter().any(|k| args::has(request, k))
        || text(request, "kind") == Some("task") && !path.is_empty()
        || leaf.starts_with("t:");
    if wants_node {
        let path = NODE_HERE.resolve(request, item)?;
        // Just resolved.
        let node = path.node(item).expect("resolved node");
        return Ok(("task", Some(path.to_string()), steps_of(&node.steps, &path.to_string())));
    }
    if STEP_HERE.given(request) {
        let path = STEP_HERE.resolve(request, item)?;
        // Just resolved.
        let step = path.step(item).expect("resolved step");
        let nodes = step.plan.tasks.iter().enumerate();
        let items = nodes.map(|(i, n)| node_item(n, &format!("{path}.t:{i}"))).collect();
        return Ok(("step", Some(path.to_string()), items));
    }
    Ok(("task", None, steps_of(&item.steps, "")))
}

pub fn mirror(run: &mut Run, request: &Object) -> Result<Answer> {
    let limit = args::number(request, "limit", 0, MOST as i64, "INVALID_LIMIT")?.unwrap_or(MOST as i64);
    if let Some(kind) = text(request, "kind")
        && !["plan", "task", "step", "auto"].contains(&kind)
    {
        return Err(fail("INVALID_KIND", format!("'{kind}' is not a kind of scope."))
            .hint("Use plan, task or step.")
            .result(json!({"kind": kind})));
    }
    let loaded = scene::target(run, request)?;
    let item = &loaded.item;
    let (kind, path, mut items) = scope(run, request, item)?;
    items.truncate(limit as usize);
    one_in_progress(&mut items);
    let count = |status: &str| items.iter().filter(|i| i["status"] == status).count();
    let summary = json!({"total": items.len(), "completed": count("completed"),
        "in_progress": count("in_progress"), "pending": count("pending")});
    let mut scope = json!({"task_id": item.id, "kind": kind});
    if let Some(path) = path {
        scope["path"] = json!(path);
    }
    let result = json!({"scope": scope, "items": items, "summary": summary});
    let key = item.kind.as_str();
    Ok(Answer::about(&item.id, result).suggest(suggest::list([suggest::normal(
        "radar",
        "Shows what to do next.",
        json!({key: item.id}),
    )])))
}
