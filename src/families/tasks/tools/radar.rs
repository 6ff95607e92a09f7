//! `tasks_radar`: one screen about a plan or task, with the one next action.

use serde::Deserialize;

use crate::core::Result;

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::radar::{self, BoundArgs};
use super::super::request::IntentRequest;
use super::super::scene;
use super::super::target::IntentTarget;

pub struct TasksRadar;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksRadarArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    bounds: BoundArgs,
}

impl Intent for TasksRadar {
    type Args = TasksRadarArgs;
    const TOOL: &'static str = "tasks_radar";

    fn common(args: &TasksRadarArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksRadarArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let bounds = args.bounds.read()?;
        let scene = scene::load(request, target)?;
        let (shown, next) = radar::build(request, &scene, bounds.limit);
        Ok(radar::answer(request, "radar", &scene, shown, next, bounds.max_chars))
    }
}
