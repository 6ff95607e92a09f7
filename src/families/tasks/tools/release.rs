//! `tasks_release`: gives back a task that the asking session holds. Nobody gives back what is another's.

use serde::Deserialize;
use serde_json::json;

use crate::core::{Ctx, Error, Kind, Look, Outcome, Result, Tool};

use super::super::answer::IntentAnswer;
use super::super::auto::NOTHING;
use super::super::claims::{CLAIMS, ClaimHolder, claim_key, claims, held, stored};
use super::super::errors::{EnvelopeParts, fail};
use super::super::named;
use super::super::pipeline;
use super::super::request::IntentRequest;
use super::super::suggest::{self, Suggestion};

pub struct TasksRelease;

#[derive(Debug, Deserialize)]
pub struct TasksReleaseArgs {
    #[serde(default)]
    task: Option<String>,
}

impl Tool for TasksRelease {
    type Args = TasksReleaseArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_release";

    fn look(_look: &Look, _args: &TasksReleaseArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &TasksReleaseArgs, _seen: &()) -> Result<Outcome> {
        let mut request = IntentRequest::new(ctx, &NOTHING);
        let task = match &args.task {
            Some(task) => named::task(ctx, task)?.id.clone(),
            None => the_only_one(ctx)?,
        };
        let me = ClaimHolder::of(ctx.session);
        if let Some((claim, until)) = held(ctx, ctx.view, &task)?.filter(|(claim, _)| !claim.holder.is(&me)) {
            let message = format!(
                "{task} is held by {} until {}; only its holder releases it.",
                claim.holder.named(),
                until.zulu()
            );
            return Err(Error::new(Kind::Conflict, "TASK_HELD", message)
                .hint("Take another one with tasks_claim next=true.")
                .result(json!({"task": task, "held_by": claim.holder, "lease_until": until.zulu()})));
        }
        let mine = stored(ctx.view, &ctx.session.workspace, &task)?.is_some_and(|claim| claim.holder.is(&me));
        let mut answer = IntentAnswer::about(&task, &json!({"task_id": task, "released": mine}));
        if mine {
            request.draft.delete(CLAIMS, &claim_key(&ctx.session.workspace, &task))?;
        } else {
            answer.warnings.push(format!("You did not hold {task}."));
        }
        pipeline::plain(request, "release", answer)
    }

    fn concerns(_ctx: &Ctx, args: &TasksReleaseArgs) -> Vec<String> {
        args.task.iter().cloned().collect()
    }
}

fn the_only_one(ctx: &Ctx) -> Result<String> {
    let me = ClaimHolder::of(ctx.session);
    let mine: Vec<String> = claims(ctx, ctx.view)?
        .into_iter()
        .filter(|(claim, _)| claim.holder.is(&me))
        .map(|(claim, _)| claim.task)
        .collect();
    match mine.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(fail("NOTHING_HELD", "You hold no task; there is nothing to release.")
            .hint("tasks_ready shows what can be claimed.")
            .suggest(suggest::list([Suggestion::normal("ready", "Shows what can be claimed.", &json!({}))]))),
        many => Err(fail("MISSING_TARGET", format!("You hold {}: say which in 'task'.", many.join(", ")))
            .hint("Send the id of the task to release.")
            .suggest(suggest::list([Suggestion::normal(
                "release",
                "Gives back the first of them.",
                &json!({"task": many[0]}),
            )]))),
    }
}
