//! `tasks_close_step`: verifies checkpoints and completes a step in one call, or does neither.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::closing::{self, Closing};
use super::super::intent::{FocusUse, Intent};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

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

    fn answer(
        request: &mut IntentRequest,
        args: &CloseStepArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        closing::close(request, &args.common, &args.closing, target)
    }
}
