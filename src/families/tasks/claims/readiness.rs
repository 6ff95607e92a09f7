//! What can be started now, and why the rest cannot.
//!
//! Open tasks are looked at in one order, those begun already first and the oldest first among equals, so that everybody
//! who asks for the next one is led to the same.

use crate::core::{Ctx, IndexQuery, Key, Result, Timestamp, View};

use super::super::deps::Dependencies;
use super::super::model::{ItemKind, TaskStatus};
use super::super::rows::{self, BY_PARENT, BY_STATUS, ItemSummary};
use super::claim::{ClaimHolder, held};

/// Where an open task stands.
pub enum Readiness {
    Ready,
    /// This session holds it until then.
    Mine(Timestamp),
    Waits(String),
}

pub fn readiness(ctx: &Ctx, view: &dyn View, task: &ItemSummary) -> Result<Readiness> {
    if let Some((claim, until)) = held(ctx, view, &task.id)? {
        if claim.holder.is(&ClaimHolder::of(ctx.session)) {
            return Ok(Readiness::Mine(until));
        }
        let because = format!("It is held by {} until {}.", claim.holder.named(), until.zulu());
        return Ok(Readiness::Waits(because));
    }
    if task.blocked {
        return Ok(Readiness::Waits("It is blocked.".to_string()));
    }
    let deps = Dependencies::of(view, &ctx.session.workspace, &task.id, &task.depends_on)?;
    match deps.unresolved() {
        open if open.is_empty() => Ok(Readiness::Ready),
        open => Ok(Readiness::Waits(format!("It depends on {}, not done yet.", open.join(", ")))),
    }
}

const IN_ORDER: [TaskStatus; 2] = [TaskStatus::Active, TaskStatus::Todo];
/// Ids read at a time.
const PAGE: usize = 64;

/// Shows the open tasks (of a plan) after the one of this id, until `see` has seen enough and says false.
pub fn open_tasks(
    ctx: &Ctx,
    plan: Option<&str>,
    after: Option<&str>,
    mut see: impl FnMut(ItemSummary) -> Result<bool>,
) -> Result<()> {
    let (view, workspace) = (ctx.view, ctx.session.workspace.as_str());
    let last = after.map_or(Ok(None), |id| rows::summary(view, workspace, id))?;
    let place = |status: TaskStatus| IN_ORDER.iter().position(|known| *known == status);
    for status in IN_ORDER {
        let (reached, now) = (last.as_ref().and_then(|last| place(last.status)), place(status));
        if reached > now {
            continue;
        }
        let after = last.as_ref().filter(|_| reached == now).map(|last| rows::sort_key(&last.id));
        let more = match plan {
            Some(plan) => of_plan(view, workspace, plan, status, after, &mut see)?,
            None => of_workspace(view, workspace, status, after, &mut see)?,
        };
        if !more {
            return Ok(());
        }
    }
    Ok(())
}

/// The tasks of a plan are few enough to be looked at for each status.
fn of_plan(
    view: &dyn View,
    workspace: &str,
    plan: &str,
    status: TaskStatus,
    after: Option<Key>,
    see: &mut impl FnMut(ItemSummary) -> Result<bool>,
) -> Result<bool> {
    let all = rows::summaries(view, &IndexQuery::new(BY_PARENT, rows::group(workspace, &[plan])))?;
    for summary in all {
        let passed = after.as_ref().is_some_and(|after| rows::sort_key(&summary.id) <= *after);
        if summary.status == status && !passed && !see(summary)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn of_workspace(
    view: &dyn View,
    workspace: &str,
    status: TaskStatus,
    mut after: Option<Key>,
    see: &mut impl FnMut(ItemSummary) -> Result<bool>,
) -> Result<bool> {
    let group = rows::group(workspace, &[ItemKind::Task.as_str(), status.as_str()]);
    loop {
        let mut query = IndexQuery::new(BY_STATUS, group.clone()).limit(PAGE + 1);
        query.from = after.clone();
        let mut page = rows::ids(view, &query)?;
        // Pages begin with where the last one ended.
        page.retain(|(sort, _)| after.as_ref() != Some(sort));
        page.truncate(PAGE);
        let full = page.len() == PAGE;
        for (sort, id) in page {
            after = Some(sort);
            if let Some(summary) = rows::summary(view, workspace, &id)?
                && !see(summary)?
            {
                return Ok(false);
            }
        }
        if !full {
            return Ok(true);
        }
    }
}
