//! How steps, task nodes and the plans between them look in replies, each with its path and with what is below it.
//!
//! Brief, compact and full as items are; nothing here knows whose they are.

use super::super::model::{CheckpointKind, Object, PlanNode, TaskNode, TaskStep};
use super::super::rows::clip;
use super::{TITLE, flags, json, notes_and_refs, put, put_some};

/// A step or task node as a reply shows it.
pub type NodeShown = Object;

/// A step after a write: brief, or full with everything below it.
pub fn step(step: &TaskStep, path: &str, compact: bool) -> NodeShown {
    let mut out = step_shown(step, path, compact, !compact);
    if compact {
        put(&mut out, "title", clip(&step.title, TITLE));
    }
    out
}

/// The same for a task node.
pub fn node(node: &TaskNode, path: &str, compact: bool) -> NodeShown {
    let mut out = node_shown(node, path, compact, !compact);
    if compact {
        put(&mut out, "title", clip(&node.title, TITLE));
    }
    out
}

/// A list of steps below a prefix, nested ones included.
pub fn steps(list: &[TaskStep], prefix: &str, compact: bool) -> Vec<NodeShown> {
    let dot = if prefix.is_empty() { "" } else { "." };
    let shown = list.iter().enumerate();
    shown.map(|(i, s)| step_shown(s, &format!("{prefix}{dot}s:{i}"), compact, true)).collect()
}

pub fn step_shown(step: &TaskStep, path: &str, compact: bool, children: bool) -> NodeShown {
    let mut out = Object::new();
    put(&mut out, "path", path);
    put(&mut out, "id", step.id.clone());
    put(&mut out, "title", step.title.clone());
    put(&mut out, "completed", step.completed);
    flags(&mut out, &step.gates, compact);
    if compact {
        put_some(&mut out, "required_checkpoints", step.required_checkpoints.clone());
    } else {
        put(&mut out, "required_checkpoints", step.required_checkpoints.clone());
    }
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
        put(&mut out, "verification_checks", json(&step.verification_checks));
        put(&mut out, "verification_outcome", step.verification_outcome.clone());
        put(&mut out, "attachments", json(&step.attachments));
    }
    put(&mut out, "status", step.computed_status());
    put(&mut out, "computed_status", step.computed_status());
    if children && !step.plan.is_blank() && (!compact || !step.plan.tasks.is_empty()) {
        put(&mut out, "plan", plan(&step.plan, path, compact));
    }
    out
}

/// In the compact shape only checkpoints that have something to confirm are listed.
fn compact_needs(step: &TaskStep) -> Vec<String> {
    let shown = |need: &String| match CheckpointKind::parse(need) {
        Some(CheckpointKind::Criteria) => !step.success_criteria.is_empty(),
        Some(CheckpointKind::Tests) => !step.tests.is_empty(),
        Some(_) => true,
        None => false,
    };
    step.needs().into_iter().filter(shown).collect()
}

/// The plan a step owns.
pub fn plan(plan: &PlanNode, path: &str, compact: bool) -> NodeShown {
    let mut out = Object::new();
    put(&mut out, "title", plan.title.clone());
    if compact {
        put(&mut out, "steps_count", plan.steps.len());
    } else {
        put(&mut out, "doc", plan.doc.clone());
        put(&mut out, "success_criteria", plan.success_criteria.clone());
        put(&mut out, "tests", plan.tests.clone());
        put(&mut out, "blockers", plan.blockers.clone());
        put(&mut out, "steps", plan.steps.clone());
        put(&mut out, "attachments", json(&plan.attachments));
        notes_and_refs(&mut out, &plan.gates);
    }
    flags(&mut out, &plan.gates, compact);
    put(&mut out, "current", plan.current);
    let tasks = plan.tasks.iter().enumerate();
    let tasks: Vec<_> = tasks.map(|(i, t)| node_shown(t, &format!("{path}.t:{i}"), compact, true)).collect();
    put(&mut out, "tasks", tasks);
    out
}

pub fn node_shown(node: &TaskNode, path: &str, compact: bool, children: bool) -> NodeShown {
    let mut out = Object::new();
    put(&mut out, "path", path);
    put(&mut out, "id", node.id.clone());
    put(&mut out, "title", node.title.clone());
    put(&mut out, "status", node.status.as_str());
    put(&mut out, "status_code", node.status.as_str());
    put(&mut out, "progress", node.progress());
    flags(&mut out, &node.gates, compact);
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
        put(&mut out, "attachments", json(&node.attachments));
    }
    if children && (!node.steps.is_empty() || !compact) {
        put(&mut out, "steps", steps(&node.steps, path, compact));
    }
    out
}
