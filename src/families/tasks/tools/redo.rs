//! `tasks_redo`: brings the task operation back that was undone last.

use crate::core::{Ctx, Look, Outcome, Result, Tool};

use super::super::undoing::{Direction, UndoArgs, take_back};

pub struct Redo;

impl Tool for Redo {
    type Args = UndoArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_redo";
    const IN_TURN: bool = true;

    fn look(_look: &Look, _args: &UndoArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &UndoArgs, _seen: &()) -> Result<Outcome> {
        take_back(ctx, args, Direction::Redo)
    }
}
