//! `tasks_focus_clear`: forgets the focus.

use serde::Deserialize;

use crate::core::Result;

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::focus;
use super::super::intent::Intent;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct FocusClear;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FocusClearArgs {
    #[serde(flatten)]
    common: Common,
}

impl Intent for FocusClear {
    type Args = FocusClearArgs;
    const TOOL: &'static str = "tasks_focus_clear";

    fn common(args: &FocusClearArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        _args: &FocusClearArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let cleared = focus::of(request)?.is_some();
        focus::point(request, None)?;
        Ok(focus::answer(None, Some(cleared)))
    }
}
