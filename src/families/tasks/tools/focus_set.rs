//! `tasks_focus_set`: makes a plan or task the one that calls without a target mean.

use serde::Deserialize;

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{Common, text};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::Intent;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;
use super::super::{args, focus, rows, suggest};

pub struct FocusSet;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FocusSetArgs {
    #[serde(flatten)]
    common: Common,
    /// Accepted for the contract's sake: an id is found in every domain.
    #[serde(rename = "domain")]
    _domain: Given<String>,
}

impl Intent for FocusSet {
    type Args = FocusSetArgs;
    const TOOL: &'static str = "tasks_focus_set";

    fn common(args: &FocusSetArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        _args: &FocusSetArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let given = if target.task.is_sent() { &target.task } else { &target.plan };
        let Some(said) = text(given) else {
            args::id(given, "task", "INVALID_TASK")?;
            return Err(fail("MISSING_TASK", "'task' is required: the id to focus.")
                .hint("Name a TASK or PLAN id in 'task'.")
                .suggest(suggest::pick_a_target(request.view(), request.workspace())?));
        };
        let known = |id: &str| rows::summary(request.view(), request.workspace(), id);
        let mut found = known(said)?;
        if found.is_none() {
            found = known(&focus::normalized(said))?;
        }
        if found.is_none() {
            found = suggest::titled(request, Some(said))?;
        }
        let Some(summary) = found else {
            args::id(given, "task", "INVALID_TASK").map_err(|e| {
                e.hint("Send an id such as TASK-001, or a title that only one item has.")
                    .suggest(suggest::pick_a_target(request.view(), request.workspace()).unwrap_or_default())
            })?;
            return Err(request.not_found(&focus::normalized(said)));
        };
        focus::point(request, Some(&summary.id))?;
        Ok(focus::answer(Some(&summary), None))
    }
}
