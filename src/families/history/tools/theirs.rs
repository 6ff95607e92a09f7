//! `history_undo` of everything one session or client did: looked at first, then taken back as one operation.

use serde::{Deserialize, Serialize};

use crate::core::apart::{self, ChangedPaths, StayingFile};
use crate::core::arguments::trimmed;
use crate::core::undo_all::{Steps, UndoScope, undo_all};
use crate::core::{Ctx, Look, Op, Outcome, Result, Timestamp};

use super::super::errors::invalid;
use super::super::reply::{FollowingCall, RecordSummary, TouchedFile, reply};
use super::take_back::Narrowed;

/// Operations that are shown; the rest is counted.
const SHOWN: usize = 20;
const LOOK_FIRST: &str = "Look at these operations, then call again with yes=true.";

/// Whose operations are meant, and since when.
#[derive(Debug, Default, Deserialize)]
pub struct Theirs {
    #[serde(default, deserialize_with = "trimmed")]
    session: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    client: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    since: Option<String>,
}

#[derive(Serialize)]
struct TheirsReply<'a> {
    undid: Vec<RecordSummary<'a>>,
    count: usize,
    operation_id: Option<&'a str>,
    rows: usize,
    files: Vec<TouchedFile>,
    files_count: usize,
    preview: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<Left<'a>>,
    /// Files that stay as they are.
    #[serde(skip_serializing_if = "<[StayingFile]>::is_empty")]
    clashes: &'a [StayingFile],
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<FollowingCall>,
}

/// An operation that stays as it is.
#[derive(Serialize)]
struct Left<'a> {
    operation_id: &'a str,
    summary: &'a str,
    because: &'a str,
}

impl<'a> Left<'a> {
    fn of((op, because): &'a (Op, String)) -> Left<'a> {
        Left { operation_id: &op.id, summary: &op.summary, because }
    }
}

impl Theirs {
    /// Did the caller name whose operations are meant?
    pub fn is_meant(&self) -> bool {
        [&self.session, &self.client, &self.since].into_iter().any(Option::is_some)
    }

    fn whose(&self, narrowed: &Narrowed) -> Result<UndoScope> {
        if self.session.is_none() && self.client.is_none() {
            return Err(invalid("'since' needs 'session' or 'client': whose operations are meant?")
                .hint("history_list shows both of each operation, as who."));
        }
        let others = [
            ("family", &narrowed.family),
            ("target", &narrowed.target),
            ("expected_operation_id", &narrowed.expected_operation_id),
        ];
        if let Some((other, _)) = others.into_iter().find(|(_, said)| said.is_some()) {
            return Err(invalid(format!("'{other}' does not go with 'session' or 'client'."))
                .hint("Everything they did is taken back together; leave it out."));
        }
        let time = |since: &String| {
            Timestamp::parse(since).map_err(|_| {
                invalid(format!("'since' is not a time: {since}")).hint("Write it as 2026-01-02T03:04:05Z.")
            })
        };
        let since = self.since.as_ref().map(time).transpose()?;
        Ok(UndoScope { session: self.session.clone(), client: self.client.clone(), since })
    }
}

/// Which of their files somebody changed since.
pub fn look(look: &Look, theirs: &Theirs, narrowed: &Narrowed) -> ChangedPaths {
    // What is wrong with the call is said when it is decided.
    let steps = theirs.whose(narrowed).and_then(|whose| undo_all(look, &whose, &ChangedPaths::new()));
    steps.map(|steps| apart::changed(look.world, &steps.outcome.effects)).unwrap_or_default()
}

pub fn take_back(
    ctx: &Ctx,
    theirs: &Theirs,
    narrowed: &Narrowed,
    changed: &ChangedPaths,
    yes: bool,
) -> Result<Outcome> {
    let Steps { ops, left, stay, mut outcome } = undo_all(ctx, &theirs.whose(narrowed)?, changed)?;
    let id = ctx.record_id();
    let written = || outcome.effects.iter().filter(|e| !e.kept);
    let body = TheirsReply {
        undid: ops.iter().take(SHOWN).map(RecordSummary::of).collect(),
        count: ops.len(),
        operation_id: (yes && !ctx.call.preview).then_some(&id),
        rows: outcome.changes.len(),
        files: written().take(SHOWN).map(TouchedFile::of).collect(),
        files_count: written().count(),
        preview: !yes || ctx.call.preview,
        left: left.iter().take(SHOWN).map(Left::of).collect(),
        clashes: &stay[..stay.len().min(SHOWN)],
        note: (!yes).then_some(LOOK_FIRST),
        next: (!yes).then(|| FollowingCall::again(ctx, "yes", true)),
    };
    let reply = reply(ctx, false, &body);
    outcome.shown_first = !yes;
    outcome.reply = reply;
    outcome.record.id = Some(id);
    Ok(outcome)
}
