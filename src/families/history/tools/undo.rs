//! `history_undo`: takes back the newest operation of this workspace, or everything one session or client did.

use serde::Deserialize;

use crate::core::apart::ChangedPaths;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool, Writes, history};

use super::take_back::{self, Narrowed, TakeBack};
use super::theirs::{self, Theirs};

pub struct HistoryUndo;

#[derive(Debug, Deserialize)]
pub struct HistoryUndoArgs {
    #[serde(flatten)]
    narrowed: Narrowed,
    #[serde(flatten)]
    theirs: Theirs,
    #[serde(default)]
    yes: bool,
}

impl Tool for HistoryUndo {
    type Args = HistoryUndoArgs;
    type Seen = ChangedPaths;
    const NAME: &'static str = "history_undo";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &HistoryUndoArgs) -> Result<ChangedPaths> {
        if args.theirs.is_meant() {
            return Ok(theirs::look(look, &args.theirs, &args.narrowed));
        }
        let step =
            history::undo(look, &args.narrowed.scope(look), args.narrowed.expected_operation_id.as_deref());
        Ok(take_back::look(look, step))
    }

    fn decide(ctx: &Ctx, args: &HistoryUndoArgs, changed: &ChangedPaths) -> Result<Outcome> {
        let HistoryUndoArgs { narrowed, theirs, yes } = args;
        if theirs.is_meant() {
            return theirs::take_back(ctx, theirs, narrowed, changed, *yes);
        }
        let expected = narrowed.expected_operation_id.as_deref();
        let step = history::undo(ctx, &narrowed.scope(ctx), expected)?;
        take_back::outcome(ctx, step, changed, *yes, TakeBack::Undo)
    }
}
