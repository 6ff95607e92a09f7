//! What a session should hear about the task it holds when it stops: that nothing proves it, that nothing tells why files
//! changed. Words for a person, since hosts show them to one.

use super::claim::in_hand;
use crate::core::view::LogQuery;
use crate::core::{Ctx, Result};
use crate::families::tasks::{FAMILY, rows};

/// Calls that leave evidence behind, and calls that leave words.
const EVIDENCE: [&str; 4] = ["tasks_evidence_capture", "tasks_verify", "tasks_close_step", "tasks_done"];
const WORDS: [&str; 5] =
    ["tasks_note", "tasks_progress", "tasks_close_step", "tasks_evidence_capture", "tasks_done"];

/// `changed` is where in the log the session last changed files, if it did.
pub fn at_stop(ctx: &Ctx, changed: Option<u64>) -> Result<Option<String>> {
    let Some(task) = in_hand(ctx)? else { return Ok(None) };
    let Some(summary) = rows::summary(ctx.view, &ctx.session.workspace, &task)? else { return Ok(None) };
    let any = |tools: &[&str], after: Option<u64>| -> Result<bool> {
        let query = LogQuery {
            workspace: Some(ctx.session.workspace.clone()),
            family: Some(FAMILY.into()),
            tools: tools.iter().map(|tool| (*tool).to_string()).collect(),
            target: Some(task.clone()),
            after,
            limit: 1,
            ..LogQuery::default()
        };
        Ok(!ctx.view.log().ops(&query)?.ops.is_empty())
    };
    let unproved = !any(&EVIDENCE, None)?;
    let unsaid = match changed {
        Some(at) => !any(&WORDS, Some(at))?,
        None => false,
    };
    let what = match (unproved, unsaid) {
        (false, false) => return Ok(None),
        (true, false) => "has no evidence yet",
        (false, true) => "has no note since files were changed",
        (true, true) => "has no evidence yet, and no note since files were changed",
    };
    Ok(Some(format!(
        "packd: {task} \"{}\" is in hand here and {what}. Let the agent attach what it ran and say where it stands, \
         or run `packd task note {task} TEXT`.",
        summary.title
    )))
}
