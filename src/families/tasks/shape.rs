//! How items, steps and nodes look in replies: compact and full. The full shape holds every key of the
//! compact one, so a client of either version of the contract finds what it reads.

use serde_json::{Value, json};

use super::model::{Gate, Gates, Item, ItemKind, PlanNode, Step, TaskNode};
use super::store::Summary;

fn put(out: &mut Value, key: &str, value: impl Into<Value>) {
    out[key] = value.into();
}

fn flags(out: &mut Value, gates: &Gates) {
    put(out, "criteria_confirmed", gates.criteria_confirmed);
    put(out, "tests_confirmed", gates.tests_confirmed);
    put(out, "criteria_auto_confirmed", gates.criteria_auto_confirmed);
    put(out, "tests_auto_confirmed", gates.tests_auto_confirmed);
    put(out, "security_confirmed", gates.security_confirmed);
    put(out, "perf_confirmed", gates.perf_confirmed);
    put(out, "docs_confirmed", gates.docs_confirmed);
}

fn notes_and_refs(out: &mut Value, gates: &Gates) {
    for gate in Gate::ALL {
        put(out, &format!("{}_notes", gate.as_str()), gates.notes(gate).clone());
        put(out, &format!("{}_evidence_refs", gate.as_str()), gates.refs(gate).clone());
    }
}

/// The five checkpoints as verify, done and progress report them.
pub fn checkpoints(gates: &Gates) -> Value {
    let mut out = json!({});
    for gate in Gate::ALL {
        out[gate.as_str()] = json!({
            "confirmed": gates.confirmed(gate),
            "auto_confirmed": gates.auto(gate),
            "notes_count": gates.notes(gate).len(),
            "evidence_refs_count": gates.refs(gate).len(),
        });
    }
    out
}

/// An item as lists show it.
pub fn compact(s: &Summary) -> Value {
    let mut out = json!({"id": s.id, "kind": s.kind.as_str(), "title": s.title, "revision": s.revision,
        "status": s.status.as_str(), "status_code": s.status.as_str(), "progress": s.progress});
    if s.kind == ItemKind::Plan {
        if !s.contract_preview.is_empty() {
            put(&mut out, "contract_preview", s.contract_preview.clone());
        }
        put(&mut out, "contract_versions_count", s.contract_versions);
    }
    flags(&mut out, &s.gates);
    if !s.domain.is_empty() {
        put(&mut out, "domain", s.domain.clone());
    }
    if let Some(parent) = &s.parent {
        put(&mut out, "parent", parent.clone());
    }
    if s.blocked {
        put(&mut out, "blocked", true);
    }
    match s.kind {
        ItemKind::Task => put(&mut out, "steps_count", s.steps_total),
        ItemKind::Plan => {
            if s.plan_total > 0 {
                put(&mut out, "plan_progress", format!("{}/{}", s.plan_current, s.plan_total));
            }
            if !s.plan_doc_preview.is_empty() {
                put(&mut out, "plan_doc_preview", s.plan_doc_preview.clone());
            }
        }
    }
    out
}

/// An item with everything, steps included.
pub fn full(item: &Item, revision: u64) -> Value {
    let mut out = compact(&Summary::of(item, revision));
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
    put(&mut out, "attachments", json!(item.attachments));
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
        let plan = json!({"steps": item.plan_steps, "current": item.plan_current, "doc": item.plan_doc});
        put(&mut out, "plan", plan);
    } else {
        put(&mut out, "steps", steps(&item.steps, "", false));
    }
    if !item.events.is_empty() {
        put(&mut out, "events", item.events.clone());
    }
    out
}

/// Compact or full, by the caller's wish.
pub fn item(item: &Item, revision: u64, compact_wanted: bool) -> Value {
    if compact_wanted { compact(&Summary::of(item, revision)) } else { full(item, revision) }
}

/// A list of steps below a prefix, nested ones included.
pub fn steps(list: &[Step], prefix: &str, compact: bool) -> Value {
    let dot = if prefix.is_empty() { "" } else { "." };
    let shown = list.iter().enumerate().map(|(i, s)| step(s, &format!("{prefix}{dot}s:{i}"), compact, true));
    Value::Array(shown.collect())
}

