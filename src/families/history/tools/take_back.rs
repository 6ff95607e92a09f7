//! The answer of whatever turns one operation around: what it touches, and a look at it first where files change.

use serde::{Deserialize, Serialize};

use crate::core::apart::{self, ChangedPaths, StayingFile};
use crate::core::arguments::trimmed;
use crate::core::history::{HistoryScope, HistoryStep};
use crate::core::{Changed, Ctx, Look, Outcome, Result, Tool};

use super::super::reply::{FollowingCall, RecordSummary, TouchedFile, reply};
use super::redo::HistoryRedo;
use super::revert::HistoryRevert;
use super::undo::HistoryUndo;

/// Bytes of field changes in a reply.
const MOST_CHANGED: usize = 500;

const LOOK_FIRST: &str = "This changes files. Look at them, then call again with yes=true.";

const SOME_STAY: &str = "This changes files. Those under clashes stay as they are. Look at them, then call again with yes=true to take back the rest.";

/// Which operation of the workspace is meant, as undo and redo take it.
#[derive(Debug, Default, Deserialize)]
pub struct Narrowed {
    #[serde(default, deserialize_with = "trimmed")]
    pub family: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub target: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    pub expected_operation_id: Option<String>,
}

impl Narrowed {
    pub fn scope(&self, ctx: &Ctx) -> HistoryScope {
        HistoryScope {
            workspace: ctx.session.workspace.clone(),
            family: self.family.clone(),
            target: self.target.clone(),
        }
    }
}

/// What happened to the operation.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Turned<'a> {
    Undid(RecordSummary<'a>),
    Redid(RecordSummary<'a>),
    Reverted(RecordSummary<'a>),
}

#[derive(Serialize)]
struct TakeBackReply<'a> {
    #[serde(flatten)]
    turned: Turned<'a>,
    /// Null where nothing was recorded yet.
    operation_id: Option<&'a str>,
    rows: usize,
    /// The fields it changed, as far as there is room.
    changed: Vec<Changed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_left_off: Option<usize>,
    files: Vec<TouchedFile>,
    steps: Vec<&'a str>,
    /// Files that stay as they are, because they were changed since or were never kept.
    #[serde(skip_serializing_if = "<[StayingFile]>::is_empty")]
    clashes: &'a [StayingFile],
    preview: bool,
    note: Option<&'static str>,
    next: Option<FollowingCall>,
}

/// What was asked for.
#[derive(Clone, Copy)]
pub enum TakeBack {
    Undo,
    Redo,
    Revert,
}

impl TakeBack {
    /// The call that takes this back in its turn.
    fn back(self, id: &str) -> FollowingCall {
        match self {
            TakeBack::Undo => FollowingCall::to(HistoryRedo::NAME, &[]),
            TakeBack::Redo => FollowingCall::to(HistoryUndo::NAME, &[]),
            TakeBack::Revert => FollowingCall::to(HistoryRevert::NAME, &[("operation_id", id)]),
        }
    }

    fn done(self, op: RecordSummary<'_>) -> Turned<'_> {
        match self {
            TakeBack::Undo => Turned::Undid(op),
            TakeBack::Redo => Turned::Redid(op),
            TakeBack::Revert => Turned::Reverted(op),
        }
    }
}

/// What was found of the files that an operation would put back: those that somebody changed since.
pub fn look(look: &Look, step: Result<HistoryStep>) -> ChangedPaths {
    // What is wrong with the call is said when it is decided.
    match step {
        Ok(step) if step.op.file_by_file => apart::changed(look.world, &step.outcome.effects),
        _ => ChangedPaths::new(),
    }
}

pub fn outcome(
    ctx: &Ctx,
    step: HistoryStep,
    changed: &ChangedPaths,
    yes: bool,
    turn: TakeBack,
) -> Result<Outcome> {
    let HistoryStep { op, mut outcome } = step;
    let clashes = apart::set_aside(ctx, &op, &mut outcome, changed)?;
    let files: Vec<_> = outcome.effects.iter().filter(|e| !e.kept).map(TouchedFile::of).collect();
    let outside = !files.is_empty() || !outcome.steps.is_empty();
    let look_first = outside && !yes;
    let id = ctx.record_id();
    let (changed, left_off) = Changed::within(Changed::of(ctx.view, &outcome.changes)?, MOST_CHANGED);
    let recorded = !look_first && !ctx.call.preview && outcome.changes_something();
    let body = TakeBackReply {
        turned: turn.done(RecordSummary::of(&op)),
        operation_id: recorded.then_some(&id),
        rows: outcome.changes.len(),
        changed,
        changed_left_off: Some(left_off).filter(|left| *left > 0),
        files,
        steps: outcome.steps.iter().map(|step| step.label.as_str()).collect(),
        clashes: &clashes,
        preview: look_first || ctx.call.preview,
        note: look_first.then_some(if clashes.is_empty() { LOOK_FIRST } else { SOME_STAY }),
        next: match look_first {
            true => Some(FollowingCall::again(ctx, "yes", true)),
            false => recorded.then(|| turn.back(&id)),
        },
    };
    outcome.reply = reply(ctx, false, &body);
    outcome.shown_first = look_first;
    outcome.record.id = Some(id);
    Ok(outcome)
}
