//! `tasks_done`: completes a step whose checkpoints are confirmed; with `auto_verify` it is close_step.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{Common, Flag, forced, text};
use super::super::closing::{self, Closing, StepEnding};
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksDone;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksDoneArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    closing: Closing,
    auto_verify: Flag,
}

impl Intent for TasksDone {
    type Args = TasksDoneArgs;
    const TOOL: &'static str = "tasks_done";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;
    const LOOKS: Needs = Needs::World;

    fn common(args: &TasksDoneArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksDoneArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let closing = &args.closing;
        if args.auto_verify.on() {
            return closing::close(request, &args.common, closing, target);
        }
        let (item, path) = request.step(target, &closing.said.address())?;
        let forced = forced(&closing.force, &closing.override_reason, &item.id)?;
        let before = reply::checkpoints(&path.step(&item)?.gates);
        let ending = StepEnding { item, path, before, completed: true, note: text(&closing.note), forced };
        closing::finish(request, &args.common, ending)
    }
}
