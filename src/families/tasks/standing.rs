//! The work in hand: which task, how it was chosen, its next step and what tests it, the last notes on it; who holds what.
//!
//! Chosen by the focus, else by what this session claimed, else the only task that was begun, or the newest of them.

use serde_json::json;

use crate::core::standing::{NextCall, Standing, WorkInHand};
use crate::core::{Ctx, IndexQuery, Look, Result};

use super::auto::SeenOutside;
use super::claims::{self, Claim, ClaimHolder, Readiness};
use super::model::{ItemKind, TaskStatus};
use super::request::IntentRequest;
use super::rows::{self, BY_STATUS, ItemSummary, clip};
use super::scene::TaskScene;
use super::{focus, radar, runway, suggest};

const TITLE: usize = 120;
/// Criteria and commands that are shown of a step.
const SHOWN: usize = 4;
/// Open tasks that are looked at for one that could be taken.
const LOOKED_AT: usize = 200;

pub fn of(look: &Look) -> Result<Standing> {
    let ctx = look.ctx;
    let held = claims::claims(ctx, ctx.view)?;
    let work = match chosen(ctx, &held)? {
        Some((task, because)) => in_hand(ctx, &task, because)?,
        None => could_be_taken(ctx)?,
    };
    let me = ClaimHolder::of(ctx.session);
    let line = |(claim, until): &(Claim, _)| -> Result<String> {
        let until: &crate::core::Timestamp = until;
        let title = rows::summary(ctx.view, &ctx.session.workspace, &claim.task)?.map(|s| s.title);
        let who = if claim.holder.is(&me) { "you".to_string() } else { claim.holder.named() };
        let title = clip(&title.unwrap_or_default(), TITLE);
        Ok(format!("{} {title}: {who}, until {}", claim.task, until.zulu()))
    };
    Ok(Standing { work, holders: held.iter().map(line).collect::<Result<_>>()?, ..Standing::default() })
}

fn chosen(
    ctx: &Ctx,
    held: &[(Claim, crate::core::Timestamp)],
) -> Result<Option<(ItemSummary, &'static str)>> {
    let (view, workspace) = (ctx.view, ctx.session.workspace.as_str());
    let open = |summary: &ItemSummary| summary.status != TaskStatus::Done;
    if let Some(focused) = focus::current(view, workspace, &ctx.session.id)?.filter(open) {
        return Ok(Some((focused, "it is the focus")));
    }
    let me = ClaimHolder::of(ctx.session);
    if let Some((claim, _)) = held.iter().find(|(claim, _)| claim.holder.is(&me))
        && let Some(task) = rows::summary(view, workspace, &claim.task)?.filter(open)
    {
        return Ok(Some((task, "this session claimed it")));
    }
    let group = rows::group(workspace, &[ItemKind::Task.as_str(), TaskStatus::Active.as_str()]);
    let newest = rows::ids(view, &IndexQuery::new(BY_STATUS, group).reverse().limit(LOOKED_AT))?;
    let because = if newest.len() == 1 { "it is the only one begun" } else { "it is the newest one begun" };
    // What somebody else has in hand is no work for this session.
    let theirs = |id: &str| held.iter().any(|(claim, _)| claim.task == id);
    let Some((_, id)) = newest.iter().find(|(_, id)| !theirs(id)) else { return Ok(None) };
    Ok(rows::summary(view, workspace, id)?.map(|task| (task, because)))
}

