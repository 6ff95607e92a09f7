//! `tasks_radar`: one screen about a plan or task, with the one next action.

use serde::Deserialize;

use crate::core::Result;

use super::super::answer::Answer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::radar::{self, BoundArgs};
use super::super::request::Request;
use super::super::scene;
use super::super::target::Target;

pub struct Radar;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RadarArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    bounds: BoundArgs,
}

impl Intent for Radar {
    type Args = RadarArgs;
    const TOOL: &'static str = "tasks_radar";

    fn common(args: &RadarArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut Request, args: &RadarArgs, target: &Target) -> Result<Answer> {
        let bounds = args.bounds.read()?;
        let scene = scene::load(request, target)?;
        let (shown, next) = radar::build(request, &scene, bounds.limit);
        Ok(radar::answer(request, "radar", &scene, shown, next, bounds.max_chars))
    }
}
