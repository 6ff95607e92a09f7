//! done, close_step and progress: a step is completed when its checkpoints allow it, or by force.

use serde_json::{Value, json};

use crate::core::{Error, Result, redact};

use super::args::{flag, has, text};
use super::fail::{Envelope, fail};
use super::model::{Gate, Item, Object, Step};
use super::path::Path;
use super::run::{Answer, Loaded, Run, STEP};
use super::verify::{Target, confirm, event};
use super::{shape, suggest};

pub fn missing_reason(id: &str) -> Error {
    fail("MISSING_OVERRIDE_REASON", "'force' needs 'override_reason': why the rules do not apply here.")
        .hint("Say in 'override_reason' why this is closed by force.")
        .result(json!({"task": id}))
}

fn refused(item: &Item, path: &Path, step: &Step, before: &Value) -> Error {
    let needs = step.needs();
    let missing: Vec<_> = step.missing_gates().into_iter().map(Gate::as_str).collect();
    fail("GATING_FAILED", format!("{path} cannot be closed yet; it still needs: {}.", needs.join(", ")))
        .hint("Confirm the missing checkpoints with close_step, or resolve what blocks the step.")
        .result(json!({"task_id": item.id, "path": path.to_string(), "ready": false, "needs": needs,
            "missing_checkpoints": missing, "checkpoints_before": before, "checkpoints_after": before,
            "step": shape::step(step, &path.to_string(), true, false)}))
        .suggest(suggest::look_at(&item.id))
}

/// The shared second half: gate, note, completion, reply. `before` is the state before the call.
fn finish(
    run: &mut Run,
    request: &Object,
    mut item: Item,
    path: &Path,
    before: &Value,
    completed: bool,
) -> Result<Answer> {
    let force = flag(request, "force", false);
    let now = run.ctx.now;
    // The path was resolved in this very item.
    let step = path.step(&item).expect("resolved step");
    if completed && !force && !step.ready() {
        let stored = run.load(&item.id)?.map(|l| l.item);
        // What the caller gets to see is what is stored, with the needs that would remain.
        let mut shown = stored.as_ref().and_then(|i| path.step(i)).unwrap_or(step).clone();
        shown.gates = step.gates.clone();
        return Err(refused(&item, path, &shown, before));
    }
    let overridden = force && completed && !step.ready();
    // As above.
    let step = path.step_mut(&mut item).expect("resolved step");
    if let Some(note) = text(request, "note") {
        step.progress_notes.push(redact::text(note).0);
    }
    step.set_completed(completed, now);
    if overridden {
        let reason = text(request, "override_reason").unwrap_or_default();
        let data = json!({"action": if completed { "close_step" } else { "reopen" },
            "reason": redact::text(reason).0});
        event(&mut item, now, "override", &format!("step:{path}"), data);
    }
    let Loaded { item, rev } = run.save(item)?;
    let compact = flag(request, "compact", false);
    // The same path in the same tree.
    let step = path.step(&item).expect("resolved step");
    Ok(Answer::about(
        &item.id,
        json!({"task_id": item.id, "path": path.to_string(), "completed": step.completed,
            "checkpoints_before": before, "checkpoints_after": shape::checkpoints(&step.gates),
            "ready": step.ready(), "needs": step.needs(), "task": shape::item(&item, rev, compact),
            "step": shape::step(step, &path.to_string(), compact, true)}),
    ))
}

pub fn close_step(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    if flag(request, "force", false) && text(request, "override_reason").is_none() {
        return Err(missing_reason(&item.id));
    }
    let given = request.get("checkpoints").filter(|v| !v.is_null() && **v != json!({}));
    if given.is_none() {
        return Err(fail(
            "MISSING_CHECKPOINTS",
            "'checkpoints' is required: what is confirmed about the step.",
        )
        .hint("Send {\"criteria\":{\"confirmed\":true},\"tests\":{\"confirmed\":true}}.")
        .suggest(suggest::look_at(&item.id)));
    }
    let confirmed = confirm(run, &mut item, request, true)?;
    let Target::Step(path) = &confirmed.target else { return Err(Error::internal("Not a step.")) };
    finish(run, request, item, path, &confirmed.before, true)
}

pub fn done(run: &mut Run, request: &Object) -> Result<Answer> {
    if flag(request, "auto_verify", false) {
        return close_step(run, request);
    }
    let item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    // Just resolved.
    let before = shape::checkpoints(&path.step(&item).expect("resolved step").gates);
    finish(run, request, item, &path, &before, true)
}

pub fn progress(run: &mut Run, request: &Object) -> Result<Answer> {
    let item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    // Just resolved.
    let before = shape::checkpoints(&path.step(&item).expect("resolved step").gates);
    let completed = has(request, "completed") && flag(request, "completed", false);
    finish(run, request, item, &path, &before, completed)
}
