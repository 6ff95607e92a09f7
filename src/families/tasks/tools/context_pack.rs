//! `tasks_context_pack`: a cold start in one call: the radar and the newest operations, in one budget.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::{IntentAnswer, object};
use super::super::args::{self, Common, WholeNumber};
use super::super::budget::{ReplyRoom, fit, fit_pack};
use super::super::errors::EnvelopeParts;
use super::super::intent::Intent;
use super::super::log::{SliceArgs, TaskLogQuery, slice};
use super::super::model::Object;
use super::super::radar::{self, BoundArgs};
use super::super::request::IntentRequest;
use super::super::scene;
use super::super::target::IntentTarget;

pub struct TasksContextPack;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksContextPackArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    bounds: BoundArgs,
    #[serde(flatten)]
    slice: SliceArgs,
    delta_limit: Given<WholeNumber>,
}

#[derive(Serialize)]
struct RadarAlone {
    radar: Object,
}

impl Intent for TasksContextPack {
    type Args = TasksContextPackArgs;
    const TOOL: &'static str = "tasks_context_pack";

    fn common(args: &TasksContextPackArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksContextPackArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let bounds = args.bounds.read()?;
        let limit =
            args::number(&args.delta_limit, "delta_limit", 0, 500, "INVALID_DELTA_LIMIT")?.unwrap_or(20);
        let scene = scene::load(request, target)?;
        let (shown, next) = radar::build(request, &scene, bounds.limit);
        let room = ReplyRoom::of(request, "context_pack", &scene.item.id, bounds.max_chars);
        let wanted = TaskLogQuery::of_item(&scene.item.id);
        let delta = slice(request, &args.slice, &wanted, limit as usize, true).map_err(|e| {
            let (radar, _) = fit(shown.clone(), next.clone(), &room);
            e.result(RadarAlone { radar })
        })?;
        let (result, next) = fit_pack(shown, object(&delta), next, &room);
        Ok(IntentAnswer::about(&scene.item.id, &result).suggest(next))
    }
}
