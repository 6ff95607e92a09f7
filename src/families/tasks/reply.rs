//! How items look in replies: brief after a write, compact in lists, full for whoever asks. [`nodes`] are what is in them.
//!
//! Brief and compact leave out whatever is empty or false. The full shape holds every key of the compact one and every
//! field, so a client of either version of the contract finds what it reads.

mod nodes;

use serde::Serialize;
use serde_json::Value;

use super::model::{CheckpointKind, CheckpointSet, ItemKind, Object, TaskItem};
use super::rows::{ItemSummary, clip};

pub use nodes::{NodeShown, node, node_shown, plan, step, step_shown, steps};

/// An item as a reply shows it.
pub type ItemShown = Object;

/// Characters of a title in a brief reply.
const TITLE: usize = 80;

/// Whom a failure is about.
#[derive(Serialize)]
pub struct AtPath<'a> {
    pub task: &'a str,
    pub path: &'a str,
}

/// `{task_id, task}` or `{plan_id, plan}`.
#[derive(Serialize)]
pub struct NamedItem<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<&'a str>,
    #[serde(flatten)]
    item: KeyedItem,
}

impl<'a> NamedItem<'a> {
    pub fn new(item: &'a TaskItem, rev: u64, compact: bool) -> Self {
        let is = |kind| Some(item.id.as_str()).filter(|_| item.kind == kind);
        NamedItem {
            task_id: is(ItemKind::Task),
            plan_id: is(ItemKind::Plan),
            item: KeyedItem::new(item, rev, compact),
        }
    }
}

/// `{task}` or `{plan}`.
#[derive(Serialize)]
pub struct KeyedItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<ItemShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<ItemShown>,
}

impl KeyedItem {
    pub fn new(of: &TaskItem, rev: u64, compact: bool) -> Self {
        KeyedItem::shown(of.kind, item(of, rev, compact))
    }

    pub fn shown(kind: ItemKind, shown: ItemShown) -> Self {
        match kind {
            ItemKind::Task => KeyedItem { task: Some(shown), plan: None },
            ItemKind::Plan => KeyedItem { task: None, plan: Some(shown) },
        }
    }
}

/// Where a step is and what it is called.
#[derive(Serialize)]
pub struct StepId {
    path: String,
    id: String,
    title: String,
}

/// The first so many steps of an item, nested ones included.
pub fn step_ids(item: &TaskItem, most: usize) -> Vec<StepId> {
    let steps = item.walk().into_iter().take(most);
    steps.map(|(path, s)| StepId { path, id: s.id.clone(), title: clip(&s.title, TITLE) }).collect()
}

fn put(out: &mut Object, key: &str, value: impl Into<Value>) {
    out.insert(key.to_string(), value.into());
}

/// Where it says something.
fn put_some(out: &mut Object, key: &str, value: impl Into<Value>) {
    let value = value.into();
    let empty = match &value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    };
    if !empty {
        put(out, key, value);
    }
}

fn json<T: Serialize>(value: &T) -> Value {
    // Rows are plain data: there is nothing in them that JSON cannot hold.
    serde_json::to_value(value).unwrap_or_default()
}

fn flags(out: &mut Object, gates: &CheckpointSet, compact: bool) {
    let put = |out: &mut Object, key: &str, set: bool| {
        if set || !compact {
            put(out, key, set);
        }
    };
    put(out, "criteria_confirmed", gates.confirmed(CheckpointKind::Criteria));
    put(out, "tests_confirmed", gates.confirmed(CheckpointKind::Tests));
    put(out, "criteria_auto_confirmed", gates.auto(CheckpointKind::Criteria));
    put(out, "tests_auto_confirmed", gates.auto(CheckpointKind::Tests));
    put(out, "security_confirmed", gates.confirmed(CheckpointKind::Security));
    put(out, "perf_confirmed", gates.confirmed(CheckpointKind::Perf));
    put(out, "docs_confirmed", gates.confirmed(CheckpointKind::Docs));
}

fn notes_and_refs(out: &mut Object, gates: &CheckpointSet) {
    for gate in CheckpointKind::ALL {
        put(out, &format!("{}_notes", gate.as_str()), gates.of(gate).notes.clone());
        put(out, &format!("{}_evidence_refs", gate.as_str()), gates.of(gate).evidence.clone());
    }
}

#[derive(Serialize)]
struct CheckpointShown {
    confirmed: bool,
    auto_confirmed: bool,
    notes_count: usize,
    evidence_refs_count: usize,
}

/// The five checkpoints as verify, done and progress report them.
pub fn checkpoints(gates: &CheckpointSet) -> Object {
    let shown = CheckpointKind::ALL.into_iter().map(|gate| {
        let c = gates.of(gate);
        let shown = CheckpointShown {
            confirmed: c.confirmed,
            auto_confirmed: c.auto,
            notes_count: c.notes.len(),
            evidence_refs_count: c.evidence.len(),
        };
        (gate.as_str().to_string(), json(&shown))
    });
    shown.collect()
}

