//! tasks_undo and tasks_redo: the shared mechanism inside this family, answered with the envelope.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::core::history::{self as mechanism, HistoryScope, HistoryStep};
use crate::core::view::LogQuery;
use crate::core::{Ctx, Error, Given, Op, OpStatus, Outcome, Reply, Result};

use super::FAMILY;
use super::answer::{IntentAnswer, envelope};
use super::args::{Flag, text};
use super::errors::{EnvelopeParts, detail};
use super::log::{OpShown, Ways, task_id};
use super::parents;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksUndoArgs {
    pub expected_operation_id: Given<String>,
    pub dry_run: Flag,
    pub compact: Flag,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Undo,
    Redo,
}

#[derive(Serialize)]
struct TakenBack {
    #[serde(skip_serializing_if = "Option::is_none")]
    undone_operation: Option<OpShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redone_operation: Option<OpShown>,
    #[serde(flatten)]
    ways: Ways,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
}

#[derive(Serialize)]
struct Kept<'a> {
    intent: &'a str,
    task_id: Option<&'a str>,
    operation_id: &'a str,
}

pub fn take_back(ctx: &Ctx, args: &TasksUndoArgs, direction: Direction) -> Result<Outcome> {
    let undo = direction == Direction::Undo;
    let intent = if undo { "undo" } else { "redo" };
    let scope = HistoryScope {
        workspace: ctx.session.workspace.clone(),
        family: Some(FAMILY.to_string()),
        target: None,
    };
    let expected = text(&args.expected_operation_id);
    let moved = match direction {
        Direction::Undo => mechanism::undo(ctx, &scope, expected),
        Direction::Redo => mechanism::redo(ctx, &scope, expected),
    };
    let HistoryStep { op, mut outcome } = moved.map_err(|e| in_our_words(e, undo))?;
    if let Some(kind) = &outcome.kind {
        let draft = mechanism::preview(ctx.view, &outcome)?;
        parents::check_restore(kind, &draft).map_err(|e| in_our_words(e, undo))?;
    }
    let other = another(ctx, &op, !undo)?;
    let mut shown = if args.compact.or(true) { OpShown::summary(&op) } else { OpShown::full(&op) };
    shown.undone = undo;
    let preview = ctx.call.preview || args.dry_run.on();
    let task = task_id(&op);
    let mut answer = IntentAnswer::new(&TakenBack {
        undone_operation: Some(shown.clone()).filter(|_| undo),
        redone_operation: Some(shown).filter(|_| !undo),
        ways: Ways { can_undo: !undo || other, can_redo: undo || other },
        dry_run: preview,
    });
    answer.context.task_id = task.clone();
    if preview {
        outcome = Outcome::default();
    } else {
        let id = ctx.record_id();
        let kept = Kept { intent, task_id: task.as_deref(), operation_id: &op.id };
        outcome.record.data = json!(kept);
        outcome.record.id = Some(id.clone());
        answer.meta.operation_id = Some(id);
    }
    outcome.reply = Reply::of(&envelope(intent, &answer, ctx.now));
    Ok(outcome)
}

/// Is there another operation to act on besides this one?
fn another(ctx: &Ctx, op: &Op, undone: bool) -> Result<bool> {
    let mut query = LogQuery {
        workspace: Some(ctx.session.workspace.clone()),
        family: Some(FAMILY.to_string()),
        include_undone: undone,
        limit: 4,
        newest_first: !undone,
        after: undone.then_some(op.seq),
        before: (!undone).then_some(op.seq),
        ..LogQuery::default()
    };
    let status = if undone { OpStatus::Undone } else { OpStatus::Done };
    loop {
        let page = ctx.view.log().ops(&query)?;
        if page.ops.iter().any(|o| o.status == status && o.reversible()) {
            return Ok(true);
        }
        let Some(last) = page.ops.last().filter(|_| page.has_more) else { return Ok(false) };
        if undone {
            query.after = Some(last.seq);
        } else {
            query.before = Some(last.seq);
        }
    }
}

/// The contract knows one code for everything that keeps an undo from happening.
fn in_our_words(error: Error, undo: bool) -> Error {
    let stays = ["nothing_to_undo", "nothing_to_redo", "io_error", "internal", "unexpected_operation"];
    let details = error.details.as_deref().cloned().unwrap_or_default();
    let code = match stays.contains(&error.code.as_str()) {
        true => error.code.to_uppercase(),
        false if undo => "UNDO_FAILED".to_string(),
        false => "REDO_FAILED".to_string(),
    };
    let known = !detail(&error, "result").is_null();
    let error = Error { code, ..error };
    if known { error } else { error.result(details) }
}