fn in_hand(ctx: &Ctx, task: &ItemSummary, because: &str) -> Result<Option<WorkInHand>> {
    let seen = SeenOutside::default();
    let request = IntentRequest::new(ctx, &seen);
    let Some(loaded) = request.load(&task.id)? else { return Ok(None) };
    let scene = TaskScene::of(request.view(), request.workspace(), loaded)?;
    let title = clip(&task.title, TITLE);
    let mut lines = Vec::new();
    if let Some((claim, until)) = claims::held(ctx, ctx.view, &task.id)?
        && !claim.holder.is(&ClaimHolder::of(ctx.session))
    {
        lines.push(format!("Held by {} until {}: do not work on it.", claim.holder.named(), until.zulu()));
    }
    lines.extend(facts(&scene));
    let next = runway::next(&request, &scene)?.map(|suggestion| suggestion.call());
    Ok(Some(WorkInHand {
        what: format!("{} {title}, {}, {} %", task.id, task.status.as_str(), task.progress),
        because: because.to_string(),
        lines,
        next: next.and_then(|call| call.offered(ctx.session)),
    }))
}

/// The step that comes next with what it takes, the notes on it, and the plan it is for.
fn facts(scene: &TaskScene) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((path, step)) = radar::current(scene) {
        lines.push(format!("Step {path}: {}", clip(&step.title, TITLE)));
        let part = |name: &str, list: &[String]| {
            list.iter().take(SHOWN).map(|text| format!("  {name}: {text}")).collect::<Vec<_>>()
        };
        lines.extend(part("done when", &step.success_criteria));
        lines.extend(part("test with", &step.tests));
        lines.extend(radar::notes(step).iter().map(|note| format!("  note: {note}")));
    }
    if let Some(plan) = &scene.parent {
        lines.push(format!("Plan: {} {}", plan.id, clip(&plan.title, TITLE)));
    }
    lines
}

/// Nothing is in hand, but something could be.
fn could_be_taken(ctx: &Ctx) -> Result<Option<WorkInHand>> {
    let (mut found, mut looked) = (None, 0);
    claims::open_tasks(ctx, None, None, |task| {
        looked += 1;
        if matches!(claims::readiness(ctx, ctx.view, &task)?, Readiness::Ready) {
            found = Some(task);
        }
        Ok(found.is_none() && looked < LOOKED_AT)
    })?;
    let Some(task) = found else { return could_be_made(ctx) };
    let seen = SeenOutside::default();
    let request = IntentRequest::new(ctx, &seen);
    let lines = match request.load(&task.id)? {
        Some(loaded) => facts(&TaskScene::of(request.view(), request.workspace(), loaded)?),
        None => Vec::new(),
    };
    Ok(Some(WorkInHand {
        what: format!("nothing; {} {} can be started", task.id, clip(&task.title, TITLE)),
        because: "nobody holds it and nothing is in its way".to_string(),
        lines,
        next: NextCall::new("tasks_claim", json!({"task": task.id})).offered(ctx.session),
    }))
}

/// There is nothing to take up either: where the next task would go.
fn could_be_made(ctx: &Ctx) -> Result<Option<WorkInHand>> {
    let workspace = ctx.session.workspace.as_str();
    let title = suggest::fill("what is to be done");
    let open = |status: &TaskStatus| rows::group(workspace, &[ItemKind::Plan.as_str(), status.as_str()]);
    for status in [TaskStatus::Active, TaskStatus::Todo] {
        let newest = rows::ids(ctx.view, &IndexQuery::new(BY_STATUS, open(&status)).reverse().limit(1))?;
        let plan =
            newest.first().map(|(_, id)| rows::summary(ctx.view, workspace, id)).transpose()?.flatten();
        if let Some(plan) = plan {
            return Ok(Some(WorkInHand {
                what: format!("nothing; {} {} is open", plan.id, clip(&plan.title, TITLE)),
                because: "no task here can be started".to_string(),
                lines: Vec::new(),
                next: NextCall::new("tasks_create", json!({"parent": plan.id, "title": title}))
                    .offered(ctx.session),
            }));
        }
    }
    Ok(Some(WorkInHand {
        what: "nothing".to_string(),
        because: "no plan and no task is open here".to_string(),
        lines: Vec::new(),
        next: NextCall::new("tasks_create", json!({"kind": "plan", "title": title})).offered(ctx.session),
    }))
}
