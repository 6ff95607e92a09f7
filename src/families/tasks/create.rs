//! create: a new plan or task, and the reading of step trees that requests bring along.

use serde_json::{Value, json};

use crate::core::json::type_name;
use crate::core::{Error, Result, Timestamp, redact};

use super::args::{self, MAX_LIST, flag, has, text};
use super::contract;
use super::deps;
use super::evidence;
use super::fail::{Envelope, fail};
use super::model::{Gates, Item, ItemKind, Object, PlanNode, Status, Step, TaskNode, default_priority};
use super::run::{Answer, Run};
use super::state::minute;
use super::{shape, store, suggest};

const MAX_DEPTH: usize = 24;

/// An item with the defaults of a new one.
pub fn blank(kind: ItemKind, id: String, title: String, now: Timestamp) -> Item {
    Item {
        id,
        kind,
        title,
        priority: default_priority(),
        assignee: "ai".to_string(),
        created: minute(now),
        gates: Gates::fresh(&[]),
        ..Item::default()
    }
}

pub fn create(run: &mut Run, request: &Object) -> Result<Answer> {
    let title = args::title(request)?;
    let kind = match text(request, "kind") {
        None if has(request, "kind") && request["kind"] != json!("") => return Err(bad_kind(request)),
        None if has(request, "parent") => ItemKind::Task,
        None => ItemKind::Plan,
        Some(name) => ItemKind::parse(&name.to_lowercase()).ok_or_else(|| bad_kind(request))?,
    };
    let parent = match kind {
        ItemKind::Plan => None,
        ItemKind::Task => Some(parent(run, request)?),
    };
    let now = run.ctx.now;
    let mut item = blank(kind, String::new(), title, now);
    item.parent = parent;
    if let Some(priority) = args::priority(request)? {
        item.priority = priority;
    }
    let prose = |key| args::prose(request, key, "INVALID_FIELDS").map(Option::unwrap_or_default);
    item.description = prose("description")?;
    item.context = prose("context")?;
    item.contract = prose("contract")?;
    let list = |key| args::list(request, key, "INVALID_FIELDS").map(Option::unwrap_or_default);
    item.success_criteria = list("success_criteria")?;
    item.tests = list("tests")?;
    item.blockers = list("blockers")?;
    item.gates = Gates::fresh(&item.tests);
    item.tags = args::list(request, "tags", "INVALID_TAGS")?.unwrap_or_default();
    if let Some(value) = request.get("contract_data").filter(|v| !v.is_null()) {
        item.contract_data = contract::parse_data(value)?;
    }
    if let Some(domain) = args::prose(request, "domain", "INVALID_FIELDS")? {
        item.domain = deps::domain(&domain)?;
    }
    if let Some(value) = request.get("steps").filter(|v| !v.is_null()) {
        if kind == ItemKind::Plan {
            return Err(fail("INVALID_STEPS", "A plan has a checklist, not steps.")
                .hint("Create a task below the plan for steps, or set the checklist with the plan intent."));
        }
        item.steps = parse_steps(value, now)?;
    }
    if let Some(list) = args::list(request, "depends_on", "INVALID_DEPENDS_ON")? {
        item.depends_on = deps::checked(run.view(), run.workspace(), "", list)?;
    }
    item.id = run.next_item_id(kind)?;
    if kind == ItemKind::Plan {
        contract::version_if_changed(&mut item, None, "created", now);
    }
    let saved = run.save(item)?;
    Ok(created(run, &saved.item, saved.rev, flag(request, "compact", false)))
}

/// The reply for a new item.
fn created(run: &Run, item: &Item, rev: u64, compact: bool) -> Answer {
    let mut result = json!({});
    result[format!("{}_id", item.kind.as_str())] = json!(item.id);
    result[item.kind.as_str()] = shape::item(item, rev, compact);
    let answer = Answer::about(&item.id, result);
    if run.preview {
        return answer;
    }
    answer.suggest(suggest::list([
        suggest::normal("focus_set", "Makes it the target of calls without one.", json!({"task": item.id})),
        suggest::normal("radar", "Shows what to do first.", json!({item.kind.as_str(): item.id})),
    ]))
}

