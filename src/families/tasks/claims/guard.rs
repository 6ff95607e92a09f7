//! What a write to a task has to do with claims: others are named, or refuse it; a task that is done is held by nobody.

use crate::core::{Ctx, Error, Kind, Result, View};

use super::super::errors::EnvelopeParts;
use super::super::model::TaskStatus;
use super::super::rows;
use super::super::suggest::{self, Suggestion};
use super::claim::{ClaimHolder, held, stored};
use serde_json::json;

/// The sentence that names somebody else who holds this task, for the reply of a write to it. An error where its plan
/// leaves such writes to the holder.
pub fn other_holder(ctx: &Ctx, view: &dyn View, task: &str) -> Result<Option<String>> {
    let Some((claim, until)) = held(ctx, view, task)? else { return Ok(None) };
    if claim.holder.is(&ClaimHolder::of(ctx.session)) {
        return Ok(None);
    }
    let sentence = format!("{task} is held by {} until {}.", claim.holder.named(), until.zulu());
    let workspace = &ctx.session.workspace;
    let plan = rows::summary(view, workspace, task)?.and_then(|summary| summary.parent);
    let plan = plan.map_or(Ok(None), |id| rows::summary(view, workspace, &id))?;
    match plan.filter(|plan| plan.exclusive) {
        None => Ok(Some(sentence)),
        Some(plan) => Err(Error::new(
            Kind::Conflict,
            "TASK_HELD",
            format!("{sentence} {} leaves its tasks to whoever holds them; nothing was changed.", plan.id),
        )
        .hint("Take another task with tasks_claim next=true, or claim this one when the lease has ended.")
        .result(json!({"task": task, "held_by": claim.holder, "lease_until": until.zulu()}))
        .suggest(suggest::list([Suggestion::high(
            "claim",
            "Takes the next task that nobody holds.",
            &json!({"next": true}),
        )]))),
    }
}

/// Has this task a claim that its present state brings to an end?
pub fn ended_with(view: &dyn View, workspace: &str, task: &str) -> Result<bool> {
    if stored(view, workspace, task)?.is_none() {
        return Ok(false);
    }
    Ok(rows::summary(view, workspace, task)?.is_none_or(|summary| summary.status == TaskStatus::Done))
}
