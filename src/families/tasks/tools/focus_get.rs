//! `tasks_focus_get`: shows the focused plan or task.

use serde::Deserialize;

use crate::core::Result;

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::focus;
use super::super::intent::Intent;
use super::super::request::IntentRequest;
use super::super::suggest;
use super::super::target::IntentTarget;

pub struct FocusGet;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FocusGetArgs {
    #[serde(flatten)]
    common: Common,
}

impl Intent for FocusGet {
    type Args = FocusGetArgs;
    const TOOL: &'static str = "tasks_focus_get";

    fn common(args: &FocusGetArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        _args: &FocusGetArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let focus = focus::of(request)?;
        let mut answer = focus::answer(focus.as_ref(), None);
        if focus.is_none() {
            answer.suggestions = suggest::pick_a_target(request.view(), request.workspace())?;
            answer.suggestions.retain(|s| s.action != "focus_get");
        }
        Ok(answer)
    }
}