fn bad_kind(request: &Object) -> Error {
    fail("INVALID_KIND", format!("'kind' is {}; it must be plan or task.", request["kind"]))
        .hint("Send plan or task.")
}

/// The plan a new task goes under; it must exist.
fn parent(run: &Run, request: &Object) -> Result<String> {
    let Some(id) = args::id(request, "parent", "INVALID_PARENT")? else {
        let mut suggestions = suggest::pick_a_target(run.view(), run.workspace())?;
        suggestions.extend(suggest::normal(
            "create",
            "A plan for the task to go under.",
            json!({"kind": "plan", "title": "New plan"}),
        ));
        return Err(fail("MISSING_PARENT", "A task needs 'parent': the plan it belongs to.")
            .hint("Pass the id of a plan; create one first if there is none.")
            .suggest(suggestions));
    };
    existing_parent(run, id)
}

pub fn existing_parent(run: &Run, id: &str) -> Result<String> {
    if ItemKind::of_id(id) != ItemKind::Plan {
        return Err(fail("INVALID_PARENT", format!("{id} is not the id of a plan."))
            .hint("Only plans hold tasks: pass a PLAN id.")
            .suggest(suggest::pick_a_target(run.view(), run.workspace())?));
    }
    match store::summary(run.view(), run.workspace(), id)? {
        Some(_) => Ok(id.to_string()),
        None => Err(fail("PARENT_NOT_FOUND", format!("There is no plan {id}."))
            .hint("List the plans with context(include_all=true).")
            .result(json!({"parent": id}))
            .suggest(suggest::pick_a_target(run.view(), run.workspace())?)),
    }
}

fn bad(at: &str, problem: &str) -> Error {
    fail("INVALID_STEPS", format!("{at}: {problem}"))
        .hint("A step is {title, success_criteria (not empty), tests?, blockers?, plan?}.")
}

/// A list of step trees from a request.
pub fn parse_steps(value: &Value, now: Timestamp) -> Result<Vec<Step>> {
    steps_at(value, "steps", now, 1)
}

fn objects<'a>(value: &'a Value, at: &str) -> Result<Vec<&'a Object>> {
    let Some(items) = value.as_array() else {
        return Err(bad(at, &format!("must be a list, but is {}.", type_name(value))));
    };
    if items.len() > MAX_LIST {
        return Err(bad(at, &format!("has {} entries; at most {MAX_LIST}.", items.len())));
    }
    let object = |(i, v): (usize, &'a Value)| {
        v.as_object().ok_or_else(|| bad(&format!("{at}[{i}]"), "must be an object."))
    };
    items.iter().enumerate().map(object).collect()
}

fn steps_at(value: &Value, at: &str, now: Timestamp, depth: usize) -> Result<Vec<Step>> {
    if depth > MAX_DEPTH {
        return Err(bad(at, &format!("is nested deeper than {MAX_DEPTH} levels.")));
    }
    let nodes = objects(value, at)?;
    nodes.iter().enumerate().map(|(i, node)| step_at(node, &format!("{at}[{i}]"), now, depth)).collect()
}

/// As a title argument, but reported as a bad step.
fn title_at(node: &Object, at: &str) -> Result<String> {
    args::title(node).map_err(|e| bad(at, &e.message))
}

fn list_at(node: &Object, key: &str, at: &str) -> Result<Vec<String>> {
    args::list(node, key, "INVALID_STEPS").map(Option::unwrap_or_default).map_err(|e| bad(at, &e.message))
}

fn prose_at(node: &Object, key: &str, at: &str) -> Result<String> {
    args::prose(node, key, "INVALID_STEPS").map(Option::unwrap_or_default).map_err(|e| bad(at, &e.message))
}

