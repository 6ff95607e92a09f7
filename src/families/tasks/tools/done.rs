//! `tasks_done`: completes a step whose checkpoints are confirmed; with `auto_verify` it is close_step.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::Answer;
use super::super::args::{Common, Flag, forced, text};
use super::super::closing::{self, Closing, Ending};
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::Request;
use super::super::target::Target;

pub struct Done;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DoneArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    closing: Closing,
    auto_verify: Flag,
}

impl Intent for Done {
    type Args = DoneArgs;
    const TOOL: &'static str = "tasks_done";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;
    const LOOKS: Needs = Needs::World;

    fn common(args: &DoneArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut Request, args: &DoneArgs, target: &Target) -> Result<Answer> {
        let closing = &args.closing;
        if args.auto_verify.on() {
            return closing::close(request, &args.common, closing, target);
        }
        let (item, path) = request.step(target, &closing.said.address())?;
        let forced = forced(&closing.force, &closing.override_reason, &item.id)?;
        let before = reply::checkpoints(&path.step(&item)?.gates);
        let ending = Ending { item, path, before, completed: true, note: text(&closing.note), forced };
        closing::finish(request, &args.common, ending)
    }
}
