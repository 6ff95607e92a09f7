//! No task is left pointing at a plan that an undo took away, and none comes back to a plan that is gone.

use serde_json::json;

use crate::core::{Change, Draft, Error, Kind, OpKind, Result};

use super::model::{ItemKind, TaskItem};
use super::rows::{self, ITEMS};

/// So many tasks are named; the rest is counted.
const NAMED: usize = 20;

/// Refuses an undo that would take a plan away from tasks that stay, and a redo of a task without its plan.
///
/// Tasks that the same operation made go along with their plan. Redoing a deletion does again what its caller
/// was warned of.
pub fn check_restore(kind: &OpKind, draft: &Draft) -> Result<()> {
    let redo = matches!(kind, OpKind::Redo(_));
    for change in draft.changes().filter(|c| c.table == ITEMS.0) {
        let mut parts = change.key.parts();
        let (Some(workspace), Some(id)) = (parts.text(), parts.text()) else { continue };
        match (&change.before, &change.after) {
            (Some(_), None) if !redo => keeps_no_tasks(draft, &workspace, &id)?,
            (None, Some(_)) if redo => has_its_plan(draft, &workspace, &change)?,
            _ => {}
        }
    }
    Ok(())
}

fn keeps_no_tasks(draft: &Draft, workspace: &str, id: &str) -> Result<()> {
    let tasks = rows::children(draft, workspace, id, NAMED + 1)?;
    let Some(first) = tasks.first() else { return Ok(()) };
    let names: Vec<&str> = tasks.iter().take(NAMED).map(|t| t.id.as_str()).collect();
    let more = if tasks.len() > NAMED { " and more" } else { "" };
    let message = format!("{id} cannot go while it has tasks: {}{more}.", names.join(", "));
    Err(Error::new(Kind::Conflict, "plan_has_tasks", message)
        .hint(format!(
            "Undo the creation of these tasks first, newest first, or delete them (tasks_delete with task={}). Nothing was changed.",
            first.id
        ))
        .details(json!({"plan": id, "tasks": names})))
}

fn has_its_plan(draft: &Draft, workspace: &str, change: &Change) -> Result<()> {
    let Some(image) = &change.after else { return Ok(()) };
    let Ok(TaskItem { id, kind: ItemKind::Task, parent: Some(plan), .. }) =
        crate::core::row::decode(&image.value)
    else {
        return Ok(());
    };
    if rows::summary(draft, workspace, &plan)?.is_some() {
        return Ok(());
    }
    let message = format!("{id} cannot come back: its plan {plan} does not exist.");
    Err(Error::new(Kind::Conflict, "plan_missing", message)
        .hint("Bring the plan back first with history_redo. Nothing was changed.")
        .details(json!({"plan": plan, "tasks": [id]})))
}
