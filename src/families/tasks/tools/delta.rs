//! `tasks_delta`: operations after a given one, oldest first.

use serde::Deserialize;

use crate::core::{Needs, Result};

use super::super::answer::Answer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::log::{LogArgs, SliceArgs, Wanted, slice};
use super::super::request::Request;
use super::super::target::Target;

pub struct Delta;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeltaArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    filters: LogArgs,
    #[serde(flatten)]
    slice: SliceArgs,
}

impl Intent for Delta {
    type Args = DeltaArgs;
    const TOOL: &'static str = "tasks_delta";

    fn common(args: &DeltaArgs) -> &Common {
        &args.common
    }

    fn looks(args: &DeltaArgs) -> Needs {
        if args.filters.scans() { Needs::Scan } else { Needs::Rows }
    }

    fn answer(request: &mut Request, args: &DeltaArgs, target: &Target) -> Result<Answer> {
        let wanted = Wanted::of(&args.filters, &target.task)?;
        let limit = args.filters.limit(50)?;
        Ok(Answer::new(&slice(request, &args.slice, &wanted, limit, false)?))
    }
}
