//! `tasks_progress`: sets the completion of a step, or takes it back; only the first is gated.

use serde::Deserialize;

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::Answer;
use super::super::args::{Common, Flag, forced, text};
use super::super::closing::{self, Ending};
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::Request;
use super::super::target::Target;

pub struct Progress;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ProgressArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
    completed: Flag,
    note: Given<String>,
    force: Given<bool>,
    override_reason: Given<String>,
}

impl Intent for Progress {
    type Args = ProgressArgs;
    const TOOL: &'static str = "tasks_progress";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &ProgressArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut Request, args: &ProgressArgs, target: &Target) -> Result<Answer> {
        let (item, path) = request.step(target, &Address::of_step(&args.path, &args.step_id))?;
        let forced = forced(&args.force, &args.override_reason, &item.id)?;
        let before = reply::checkpoints(&path.step(&item)?.gates);
        let completed = args.completed.on();
        let ending = Ending { item, path, before, completed, note: text(&args.note), forced };
        closing::finish(request, &args.common, ending)
    }
}
