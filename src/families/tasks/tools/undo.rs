//! `tasks_undo`: takes the newest task operation of the workspace back.

use crate::core::{Ctx, Look, Outcome, Result, Tool};

use super::super::undoing::{Direction, UndoArgs, take_back};

pub struct Undo;

impl Tool for Undo {
    type Args = UndoArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_undo";
    const IN_TURN: bool = true;

    fn look(_look: &Look, _args: &UndoArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &UndoArgs, _seen: &()) -> Result<Outcome> {
        take_back(ctx, args, Direction::Undo)
    }
}
