//! decompose, define, note and block: what happens to steps besides closing them.

use serde_json::json;

use crate::core::{Result, redact};

use super::args::{self, flag, has, text};
use super::create::parse_steps;
use super::fail::{Envelope, fail};
use super::model::{Gate, Object};
use super::run::{Answer, PathArgs, Run, STEP};
use super::shape;

pub fn decompose(run: &mut Run, request: &Object) -> Result<Answer> {
    const PARENT: PathArgs = PathArgs {
        path: &["parent"],
        id: &["parent_task_node_id"],
        step: false,
        invalid_path: "INVALID_PARENT_PATH",
        invalid_id: "INVALID_PARENT_TASK_NODE_ID",
        unknown_id: "PARENT_TASK_NODE_ID_NOT_FOUND",
        absent: "PATH_NOT_FOUND",
    };
    let mut item = run.task(request)?.item;
    let steps = match request.get("steps").filter(|v| !v.is_null()) {
        None => return Err(fail("MISSING_STEPS", "'steps' is required: the steps to add.")),
        Some(value) => parse_steps(value, run.ctx.now)?,
    };
    if steps.is_empty() {
        return Err(fail("MISSING_STEPS", "'steps' must not be empty."));
    }
    let total = steps.len();
    if PARENT.given(request) {
        let path = PARENT.resolve(request, &item)?;
        // Resolved in this very item just above.
        path.node_mut(&mut item).expect("resolved node").steps.extend(steps);
    } else {
        item.steps.extend(steps);
    }
    let saved = run.save(item)?;
    let shown = shape::item(&saved.item, saved.rev, flag(request, "compact", false));
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "total_created": total, "task": shown}),
    ))
}

pub fn define(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let fields = ["title", "success_criteria", "tests", "blockers"];
    if !fields.iter().any(|f| has(request, f)) {
        return Err(fail("NO_FIELDS", "There is nothing to change.")
            .hint("Send title, success_criteria, tests or blockers.")
            .result(json!({"task": item.id, "path": path.to_string()})));
    }
    let title = if has(request, "title") { Some(args::title(request)?) } else { None };
    let criteria = args::list(request, "success_criteria", "INVALID_FIELDS")?;
    if criteria.as_ref().is_some_and(Vec::is_empty) {
        return Err(fail("MISSING_CRITERIA", "A step needs at least one success criterion."));
    }
    let tests = args::list(request, "tests", "INVALID_FIELDS")?;
    let blockers = args::list(request, "blockers", "INVALID_FIELDS")?;
    // Resolved in this very item just above.
    let step = path.step_mut(&mut item).expect("resolved step");
    let before = step.clone();
    if let Some(title) = title {
        step.title = title;
    }
    if let Some(list) = criteria.filter(|list| *list != before.success_criteria) {
        step.success_criteria = list;
        step.gates.reset(Gate::Criteria, false);
    }
    if let Some(list) = tests.filter(|list| *list != before.tests) {
        step.gates.reset(Gate::Tests, list.is_empty());
        step.tests = list;
    }
    if let Some(list) = blockers {
        step.blockers = list;
    }
    if *step != before {
        step.reopen();
    }
    let updated: Vec<_> = fields.into_iter().filter(|f| has(request, f)).collect();
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    // The same path in the same tree.
    let step = path.step(&saved.item).expect("resolved step");
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(), "updated": updated,
            "step": shape::step(step, &path.to_string(), compact, true),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    ))
}

pub fn note(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let Some(note) = text(request, "note") else {
        return Err(fail("MISSING_NOTE", "'note' is required.").hint("Say in 'note' what was done."));
    };
    let note = redact::text(note).0;
    let now = run.ctx.now;
    // Resolved in this very item just above.
    let step = path.step_mut(&mut item).expect("resolved step");
    step.progress_notes.push(note.clone());
    step.start(now);
    let (total, status) = (step.progress_notes.len(), step.computed_status());
    let saved = run.save(item)?;
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(), "note": note, "total_notes": total,
            "computed_status": status, "revision": saved.rev}),
    ))
}

pub fn block(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let blocked = flag(request, "blocked", true);
    let reason = if blocked { text(request, "reason").unwrap_or_default() } else { "" };
    let reason = redact::text(reason).0;
    // Resolved in this very item just above.
    let step = path.step_mut(&mut item).expect("resolved step");
    step.blocked = blocked;
    step.block_reason = reason.clone();
    let status = step.computed_status();
    let saved = run.save(item)?;
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(), "blocked": blocked, "reason": reason,
            "computed_status": status, "revision": saved.rev}),
    ))
}
