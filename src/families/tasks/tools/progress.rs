//! `tasks_progress`: sets the completion of a step, or takes it back; only the first is gated.

use serde::Deserialize;

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{Common, Flag, forced, text};
use super::super::closing::{self, StepEnding};
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksProgress;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksProgressArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
    completed: Flag,
    note: Given<String>,
    force: Given<bool>,
    override_reason: Given<String>,
}

impl Intent for TasksProgress {
    type Args = TasksProgressArgs;
    const TOOL: &'static str = "tasks_progress";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &TasksProgressArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksProgressArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let (item, path) = request.step(target, &Address::of_step(&args.path, &args.step_id))?;
        let forced = forced(&args.force, &args.override_reason, &item.id)?;
        let before = reply::checkpoints(&path.step(&item)?.gates);
        let completed = args.completed.on();
        let ending = StepEnding { item, path, before, completed, note: text(&args.note), forced };
        closing::finish(request, &args.common, ending)
    }
}
