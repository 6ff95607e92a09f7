//! patch: a list of small, allow-listed changes to an item, a step or a task node; all or nothing.
//!
//! [`apply`] works in memory, so that closing a task and the runway can try a patch without writing it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::core::{Error, Result, Timestamp, View};

use super::args::{self, flag, has, text};
use super::contract::version_if_changed;
use super::fail::{Envelope, fail};
use super::fields::{self, Changed, PLAN_ONLY, Part, field_type};
use super::model::{Gate, Item, Object};
use super::path::Path;
use super::run::{Answer, NODE, Run, STEP};
use super::store::clip;
use super::{deps, shape, state};

const MAX_TEXT: usize = 200;
const MAX_ITEMS: usize = 20;

/// What a patch did to an item.
pub struct Applied {
    pub part: Part,
    pub path: Option<Path>,
    pub changes: Vec<Changed>,
    /// The contract (text, data or criteria) of the item changed.
    pub contract_touched: bool,
}

impl Applied {
    pub fn updated(&self) -> Vec<String> {
        let mut names: Vec<_> = self.changes.iter().map(|c| c.field.clone()).collect();
        names.sort();
        names
    }

    /// As close_task lists it.
    pub fn summary(&self, index: usize) -> Value {
        let mut out = json!({"kind": self.part.as_str()});
        if let Some(path) = &self.path {
            out["path"] = json!(path.to_string());
        }
        out["updated_fields"] = json!(self.updated());
        out["contract_touched"] = json!(self.contract_touched);
        out["index"] = json!(index);
        out
    }
}

fn operations(request: &Object) -> Result<Vec<&Object>> {
    let value = ["ops", "operations"].iter().find_map(|k| request.get(*k)).filter(|v| !v.is_null());
    let Some(value) = value else {
        return Err(fail("MISSING_OPS", "'ops' is required: what to change.")
            .hint("Send [{\"op\":\"set\",\"field\":\"description\",\"value\":\"...\"}]."));
    };
    let Some(list) = value.as_array() else {
        return Err(fail("INVALID_OPS", "'ops' must be a list of operations."));
    };
    if list.is_empty() {
        return Err(fail("MISSING_OPS", "'ops' must not be empty."));
    }
    if list.len() > args::MAX_LIST {
        return Err(fail("INVALID_OPS", format!("{} ops; at most {}.", list.len(), args::MAX_LIST)));
    }
    let object = |v: &'_ Value| v.is_object();
    if !list.iter().all(object) {
        return Err(fail("INVALID_OPS", "Every entry of 'ops' must be an object."));
    }
    Ok(list.iter().filter_map(Value::as_object).collect())
}

/// Given, else by what addresses the node.
fn part(request: &Object, item: &Item) -> Result<Part> {
    let path = text(request, "path").unwrap_or_default();
    let leaf = path.rsplit('.').next().unwrap_or_default();
    let part = match text(request, "kind").map(str::to_lowercase).as_deref() {
        Some("task_detail") => Part::Detail,
        Some("plan") if item.is_plan() => Part::Detail,
        Some("step") => Part::Step,
        Some("task") => Part::Node,
        Some(other) => {
            return Err(fail("INVALID_KIND", format!("'{other}' cannot be patched."))
                .hint("Use task_detail, step or task."));
        }
        None if has(request, "task_node_id") || leaf.starts_with("t:") => Part::Node,
        None if has(request, "step_id") || !path.is_empty() => Part::Step,
        None => Part::Detail,
    };
    if part != Part::Detail && item.is_plan() {
        return Err(fail("NOT_A_TASK", format!("{} is a plan; it has no steps.", item.id))
            .hint("Patch the plan itself with kind=task_detail.")
            .result(json!({"task": item.id})));
    }
    Ok(part)
}

fn to_object<T: Serialize>(value: &T) -> Result<Object> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(Error::internal("An item cannot be shown as an object.")),
    }
}

fn from_object<T: DeserializeOwned>(object: Object) -> Result<T> {
    serde_json::from_value(Value::Object(object))
        .map_err(|e| Error::internal(format!("A patched item cannot be read back: {e}.")))
}

