//! `history_redo`: brings back the operation that was undone last.

use serde::Deserialize;

use crate::core::apart::Changed;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool, Writes, history};

use super::take_back::{self, Narrowed, Turn};

pub struct Redo;

#[derive(Debug, Deserialize)]
pub struct RedoArgs {
    #[serde(flatten)]
    narrowed: Narrowed,
    #[serde(default)]
    yes: bool,
}

impl Tool for Redo {
    type Args = RedoArgs;
    type Seen = Changed;
    const NAME: &'static str = "history_redo";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &RedoArgs) -> Result<Changed> {
        let step =
            history::redo(look, &args.narrowed.scope(look), args.narrowed.expected_operation_id.as_deref());
        Ok(take_back::look(look, step))
    }

    fn decide(ctx: &Ctx, args: &RedoArgs, changed: &Changed) -> Result<Outcome> {
        let expected = args.narrowed.expected_operation_id.as_deref();
        let step = history::redo(ctx, &args.narrowed.scope(ctx), expected)?;
        take_back::outcome(ctx, step, changed, args.yes, Turn::Redo)
    }
}
