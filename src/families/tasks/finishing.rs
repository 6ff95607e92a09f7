//! The explicit end of a plan or task, and the way back: what its status becomes and what may keep it open.

use serde::Serialize;

use crate::core::Result;

use super::errors::{EnvelopeParts, fail};
use super::lint::{self, IssueShown, LintSummary};
use super::model::{TaskItem, TaskStatus, TaskStep};
use super::request::{IntentRequest, LoadedItem};
use super::runway::Runway;
use super::scene::TaskScene;
use super::state;

fn reopen_all(steps: &mut [TaskStep]) {
    for step in steps {
        step.reopen();
        for node in &mut step.plan.tasks {
            reopen_all(&mut node.steps);
        }
    }
}

#[derive(Serialize)]
struct LintBlocks<'a> {
    task: &'a str,
    lint: LintSummary,
    blocking_errors: Vec<IssueShown<'a>>,
}

#[derive(Serialize)]
struct Blocked<'a> {
    task: &'a str,
    validation: &'a str,
    target: Option<StepAt<'a>>,
}

#[derive(Serialize)]
struct StepAt<'a> {
    path: &'a str,
    step_id: &'a str,
}

/// Refuses DONE while lint or validation object.
pub fn may_close(request: &IntentRequest, loaded: &LoadedItem) -> Result<()> {
    let scene = TaskScene::of(request.view(), request.workspace(), loaded.clone())?;
    let runway = Runway::of(&scene);
    let id = &scene.item.id;
    let fixes: Vec<_> = runway.recipe.clone().into_iter().collect();
    let errors = runway.errors();
    if !errors.is_empty() {
        let message = format!("{id} has {} lint errors; they must be fixed before it is DONE.", errors.len());
        return Err(fail("LINT_ERRORS_BLOCKING", message)
            .hint("Fix them (see lint), or use force=true.")
            .result(LintBlocks { task: id, lint: lint::summary(&runway.issues), blocking_errors: errors })
            .suggest(fixes));
    }
    if let Some(obstacle) = &runway.obstacle {
        let code = if scene.item.is_plan() { "VALIDATION" } else { obstacle.code };
        let target = obstacle.step.as_ref().map(|(path, step_id)| StepAt { path, step_id });
        return Err(fail(code, obstacle.message.clone())
            .hint("Finish what is open (see radar), or use force=true.")
            .result(Blocked { task: id, validation: obstacle.code, target })
            .suggest(fixes));
    }
    Ok(())
}

/// The item with a status that sticks: where the rules would make another one of it, it counts as manual.
pub fn with_status(item: &mut TaskItem, status: TaskStatus, force: bool) {
    let whole = state::progress(item) == 100;
    if status != TaskStatus::Done && (whole || force) && !item.is_plan() {
        reopen_all(&mut item.steps);
    }
    if (item.is_plan() && item.plan_steps.is_empty()) || (!item.is_plan() && item.steps.is_empty()) {
        item.progress = match (status, item.status) {
            (TaskStatus::Done, _) => 100,
            (_, TaskStatus::Done) => 0,
            _ => item.progress,
        };
    }
    item.status = status;
    item.status_manual = false;
    item.progress = state::progress(item);
    item.status_manual = state::settled_status(item) != status;
    item.status = status;
}