/// The same in a short reply: criteria and tests always, another checkpoint where something is known about it.
pub fn brief_checkpoints(all: &Object) -> Object {
    let says = |value: &Value| *value != Value::Bool(false) && *value != 0;
    let brief = |(name, shown): (&String, &Value)| {
        let mut shown = shown.as_object().cloned().unwrap_or_default();
        shown.retain(|key, value| key == "confirmed" || says(value));
        let always =
            [CheckpointKind::Criteria.as_str(), CheckpointKind::Tests.as_str()].contains(&name.as_str());
        let known = shown.values().any(says);
        (always || known).then(|| (name.clone(), Value::Object(shown)))
    };
    all.iter().filter_map(brief).collect()
}

/// An item as lists show it.
pub fn compact(s: &ItemSummary) -> ItemShown {
    summary(s, true)
}

fn summary(s: &ItemSummary, compact: bool) -> ItemShown {
    let mut out = Object::new();
    put(&mut out, "id", s.id.clone());
    put(&mut out, "kind", s.kind.as_str());
    put(&mut out, "title", s.title.clone());
    put(&mut out, "revision", s.revision);
    put(&mut out, "status", s.status.as_str());
    put(&mut out, "status_code", s.status.as_str());
    put(&mut out, "progress", s.progress);
    if s.kind == ItemKind::Plan {
        put_some(&mut out, "contract_preview", s.contract_preview.clone());
        put(&mut out, "contract_versions_count", s.contract_versions);
    }
    flags(&mut out, &s.gates, compact);
    put_some(&mut out, "domain", s.domain.clone());
    put_some(&mut out, "parent", s.parent.clone());
    put_some(&mut out, "blocked", s.blocked);
    put_some(&mut out, "exclusive", s.exclusive);
    match s.kind {
        ItemKind::Task => put(&mut out, "steps_count", s.steps_total),
        ItemKind::Plan => {
            if s.plan_total > 0 {
                put(&mut out, "plan_progress", format!("{}/{}", s.plan_current, s.plan_total));
            }
            put_some(&mut out, "plan_doc_preview", s.plan_doc_preview.clone());
        }
    }
    out
}

/// What a write answers about its item: the compact form with a title that is never long.
fn brief(item: &TaskItem, revision: u64) -> ItemShown {
    let mut out = compact(&ItemSummary::of(item, revision));
    put(&mut out, "title", clip(&item.title, TITLE));
    // True of every item without tests of its own.
    out.shift_remove("tests_auto_confirmed");
    out
}

/// An item with everything, steps included.
pub fn full(item: &TaskItem, revision: u64) -> ItemShown {
    let mut out = summary(&ItemSummary::of(item, revision), false);
    put(&mut out, "domain", item.domain.clone());
    put(&mut out, "created_at", item.created.clone());
    put(&mut out, "updated_at", item.updated.clone());
    put(&mut out, "priority", item.priority.clone());
    put(&mut out, "phase", item.phase.clone());
    put(&mut out, "component", item.component.clone());
    put(&mut out, "parent", item.parent.clone());
    put(&mut out, "status_manual", item.status_manual);
    put(&mut out, "tags", item.tags.clone());
    put(&mut out, "assignee", item.assignee.clone());
    put(&mut out, "blocked", item.blocked);
    put(&mut out, "blockers", item.blockers.clone());
    put(&mut out, "description", item.description.clone());
    put(&mut out, "context", item.context.clone());
    put(&mut out, "contract", item.contract.clone());
    put(&mut out, "contract_data", item.contract_data.clone());
    put(&mut out, "contract_versions_count", item.contract_versions.len());
    put(&mut out, "attachments", json(&item.attachments));
    put(&mut out, "depends_on", item.depends_on.clone());
    put(&mut out, "success_criteria", item.success_criteria.clone());
    put(&mut out, "tests", item.tests.clone());
    notes_and_refs(&mut out, &item.gates);
    put(&mut out, "dependencies", item.dependencies.clone());
    put(&mut out, "next_steps", item.next_steps.clone());
    put(&mut out, "problems", item.problems.clone());
    put(&mut out, "risks", item.risks.clone());
    put(&mut out, "history", item.history.clone());
    let remote = item.extra.get("project_remote_updated").cloned().unwrap_or(Value::Null);
    put(&mut out, "project_remote_updated", remote);
    if item.is_plan() {
        put(&mut out, "plan", checklist(item));
    } else {
        put(&mut out, "steps", steps(&item.steps, "", false));
    }
    if !item.events.is_empty() {
        put(&mut out, "events", item.events.clone());
    }
    out
}

/// A plan's checklist.
pub fn checklist(item: &TaskItem) -> Object {
    let mut out = Object::new();
    put(&mut out, "steps", item.plan_steps.clone());
    put(&mut out, "current", item.plan_current);
    put(&mut out, "doc", item.plan_doc.clone());
    out
}

/// After a write: brief or full, by the caller's wish.
pub fn item(item: &TaskItem, revision: u64, compact: bool) -> ItemShown {
    if compact { brief(item, revision) } else { full(item, revision) }
}
