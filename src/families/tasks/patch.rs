//! A list of small, allow-listed changes to an item, a step or a task node; all or nothing.
//!
//! [`apply`] works in memory, so that closing a task and the runway can try a patch without writing it. The tool is
//! tools/patch.rs.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Error, Given, Result, Timestamp, View};

use super::address::Address;
use super::args::{self, Common, text};
use super::contract::version_if_changed;
use super::deps;
use super::errors::{EnvelopeParts, fail};
use super::fields::{self, ItemPart, PLAN_ONLY, PatchOp, Patched, field_type};
use super::model::{CheckpointKind, CheckpointSet, Object, TaskItem, TaskStatus};
use super::request::AboutTask;
use super::rows::clip;

const MAX_TEXT: usize = 200;
const MAX_ITEMS: usize = 20;

/// A patch as a call of its own, or as one of close_task's.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TasksPatchArgs {
    #[serde(flatten)]
    pub common: Common,
    pub kind: Given<String>,
    pub path: Given<String>,
    pub step_id: Given<String>,
    pub task_node_id: Given<String>,
    #[serde(deserialize_with = "args::without_nulls")]
    pub ops: Given<Vec<PatchOp>>,
    #[serde(deserialize_with = "args::without_nulls")]
    pub operations: Given<Vec<PatchOp>>,
}

/// What a patch did to an item.
pub struct Applied {
    pub part: ItemPart,
    pub path: Option<String>,
    pub changes: Vec<Patched>,
    /// The contract (text, data or criteria) of the item changed.
    pub contract_touched: bool,
}

/// As close_task lists it.
#[derive(Debug, Clone, Serialize)]
pub struct PatchResult {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    updated_fields: Vec<String>,
    contract_touched: bool,
    index: usize,
}

impl Applied {
    pub fn updated(&self) -> Vec<String> {
        let mut names: Vec<_> = self.changes.iter().map(|c| c.field.clone()).collect();
        names.sort();
        names
    }

    pub fn summary(&self, index: usize) -> PatchResult {
        PatchResult {
            kind: self.part.as_str(),
            path: self.path.clone(),
            updated_fields: self.updated(),
            contract_touched: self.contract_touched,
            index,
        }
    }
}

/// The operations of a patch: there are some, and not too many.
pub fn operations(patch: &TasksPatchArgs) -> Result<&[PatchOp]> {
    let given = if patch.ops.is_sent() { &patch.ops } else { &patch.operations };
    match given {
        Given::Absent => Err(fail("MISSING_OPS", "'ops' is required: what to change.")
            .hint("Send [{\"op\":\"set\",\"field\":\"description\",\"value\":\"...\"}].")),
        Given::Is(ops) if ops.is_empty() => Err(fail("MISSING_OPS", "'ops' must not be empty.")),
        Given::Is(ops) if ops.len() > args::MAX_LIST => {
            Err(fail("INVALID_OPS", format!("{} ops; at most {}.", ops.len(), args::MAX_LIST)))
        }
        Given::Is(ops) => Ok(ops),
        Given::Wrong(Value::Array(_)) => Err(fail("INVALID_OPS", "Every entry of 'ops' must be an object.")),
        Given::Wrong(_) => Err(fail("INVALID_OPS", "'ops' must be a list of operations.")),
    }
}

/// Given, else by what addresses the node.
fn part(patch: &TasksPatchArgs, item: &TaskItem) -> Result<ItemPart> {
    let path = text(&patch.path).unwrap_or_default();
    let leaf = path.rsplit('.').next().unwrap_or_default();
    let part = match text(&patch.kind).map(str::to_lowercase).as_deref() {
        Some("task_detail") => ItemPart::Detail,
        Some("plan") if item.is_plan() => ItemPart::Detail,
        Some("step") => ItemPart::Step,
        Some("task") => ItemPart::Node,
        Some(other) => {
            return Err(fail("INVALID_KIND", format!("'{other}' cannot be patched."))
                .hint("Use task_detail, step or task."));
        }
        None if patch.task_node_id.is_sent() || leaf.starts_with("t:") => ItemPart::Node,
        None if patch.step_id.is_sent() || !path.is_empty() => ItemPart::Step,
        None => ItemPart::Detail,
    };
    if part != ItemPart::Detail && item.is_plan() {
        return Err(fail("NOT_A_TASK", format!("{} is a plan; it has no steps.", item.id))
            .hint("Patch the plan itself with kind=task_detail.")
            .result(AboutTask { task: &item.id }));
    }
    Ok(part)
}

fn to_object<T: Serialize>(value: &T) -> Result<Object> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(Error::internal("An item cannot be shown as an object.")),
    }
}

fn changed<T: Serialize + DeserializeOwned>(
    target: &T,
    part: ItemPart,
    ops: &[PatchOp],
) -> Result<(T, Vec<Patched>)> {
    let before = to_object(target)?;
    let mut after = before.clone();
    for op in ops {
        fields::apply(&mut after, part, op)?;
    }
    let mut changes: Vec<Patched> = Vec::new();
    for field in ops.iter().filter_map(PatchOp::field) {
        let Some(kind) = field_type(part, field) else { continue };
        let (old, new) = (fields::read(&before, field, kind), fields::read(&after, field, kind));
        if old != new && !changes.iter().any(|c| c.field == field) {
            changes.push(Patched { field: field.to_string(), kind, before: old, after: new });
        }
    }
    let next = serde_json::from_value(Value::Object(after))
        .map_err(|e| Error::internal(format!("A patched item cannot be read back: {e}.")))?;
    Ok((next, changes))
}

/// What was confirmed about lists that are others now is void.
fn reset(gates: &mut CheckpointSet, criteria: bool, tests: Option<&[String]>) {
    if criteria {
        gates.reset(CheckpointKind::Criteria, false);
    }
    if let Some(tests) = tests {
        gates.reset(CheckpointKind::Tests, tests.is_empty());
    }
}

