//! `tasks_close_step`: verifies checkpoints and completes a step in one call, or does neither.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::Answer;
use super::super::args::Common;
use super::super::closing::{self, Closing};
use super::super::intent::{FocusUse, Intent};
use super::super::request::Request;
use super::super::target::Target;

pub struct CloseStep;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CloseStepArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    closing: Closing,
}

impl Intent for CloseStep {
    type Args = CloseStepArgs;
    const TOOL: &'static str = "tasks_close_step";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;
    const LOOKS: Needs = Needs::World;

    fn common(args: &CloseStepArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut Request, args: &CloseStepArgs, target: &Target) -> Result<Answer> {
        closing::close(request, &args.common, &args.closing, target)
    }
}
