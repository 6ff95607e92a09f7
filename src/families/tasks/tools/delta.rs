//! `tasks_delta`: operations after a given one, oldest first.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::log::{SliceArgs, TaskLogArgs, TaskLogQuery, slice};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksDelta;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksDeltaArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    filters: TaskLogArgs,
    #[serde(flatten)]
    slice: SliceArgs,
}

impl Intent for TasksDelta {
    type Args = TasksDeltaArgs;
    const TOOL: &'static str = "tasks_delta";

    fn common(args: &TasksDeltaArgs) -> &Common {
        &args.common
    }

    fn looks(args: &TasksDeltaArgs) -> Needs {
        if args.filters.scans() { Needs::Scan } else { Needs::Rows }
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksDeltaArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let wanted = TaskLogQuery::of(&args.filters, &target.task)?;
        let limit = args.filters.limit(50)?;
        Ok(IntentAnswer::new(&slice(request, &args.slice, &wanted, limit, false)?))
    }
}