fn changed<T: Serialize + DeserializeOwned>(
    target: &T,
    part: Part,
    ops: &[&Object],
) -> Result<(T, Vec<Changed>)> {
    let before = to_object(target)?;
    let mut after = before.clone();
    for op in ops {
        fields::apply(&mut after, part, op)?;
    }
    let mut changes: Vec<Changed> = Vec::new();
    for op in ops {
        let field = op.get("field").and_then(Value::as_str).unwrap_or_default().trim();
        let Some(kind) = field_type(part, field) else { continue };
        let (old, new) = (fields::read(&before, field, kind), fields::read(&after, field, kind));
        if old != new && !changes.iter().any(|c| c.field == field) {
            changes.push(Changed { field: field.to_string(), kind, before: old, after: new });
        }
    }
    Ok((from_object(after)?, changes))
}

/// Applies a patch request to an item in memory; an error leaves the item as it was.
pub fn apply(
    view: &dyn View,
    workspace: &str,
    item: &mut Item,
    request: &Object,
    now: Timestamp,
) -> Result<Applied> {
    let ops = operations(request)?;
    let part = part(request, item)?;
    let touches = |field: &str| {
        ops.iter().any(|op| op.get("field").and_then(Value::as_str).map(str::trim) == Some(field))
    };
    if part == Part::Detail
        && !item.is_plan()
        && let Some(field) = PLAN_ONLY.into_iter().find(|f| touches(f))
    {
        return Err(fail("NOT_A_PLAN", format!("'{field}' belongs to plans; {} is a task.", item.id))
            .result(json!({"task": item.id, "field": field})));
    }
    match part {
        Part::Detail => {
            let (mut next, changes) = changed::<Item>(item, part, &ops)?;
            if next.depends_on != item.depends_on {
                next.depends_on = deps::checked(view, workspace, &item.id, next.depends_on)?;
            }
            if next.success_criteria != item.success_criteria {
                next.gates.reset(Gate::Criteria, false);
            }
            if next.tests != item.tests {
                next.gates.reset(Gate::Tests, next.tests.is_empty());
            }
            if next.plan_current != item.plan_current || next.plan_steps != item.plan_steps {
                next.status_manual = false;
            }
            let touched = next.contract != item.contract
                || next.contract_data != item.contract_data
                || next.success_criteria != item.success_criteria;
            if next.is_plan() {
                version_if_changed(&mut next, Some(item), "patch", now);
            }
            *item = next;
            Ok(Applied { part, path: None, changes, contract_touched: touched })
        }
        Part::Step => {
            let path = STEP.resolve(request, item)?;
            // Just resolved.
            let step = path.step_mut(item).expect("resolved step");
            let (mut next, changes) = changed(step, part, &ops)?;
            if next.success_criteria != step.success_criteria {
                next.gates.reset(Gate::Criteria, false);
            }
            if next.tests != step.tests {
                next.gates.reset(Gate::Tests, next.tests.is_empty());
            }
            if !changes.is_empty() {
                next.reopen();
            }
            *step = next;
            Ok(Applied { part, path: Some(path), changes, contract_touched: false })
        }
        Part::Node => {
            let path = NODE.resolve(request, item)?;
            // Just resolved.
            let node = path.node_mut(item).expect("resolved node");
            let (mut next, changes) = changed(node, part, &ops)?;
            if next.success_criteria != node.success_criteria {
                next.gates.reset(Gate::Criteria, false);
            }
            if next.tests != node.tests {
                next.gates.reset(Gate::Tests, next.tests.is_empty());
            }
            if touches("status") && !touches("status_manual") {
                next.status_manual = true;
            }
            *node = next;
            Ok(Applied { part, path: Some(path), changes, contract_touched: false })
        }
    }
}