#[derive(Serialize)]
struct PlanField<'a> {
    task: &'a str,
    field: &'a str,
}

/// Applies a patch to an item in memory; an error leaves the item as it was.
pub fn apply(
    view: &dyn View,
    workspace: &str,
    item: &mut TaskItem,
    patch: &TasksPatchArgs,
    now: Timestamp,
) -> Result<Applied> {
    let ops = operations(patch)?;
    let part = part(patch, item)?;
    let touches = |field: &str| ops.iter().any(|op| op.field() == Some(field));
    match part {
        ItemPart::Detail => {
            if let Some(field) = PLAN_ONLY.into_iter().find(|f| touches(f)).filter(|_| !item.is_plan()) {
                return Err(fail(
                    "NOT_A_PLAN",
                    format!("'{field}' belongs to plans; {} is a task.", item.id),
                )
                .result(PlanField { task: &item.id, field }));
            }
            let (mut next, changes) = changed::<TaskItem>(item, part, ops)?;
            if next.depends_on != item.depends_on {
                next.depends_on = deps::checked(view, workspace, &item.id, next.depends_on)?;
            }
            let tests = Some(next.tests.clone()).filter(|tests| *tests != item.tests);
            reset(&mut next.gates, next.success_criteria != item.success_criteria, tests.as_deref());
            if next.plan_current != item.plan_current || next.plan_steps != item.plan_steps {
                next.status_manual = false;
            }
            let contract_touched = next.contract != item.contract
                || next.contract_data != item.contract_data
                || next.success_criteria != item.success_criteria;
            if next.is_plan() {
                version_if_changed(&mut next, Some(item), "patch", now);
            }
            *item = next;
            Ok(Applied { part, path: None, changes, contract_touched })
        }
        ItemPart::Step => {
            let path = Address::of_step(&patch.path, &patch.step_id).step(item)?;
            let step = path.step_mut(item)?;
            let (mut next, changes) = changed(step, part, ops)?;
            let tests = Some(next.tests.clone()).filter(|tests| *tests != step.tests);
            reset(&mut next.gates, next.success_criteria != step.success_criteria, tests.as_deref());
            if !changes.is_empty() {
                next.reopen();
            }
            *step = next;
            Ok(Applied { part, path: Some(path.to_string()), changes, contract_touched: false })
        }
        ItemPart::Node => {
            let path = Address::of_node(&patch.path, &patch.task_node_id).node(item)?;
            let node = path.node_mut(item)?;
            let (mut next, changes) = changed(node, part, ops)?;
            let tests = Some(next.tests.clone()).filter(|tests| *tests != node.tests);
            reset(&mut next.gates, next.success_criteria != node.success_criteria, tests.as_deref());
            if touches("status") && !touches("status_manual") {
                next.status_manual = true;
            }
            *node = next;
            Ok(Applied { part, path: Some(path.to_string()), changes, contract_touched: false })
        }
    }
}

/// What a side of a diff left out.
#[derive(Debug, Clone, Default, Serialize)]
struct CutMeta {
    #[serde(skip_serializing_if = "Option::is_none")]
    total_chars: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_items: Option<usize>,
    truncated: bool,
}

/// A value as a diff shows it, and what was cut.
fn cut(value: &Value) -> (Value, CutMeta) {
    match value {
        Value::String(s) => {
            let total = s.chars().count();
            let meta =
                CutMeta { total_chars: Some(total), truncated: total > MAX_TEXT, ..CutMeta::default() };
            (clip(s, MAX_TEXT).into(), meta)
        }
        Value::Array(list) => {
            let shown: Vec<Value> = list.iter().take(MAX_ITEMS).map(|v| cut(v).0).collect();
            let truncated = list.len() > MAX_ITEMS;
            (shown.into(), CutMeta { total_items: Some(list.len()), truncated, ..CutMeta::default() })
        }
        other => (other.clone(), CutMeta::default()),
    }
}

#[derive(Debug, Clone, Serialize)]
struct FromTo<T> {
    from: T,
    to: T,
}

impl<T: PartialEq> FromTo<T> {
    fn of(from: T, to: T) -> Option<FromTo<T>> {
        (from != to).then_some(FromTo { from, to })
    }
}

/// Where an item's state differs.
#[derive(Debug, Clone, Serialize)]
pub struct StateDiff {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<FromTo<TaskStatus>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifecycle_status: Option<FromTo<TaskStatus>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<FromTo<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked: Option<FromTo<bool>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct FieldDiff {
    field: String,
    r#type: &'static str,
    before: Value,
    after: Value,
    before_meta: CutMeta,
    after_meta: CutMeta,
}

/// Status, progress and blocked where they differ, and every changed field.
#[derive(Debug, Clone, Serialize)]
pub struct ItemDiff {
    pub state: StateDiff,
    pub fields: Vec<FieldDiff>,
}

pub fn diff(before: &TaskItem, after: &TaskItem, changes: &[Patched]) -> ItemDiff {
    let status = FromTo::of(before.status, after.status);
    let fields = changes.iter().map(|c| {
        let ((from, before_meta), (to, after_meta)) = (cut(&c.before), cut(&c.after));
        FieldDiff {
            field: c.field.clone(),
            r#type: c.kind.as_str(),
            before: from,
            after: to,
            before_meta,
            after_meta,
        }
    });
    ItemDiff {
        state: StateDiff {
            lifecycle_status: status.clone(),
            status,
            progress: FromTo::of(before.progress, after.progress),
            blocked: FromTo::of(before.blocked, after.blocked),
        },
        fields: fields.collect(),
    }
}
