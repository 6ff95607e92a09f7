//! `history_redo`: brings back the operation that was undone last.

use serde::Deserialize;

use crate::core::apart::ChangedPaths;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool, Writes, history};

use super::take_back::{self, Narrowed, TakeBack};

pub struct HistoryRedo;

#[derive(Debug, Deserialize)]
pub struct HistoryRedoArgs {
    #[serde(flatten)]
    narrowed: Narrowed,
    #[serde(default)]
    yes: bool,
}

impl Tool for HistoryRedo {
    type Args = HistoryRedoArgs;
    type Seen = ChangedPaths;
    const NAME: &'static str = "history_redo";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &HistoryRedoArgs) -> Result<ChangedPaths> {
        let step =
            history::redo(look, &args.narrowed.scope(look), args.narrowed.expected_operation_id.as_deref());
        Ok(take_back::look(look, step))
    }

    fn decide(ctx: &Ctx, args: &HistoryRedoArgs, changed: &ChangedPaths) -> Result<Outcome> {
        let expected = args.narrowed.expected_operation_id.as_deref();
        let step = history::redo(ctx, &args.narrowed.scope(ctx), expected)?;
        take_back::outcome(ctx, step, changed, args.yes, TakeBack::Redo)
    }
}
