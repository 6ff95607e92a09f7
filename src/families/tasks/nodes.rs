//! task_add, task_define and task_delete: the task nodes inside a step's plan.

use serde_json::json;

use crate::core::Result;

use super::args::{self, flag, has};
use super::create::node_fields;
use super::fail::{Envelope, fail};
use super::model::{Gate, Object};
use super::run::{Answer, NODE, PathArgs, Run};
use super::{shape, state};

const PARENT_STEP: PathArgs = PathArgs {
    path: &["parent_step", "step", "step_path"],
    id: &["parent_step_id", "step_id"],
    step: true,
    invalid_path: "INVALID_PARENT_STEP",
    invalid_id: "INVALID_PARENT_STEP_ID",
    unknown_id: "PARENT_STEP_ID_NOT_FOUND",
    absent: "PATH_NOT_FOUND",
};

pub fn add(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    if !PARENT_STEP.given(request) {
        return Err(fail("MISSING_PARENT_STEP", "'parent_step' is required: the step to add the node to.")
            .hint("Pass a step path such as s:0, or parent_step_id.")
            .result(json!({"task": item.id})));
    }
    let parent = PARENT_STEP.resolve(request, &item)?;
    let mut node = node_fields(request, run.ctx.now)?;
    node.id = state::new_id("NODE", run.ctx.ids);
    // Resolved in this very item just above.
    let tasks = &mut parent.step_mut(&mut item).expect("resolved step").plan.tasks;
    tasks.push(node);
    let path = format!("{parent}.t:{}", tasks.len() - 1);
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    // The same path in the same tree.
    let node = parent.step(&saved.item).and_then(|s| s.plan.tasks.last()).expect("added node");
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "task_path": path, "task_node": shape::node(node, &path, compact),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    ))
}

pub fn define(run: &mut Run, request: &Object) -> Result<Answer> {
    const FIELDS: [&str; 14] = [
        "title",
        "status",
        "status_manual",
        "priority",
        "description",
        "context",
        "success_criteria",
        "tests",
        "dependencies",
        "next_steps",
        "problems",
        "risks",
        "blocked",
        "blockers",
    ];
    let mut item = run.task(request)?.item;
    let path = NODE.resolve(request, &item)?;
    let given: Vec<_> = FIELDS.into_iter().filter(|f| has(request, f)).collect();
    if given.is_empty() {
        return Err(fail("NO_FIELDS", "There is nothing to change.")
            .hint(format!("Send at least one of: {}.", FIELDS.join(", ")))
            .result(json!({"task": item.id, "path": path.to_string()})));
    }
    // Resolved in this very item just above.
    let node = path.node_mut(&mut item).expect("resolved node");
    let list = |key| args::list(request, key, "INVALID_FIELDS");
    if has(request, "title") {
        node.title = args::title(request)?;
    }
    if let Some(status) = args::status(request, "status")? {
        node.status = status;
        node.status_manual = true;
    }
    node.status_manual = flag(request, "status_manual", node.status_manual);
    if let Some(priority) = args::priority(request)? {
        node.priority = priority;
    }
    if let Some(text) = args::prose(request, "description", "INVALID_FIELDS")? {
        node.description = text;
    }
    if let Some(text) = args::prose(request, "context", "INVALID_FIELDS")? {
        node.context = text;
    }
    if let Some(new) = list("success_criteria")?.filter(|new| *new != node.success_criteria) {
        node.success_criteria = new;
        node.gates.reset(Gate::Criteria, false);
    }
    if let Some(new) = list("tests")?.filter(|new| *new != node.tests) {
        node.gates.reset(Gate::Tests, new.is_empty());
        node.tests = new;
    }
    for (key, field) in [
        ("dependencies", &mut node.dependencies),
        ("next_steps", &mut node.next_steps),
        ("problems", &mut node.problems),
        ("risks", &mut node.risks),
        ("blockers", &mut node.blockers),
    ] {
        if let Some(new) = list(key)? {
            *field = new;
        }
    }
    node.blocked = flag(request, "blocked", node.blocked);
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    // The same path in the same tree.
    let node = path.node(&saved.item).expect("resolved node");
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(), "updated": given,
            "task_node": shape::node(node, &path.to_string(), compact),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    ))
}

pub fn delete(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = NODE.resolve(request, &item)?;
    let (index, parent) = path.split();
    // A resolved node path has a parent step in this very item.
    let step = parent.as_ref().and_then(|p| p.step_mut(&mut item)).expect("resolved parent");
    let removed = step.plan.tasks.remove(index);
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(), "deleted": true,
            "deleted_task": shape::node(&removed, &path.to_string(), compact),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    ))
}
