//! `tasks_claim`: takes a task, or the next ready one that nobody holds, for the session that asks.
//!
//! The row it writes is compared with what was read when it is committed, so of many who ask at once one gets it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::core::{Ctx, Error, Kind, Look, Outcome, Result, Tool};

use super::super::answer::IntentAnswer;
use super::super::auto::NOTHING;
use super::super::claims::{
    CLAIMS, Claim, ClaimHolder, DEFAULT_LEASE, Readiness, claim_key, held, lease_end, open_tasks, readiness,
    stored,
};
use super::super::errors::{EnvelopeParts, fail};
use super::super::model::TaskStatus;
use super::super::named;
use super::super::pipeline;
use super::super::request::IntentRequest;
use super::super::rows::ItemSummary;
use super::super::suggest::{self, Suggestion};

pub struct ClaimTask;

#[derive(Debug, Deserialize)]
pub struct ClaimArgs {
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    next: bool,
    #[serde(default)]
    plan: Option<String>,
    #[serde(default)]
    lease_minutes: Option<u32>,
    #[serde(default)]
    takeover: bool,
}

#[derive(Serialize)]
struct Claimed<'a> {
    task_id: &'a str,
    title: &'a str,
    status: &'static str,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<&'a str>,
    lease_until: String,
    /// It was this session's already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    renewed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_from: Option<ClaimHolder>,
}

/// Tasks looked at for the next ready one.
const LOOKED_AT: usize = 2000;
/// Reasons told where nothing is ready.
const REASONS: usize = 3;

impl Tool for ClaimTask {
    type Args = ClaimArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_claim";
    const IN_TURN: bool = true;

    fn look(_look: &Look, _args: &ClaimArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &ClaimArgs, _seen: &()) -> Result<Outcome> {
        let mut request = IntentRequest::new(ctx, &NOTHING);
        let answer = match (&args.task, args.next) {
            (Some(task), false) => {
                let task = named::task(ctx, task)?;
                take(&mut request, args, &task)?
            }
            (None, true) => match next_ready(ctx, args.plan.as_deref())? {
                Next::Ready(task) => take(&mut request, args, &task)?,
                Next::Nothing(waiting) => nothing(&waiting),
            },
            _ => {
                return Err(fail(
                    "MISSING_TARGET",
                    "Name the task in 'task', or send next=true: one of the two.",
                )
                .hint("tasks_claim with next=true takes the next task that can be started.")
                .suggest(suggest::list([Suggestion::high(
                    "claim",
                    "Takes the next task that can be started.",
                    &json!({"next": true}),
                )])));
            }
        };
        pipeline::plain(request, "claim", answer)
    }

    fn concerns(_ctx: &Ctx, args: &ClaimArgs) -> Vec<String> {
        args.task.iter().cloned().collect()
    }
}

enum Next {
    Ready(Box<ItemSummary>),
    /// Why some of them wait.
    Nothing(Vec<(String, String)>),
}

fn next_ready(ctx: &Ctx, plan: Option<&str>) -> Result<Next> {
    let (mut found, mut waiting, mut looked) = (None, Vec::new(), 0);
    open_tasks(ctx, plan, None, |task| {
        looked += 1;
        match readiness(ctx, ctx.view, &task)? {
            Readiness::Ready => found = Some(Box::new(task)),
            Readiness::Waits(because) if waiting.len() < REASONS => waiting.push((task.id, because)),
            Readiness::Mine(until) if waiting.len() < REASONS => {
                waiting.push((task.id, format!("You hold it until {}.", until.zulu())));
            }
            _ => {}
        }
        Ok(found.is_none() && looked < LOOKED_AT)
    })?;
    Ok(found.map_or(Next::Nothing(waiting), Next::Ready))
}

fn nothing(waiting: &[(String, String)]) -> IntentAnswer {
    let waiting: Vec<_> =
        waiting.iter().map(|(id, because)| json!({"task_id": id, "because": because})).collect();
    let mut result = json!({"claimed": false, "reason": "No task is ready to be claimed."});
    if !waiting.is_empty() {
        result["waiting"] = json!(waiting);
    }
    IntentAnswer::new(&result).no_op().suggest(suggest::list([Suggestion::normal(
        "ready",
        "Says of every open task why it waits.",
        &json!({}),
    )]))
}

fn take(request: &mut IntentRequest, args: &ClaimArgs, task: &ItemSummary) -> Result<IntentAnswer> {
    let ctx = request.ctx;
    if task.status == TaskStatus::Done {
        return Err(fail("ALREADY_DONE", format!("{} is done; there is nothing left to claim.", task.id))
            .result(json!({"task": task.id}))
            .suggest(suggest::list([Suggestion::high(
                "claim",
                "Takes the next task that can be started.",
                &json!({"next": true}),
            )])));
    }
    let me = ClaimHolder::of(ctx.session);
    let before = stored(request.view(), request.workspace(), &task.id)?;
    let mine = before.as_ref().is_some_and(|claim| claim.holder.is(&me));
    if let Some((claim, until)) = held(ctx, request.view(), &task.id)?.filter(|_| !mine) {
        let message = format!("{} is held by {} until {}.", task.id, claim.holder.named(), until.zulu());
        let hint = match args.takeover {
            true => {
                "A task can be taken over when its lease has ended or its session has been gone for 5 minutes."
            }
            false => "Take another one with next=true, or this one when its lease has ended.",
        };
        return Err(Error::new(Kind::Conflict, "TASK_HELD", message)
            .hint(hint)
            .result(json!({"task": task.id, "held_by": claim.holder, "lease_until": until.zulu()}))
            .suggest(suggest::list([Suggestion::high(
                "claim",
                "Takes the next task that nobody holds.",
                &json!({"next": true}),
            )])));
    }
    let before_lease = before.as_ref().filter(|_| mine).map(|claim| claim.lease_minutes);
    let lease_minutes = args.lease_minutes.or(before_lease).unwrap_or(DEFAULT_LEASE);
    let since = before.as_ref().filter(|_| mine).map_or(ctx.now, |claim| claim.since);
    let until = lease_end(ctx.now, lease_minutes);
    let claim = Claim { task: task.id.clone(), holder: me, since, until, lease_minutes };
    request.draft.put(CLAIMS, &claim_key(&ctx.session.workspace, &task.id), &claim)?;
    let claimed = Claimed {
        task_id: &task.id,
        title: &task.title,
        status: task.status.as_str(),
        revision: task.revision,
        plan_id: task.parent.as_deref(),
        lease_until: until.zulu(),
        renewed: mine,
        taken_from: before.filter(|_| !mine).map(|claim| claim.holder),
    };
    let Readiness::Waits(because) = readiness(ctx, request.view(), task)? else {
        return Ok(about(&claimed, Vec::new()));
    };
    Ok(about(&claimed, vec![format!("{} cannot be started yet: {because}", task.id)]))
}

fn about(claimed: &Claimed, warnings: Vec<String>) -> IntentAnswer {
    let mut answer = IntentAnswer::about(claimed.task_id, claimed);
    answer.warnings = warnings;
    answer.suggest(suggest::list([Suggestion::high(
        "radar",
        "Shows what to do first.",
        &json!({"task": claimed.task_id}),
    )]))
}
