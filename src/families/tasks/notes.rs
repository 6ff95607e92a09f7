//! What a task says about how the work went: notes, reasons and outcomes, which are kept without secrets.
//!
//! Calls redact what they bring; this is for items that come whole, from a file.

use crate::core::redact;

use super::model::{CheckpointKind, CheckpointSet, TaskItem, TaskNode, TaskStep};

/// Takes secrets out of every note of an item and of everything below it.
pub fn clean(item: &mut TaskItem) {
    clean_gates(&mut item.gates);
    item.steps.iter_mut().for_each(clean_step);
}

fn clean_step(step: &mut TaskStep) {
    step.progress_notes.iter_mut().for_each(clean_text);
    clean_text(&mut step.block_reason);
    clean_text(&mut step.verification_outcome);
    for check in &mut step.verification_checks {
        clean_text(&mut check.spec);
        clean_text(&mut check.preview);
    }
    clean_gates(&mut step.gates);
    clean_gates(&mut step.plan.gates);
    step.plan.tasks.iter_mut().for_each(clean_node);
}

fn clean_node(node: &mut TaskNode) {
    clean_gates(&mut node.gates);
    node.steps.iter_mut().for_each(clean_step);
}

fn clean_gates(gates: &mut CheckpointSet) {
    for gate in CheckpointKind::ALL {
        gates.of_mut(gate).notes.iter_mut().for_each(clean_text);
    }
}

fn clean_text(text: &mut String) {
    let (shown, found) = redact::text(text);
    if found > 0 {
        *text = shown;
    }
}