pub fn step(step: &Step, path: &str, compact: bool, children: bool) -> Value {
    let mut out = json!({"path": path, "id": step.id, "title": step.title, "completed": step.completed});
    flags(&mut out, &step.gates);
    put(&mut out, "required_checkpoints", step.required_checkpoints.clone());
    if compact {
        if !step.completed {
            put(&mut out, "ready", step.ready());
            let needs = compact_needs(step);
            if !needs.is_empty() {
                put(&mut out, "needs", needs);
            }
        }
        if step.blocked {
            put(&mut out, "blocked", true);
            put(&mut out, "block_reason", step.block_reason.clone());
        }
    } else {
        put(&mut out, "ready", step.ready());
        put(&mut out, "needs", step.needs());
        put(&mut out, "success_criteria", step.success_criteria.clone());
        put(&mut out, "tests", step.tests.clone());
        put(&mut out, "blockers", step.blockers.clone());
        notes_and_refs(&mut out, &step.gates);
        put(&mut out, "created_at", step.created_at.clone());
        put(&mut out, "started_at", step.started_at.clone());
        put(&mut out, "completed_at", step.completed_at.clone());
        put(&mut out, "progress_notes", step.progress_notes.clone());
        put(&mut out, "blocked", step.blocked);
        put(&mut out, "block_reason", step.block_reason.clone());
        put(&mut out, "verification_checks", json!(step.verification_checks));
        put(&mut out, "verification_outcome", step.verification_outcome.clone());
        put(&mut out, "attachments", json!(step.attachments));
    }
    put(&mut out, "status", step.computed_status());
    put(&mut out, "computed_status", step.computed_status());
    if children && !step.plan.is_blank() && (!compact || !step.plan.tasks.is_empty()) {
        put(&mut out, "plan", plan(&step.plan, path, compact));
    }
    out
}

/// In the compact shape only checkpoints that have something to confirm are listed.
fn compact_needs(step: &Step) -> Vec<String> {
    let shown = |need: &String| match Gate::parse(need) {
        Some(Gate::Criteria) => !step.success_criteria.is_empty(),
        Some(Gate::Tests) => !step.tests.is_empty(),
        Some(_) => true,
        None => false,
    };
    step.needs().into_iter().filter(shown).collect()
}

/// The plan a step owns.
pub fn plan(plan: &PlanNode, path: &str, compact: bool) -> Value {
    let mut out = json!({"title": plan.title});
    if compact {
        put(&mut out, "steps_count", plan.steps.len());
    } else {
        put(&mut out, "doc", plan.doc.clone());
        put(&mut out, "success_criteria", plan.success_criteria.clone());
        put(&mut out, "tests", plan.tests.clone());
        put(&mut out, "blockers", plan.blockers.clone());
        put(&mut out, "steps", plan.steps.clone());
        put(&mut out, "attachments", json!(plan.attachments));
        notes_and_refs(&mut out, &plan.gates);
    }
    flags(&mut out, &plan.gates);
    put(&mut out, "current", plan.current);
    let tasks = plan.tasks.iter().enumerate();
    let tasks: Vec<_> = tasks.map(|(i, t)| node(t, &format!("{path}.t:{i}"), compact)).collect();
    put(&mut out, "tasks", tasks);
    out
}

pub fn node(node: &TaskNode, path: &str, compact: bool) -> Value {
    let mut out = json!({"path": path, "id": node.id, "title": node.title, "status": node.status.as_str(),
        "status_code": node.status.as_str(), "progress": node.progress()});
    flags(&mut out, &node.gates);
    if node.blocked || !compact {
        put(&mut out, "blocked", node.blocked);
    }
    if !compact {
        put(&mut out, "status_manual", node.status_manual);
        put(&mut out, "done", node.is_done());
        put(&mut out, "priority", node.priority.clone());
        put(&mut out, "description", node.description.clone());
        put(&mut out, "context", node.context.clone());
        put(&mut out, "success_criteria", node.success_criteria.clone());
        put(&mut out, "tests", node.tests.clone());
        notes_and_refs(&mut out, &node.gates);
        put(&mut out, "dependencies", node.dependencies.clone());
        put(&mut out, "next_steps", node.next_steps.clone());
        put(&mut out, "problems", node.problems.clone());
        put(&mut out, "risks", node.risks.clone());
        put(&mut out, "blockers", node.blockers.clone());
        put(&mut out, "attachments", json!(node.attachments));
    }
    if !node.steps.is_empty() || !compact {
        put(&mut out, "steps", steps(&node.steps, path, compact));
    }
    out
}