fn step_at(node: &Object, at: &str, now: Timestamp, depth: usize) -> Result<Step> {
    if has(node, "steps") {
        return Err(bad(at, "'steps' do not go directly into a step; put them below plan.tasks[].steps."));
    }
    let title = title_at(node, at)?;
    let success_criteria = list_at(node, "success_criteria", at)?;
    if success_criteria.is_empty() {
        return Err(bad(at, "'success_criteria' must not be empty."));
    }
    let tests = list_at(node, "tests", at)?;
    let id = args::id(node, "id", "INVALID_STEPS").map_err(|e| bad(at, &e.message))?;
    let mut step = Step {
        id: id.unwrap_or_default().to_string(),
        title,
        success_criteria,
        gates: Gates::fresh(&tests),
        tests,
        blockers: list_at(node, "blockers", at)?,
        required_checkpoints: list_at(node, "required_checkpoints", at)?,
        created_at: Some(minute(now)),
        verification_outcome: redact::text(&prose_at(node, "verification_outcome", at)?).0,
        ..Step::default()
    };
    if let Some(checks) = node.get("verification_checks").filter(|v| !v.is_null()) {
        step.verification_checks = evidence::parse_checks(checks, now)?;
    }
    if let Some(attachments) = node.get("attachments").filter(|v| !v.is_null()) {
        step.attachments = evidence::parse_attachments(attachments, now)?;
    }
    if let Some(plan) = node.get("plan").filter(|v| !v.is_null()) {
        let at = format!("{at}.plan");
        let plan = plan.as_object().ok_or_else(|| bad(&at, "must be an object."))?;
        step.plan = plan_at(plan, &at, now, depth)?;
    }
    Ok(step)
}

fn plan_at(node: &Object, at: &str, now: Timestamp, depth: usize) -> Result<PlanNode> {
    let tests = list_at(node, "tests", at)?;
    let mut plan = PlanNode {
        title: prose_at(node, "title", at)?,
        doc: prose_at(node, "doc", at)?,
        success_criteria: list_at(node, "success_criteria", at)?,
        gates: Gates::fresh(&tests),
        tests,
        blockers: list_at(node, "blockers", at)?,
        steps: list_at(node, "steps", at)?,
        ..PlanNode::default()
    };
    let last = plan.steps.len() as i64;
    plan.current = node.get("current").and_then(args::integer).unwrap_or(0).clamp(0, last);
    if let Some(attachments) = node.get("attachments").filter(|v| !v.is_null()) {
        plan.attachments = evidence::parse_attachments(attachments, now)?;
    }
    if let Some(tasks) = node.get("tasks").filter(|v| !v.is_null()) {
        let at = format!("{at}.tasks");
        for (i, task) in objects(tasks, &at)?.into_iter().enumerate() {
            plan.tasks.push(node_at(task, &format!("{at}[{i}]"), now, depth)?);
        }
    }
    Ok(plan)
}

fn node_at(node: &Object, at: &str, now: Timestamp, depth: usize) -> Result<TaskNode> {
    let mut task = node_fields(node, now).map_err(|e| bad(at, &e.message))?;
    if let Some(steps) = node.get("steps").filter(|v| !v.is_null()) {
        task.steps = steps_at(steps, &format!("{at}.steps"), now, depth + 1)?;
    }
    Ok(task)
}

/// A task node from a request, without its steps. Saying DONE is saying so by hand.
pub fn node_fields(node: &Object, now: Timestamp) -> Result<TaskNode> {
    let title = args::title(node)?;
    let status = args::status(node, "status")?;
    let list = |key| args::list(node, key, "INVALID_FIELDS").map(Option::unwrap_or_default);
    let prose = |key| args::prose(node, key, "INVALID_FIELDS").map(Option::unwrap_or_default);
    let tests = list("tests")?;
    Ok(TaskNode {
        id: args::id(node, "id", "INVALID_FIELDS")?.unwrap_or_default().to_string(),
        title,
        status: status.unwrap_or_default(),
        status_manual: flag(node, "status_manual", status == Some(Status::Done)),
        priority: args::priority(node)?.unwrap_or_else(default_priority),
        description: prose("description")?,
        context: prose("context")?,
        success_criteria: list("success_criteria")?,
        gates: Gates::fresh(&tests),
        tests,
        dependencies: list("dependencies")?,
        next_steps: list("next_steps")?,
        problems: list("problems")?,
        risks: list("risks")?,
        blocked: flag(node, "blocked", false),
        blockers: list("blockers")?,
        attachments: match node.get("attachments").filter(|v| !v.is_null()) {
            Some(value) => evidence::parse_attachments(value, now)?,
            None => Vec::new(),
        },
        ..TaskNode::default()
    })
}
