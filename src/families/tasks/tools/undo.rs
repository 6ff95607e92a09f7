//! `tasks_undo`: takes the newest task operation of the workspace back.

use crate::core::{Ctx, Look, Outcome, Result, Tool};

use super::super::undoing::{Direction, TasksUndoArgs, take_back};

pub struct TasksUndo;

impl Tool for TasksUndo {
    type Args = TasksUndoArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_undo";
    const IN_TURN: bool = true;

    fn look(_look: &Look, _args: &TasksUndoArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &TasksUndoArgs, _seen: &()) -> Result<Outcome> {
        take_back(ctx, args, Direction::Undo)
    }
}
