//! `tasks_redo`: brings the task operation back that was undone last.

use crate::core::{Ctx, Look, Outcome, Result, Tool};

use super::super::undoing::{Direction, TasksUndoArgs, take_back};

pub struct TasksRedo;

impl Tool for TasksRedo {
    type Args = TasksUndoArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_redo";
    const IN_TURN: bool = true;

    fn look(_look: &Look, _args: &TasksUndoArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &TasksUndoArgs, _seen: &()) -> Result<Outcome> {
        take_back(ctx, args, Direction::Redo)
    }
}