/// A value as a diff shows it, and what was cut.
fn cut(value: &Value) -> (Value, Value) {
    match value {
        Value::String(s) => {
            let total = s.chars().count();
            (json!(clip(s, MAX_TEXT)), json!({"total_chars": total, "truncated": total > MAX_TEXT}))
        }
        Value::Array(list) => {
            let shown: Vec<_> = list.iter().take(MAX_ITEMS).map(|v| cut(v).0).collect();
            (json!(shown), json!({"total_items": list.len(), "truncated": list.len() > MAX_ITEMS}))
        }
        other => (other.clone(), json!({"truncated": false})),
    }
}

/// Status, progress and blocked where they differ, and every changed field.
pub fn diff(before: &Item, after: &Item, changes: &[Changed]) -> Value {
    let mut states = json!({});
    let mut state = |key: &str, from: Value, to: Value| {
        if from != to {
            states[key] = json!({"from": from, "to": to});
        }
    };
    for key in ["status", "lifecycle_status"] {
        state(key, json!(before.status.as_str()), json!(after.status.as_str()));
    }
    state("progress", json!(before.progress), json!(after.progress));
    state("blocked", json!(before.blocked), json!(after.blocked));
    let fields = changes.iter().map(|c| {
        let ((from, from_meta), (to, to_meta)) = (cut(&c.before), cut(&c.after));
        json!({"field": c.field, "type": c.kind.as_str(), "before": from, "after": to,
            "before_meta": from_meta, "after_meta": to_meta})
    });
    let fields: Vec<_> = fields.collect();
    json!({"state": states, "fields": fields})
}

/// The patched node (or item) with the item's state beside it.
fn snapshot(item: &Item, rev: u64, applied: &Applied, compact: bool) -> Value {
    let path = applied.path.as_ref().map(ToString::to_string).unwrap_or_default();
    let node = match (applied.part, &applied.path) {
        (Part::Step, Some(p)) => p.step(item).map(|s| ("step", shape::step(s, &path, compact, true))),
        (Part::Node, Some(p)) => p.node(item).map(|n| ("task_node", shape::node(n, &path, compact))),
        _ => None,
    };
    let mut out = match &node {
        Some((_, shown)) => shown.clone(),
        None => shape::item(item, rev, compact),
    };
    if let Some((key, shown)) = node {
        out[key] = shown;
    }
    out["state"] = json!({"status": item.status.as_str(), "lifecycle_status": item.status.as_str(),
        "progress": item.progress, "blocked": item.blocked});
    out
}

pub fn patch(run: &mut Run, request: &Object) -> Result<Answer> {
    operations(request)?;
    let before = run.item(request)?;
    let mut item = before.item.clone();
    let applied = apply(run.view(), run.workspace(), &mut item, request, run.ctx.now)?;
    let compact = flag(request, "compact", true);
    let mut result = json!({"task_id": item.id, "kind": applied.part.as_str()});
    if let Some(path) = &applied.path {
        result["path"] = json!(path.to_string());
    }
    result["updated_fields"] = json!(applied.updated());
    if run.preview {
        state::settle(&mut item, run.ctx.ids);
        let would = item != before.item;
        result["dry_run"] = json!(true);
        result["would_execute"] = json!(would);
        result["diff"] = diff(&before.item, &item, &applied.changes);
        result["current"] = snapshot(&before.item, before.rev, &applied, compact);
        let computed = snapshot(&item, before.rev, &applied, compact);
        result["computed"] = computed.clone();
        result["after"] = computed;
        if would {
            run.save(item)?;
        }
        return Ok(Answer::about(&before.item.id, result));
    }
    let unchanged = item == before.item;
    let saved = if unchanged { before } else { run.save(item)? };
    result[saved.item.kind.as_str()] = shape::item(&saved.item, saved.rev, compact);
    let shown = snapshot(&saved.item, saved.rev, &applied, compact);
    for key in ["step", "task_node"] {
        if let Some(node) = shown.get(key) {
            result[key] = node.clone();
        }
    }
    if unchanged {
        result["no_op"] = json!(true);
        return Ok(Answer::about(&saved.item.id, result).no_op());
    }
    Ok(Answer::about(&saved.item.id, result))
}
