//! The end of a step: the gate, the note, the completion and the reply, shared by close_step, done and progress.

use serde::{Deserialize, Serialize};

use crate::core::{Error, Given, Result, redact};

use super::answer::IntentAnswer;
use super::args::{Common, forced, text};
use super::checkpoints::{CheckpointOwner, Confirmation, confirm, named, overridden};
use super::errors::{EnvelopeParts, fail};
use super::model::{CheckpointKind, Object, TaskItem, TaskStep};
use super::path::StepPath;
use super::request::{IntentRequest, LoadedItem};
use super::runway;
use super::scene::TaskScene;
use super::target::IntentTarget;
use super::{reply, suggest};

/// What close_step and done take.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Closing {
    #[serde(flatten)]
    pub said: Confirmation,
    pub note: Given<String>,
    pub force: Given<bool>,
    pub override_reason: Given<String>,
}

#[derive(Serialize)]
struct Gated<'a> {
    task_id: &'a str,
    path: &'a str,
    ready: bool,
    needs: Vec<String>,
    missing_checkpoints: Vec<&'static str>,
    checkpoints_before: &'a Object,
    checkpoints_after: &'a Object,
    step: reply::NodeShown,
}

fn refused(item: &TaskItem, path: &StepPath, step: &TaskStep, before: &Object) -> Error {
    let needs = step.needs();
    let before = reply::brief_checkpoints(before);
    fail("GATING_FAILED", format!("{path} cannot be closed yet; it still needs: {}.", needs.join(", ")))
        .hint("Confirm the missing checkpoints with close_step, or resolve what blocks the step.")
        .result(Gated {
            task_id: &item.id,
            path: path.as_str(),
            ready: false,
            missing_checkpoints: step.missing_gates().into_iter().map(CheckpointKind::as_str).collect(),
            checkpoints_before: &before,
            checkpoints_after: &before,
            step: reply::step_shown(step, path.as_str(), true, false),
            needs,
        })
        .suggest(suggest::look_at(&item.id))
}

#[derive(Serialize)]
struct Closed<'a> {
    task_id: &'a str,
    path: &'a str,
    completed: bool,
    checkpoints_before: Object,
    checkpoints_after: Object,
    ready: bool,
    needs: Vec<String>,
    task: reply::ItemShown,
    step: reply::NodeShown,
}

/// A step that is about to be completed or opened again.
pub struct StepEnding<'a> {
    pub item: TaskItem,
    pub path: StepPath,
    /// The checkpoints before the call.
    pub before: Object,
    pub completed: bool,
    pub note: Option<&'a str>,
    /// Why the gate does not count.
    pub forced: Option<String>,
}

/// Gate, note, completion, reply.
pub fn finish(request: &mut IntentRequest, common: &Common, ending: StepEnding) -> Result<IntentAnswer> {
    let StepEnding { mut item, path, before, completed, note, forced } = ending;
    let step = path.step(&item)?;
    let ready = step.ready();
    if completed && forced.is_none() && !ready {
        let stored = request.load(&item.id)?.map(|l| l.item);
        // What the caller gets to see is what is stored, with the needs that would remain.
        let mut shown = stored.as_ref().and_then(|i| path.step(i).ok()).unwrap_or(step).clone();
        shown.gates = step.gates.clone();
        return Err(refused(&item, &path, &shown, &before));
    }
    let now = request.ctx.now;
    let step = path.step_mut(&mut item)?;
    if let Some(note) = note {
        step.progress_notes.push(redact::text(note).0);
    }
    step.set_completed(completed, now);
    if let Some(reason) = forced.filter(|_| completed && !ready) {
        overridden(&mut item, now, &format!("step:{path}"), "close_step", &reason);
    }
    let saved = request.save(item)?;
    let LoadedItem { item, rev } = &saved;
    let compact = common.compact();
    let step = path.step(item)?;
    let shown = |all: Object| if compact { reply::brief_checkpoints(&all) } else { all };
    let result = Closed {
        task_id: &item.id,
        path: path.as_str(),
        completed: step.completed,
        checkpoints_before: shown(before),
        checkpoints_after: shown(reply::checkpoints(&step.gates)),
        ready: step.ready(),
        needs: step.needs(),
        task: reply::item(item, *rev, compact),
        step: reply::step(step, path.as_str(), compact),
    };
    let mut answer = IntentAnswer::about(&item.id, &result).at(&path).short(compact);
    if compact && !request.preview && request.depth == 0 {
        let scene = TaskScene::of(request.view(), request.workspace(), saved.clone())?;
        answer.suggestions.extend(runway::next(request, &scene)?);
    }
    Ok(answer)
}

/// Verifies and completes a step, or does neither.
pub fn close(
    request: &mut IntentRequest,
    common: &Common,
    closing: &Closing,
    target: &IntentTarget,
) -> Result<IntentAnswer> {
    let mut item = request.task(target)?.item;
    let forced = forced(&closing.force, &closing.override_reason, &item.id)?;
    let given = closing.said.checkpoints.get().is_none_or(|map| !map.is_empty());
    if !closing.said.checkpoints.is_sent() || !given {
        return Err(fail(
            "MISSING_CHECKPOINTS",
            "'checkpoints' is required: what is confirmed about the step.",
        )
        .hint("Send {\"criteria\":{\"confirmed\":true},\"tests\":{\"confirmed\":true}}.")
        .suggest(suggest::look_at(&item.id)));
    }
    let gates = named(&closing.said.checkpoints)?;
    let path = closing.said.address().step(&item)?;
    request.mean(path.as_str());
    let carrier = CheckpointOwner::Step(path.clone());
    let confirmed = confirm(request, &mut item, &carrier, &closing.said, &gates)?;
    let ending = StepEnding {
        item,
        path,
        before: confirmed.before,
        completed: true,
        note: text(&closing.note),
        forced,
    };
    finish(request, common, ending)
}
