//! `tasks_context_pack`: a cold start in one call: the radar and the newest operations, in one budget.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::{Answer, object};
use super::super::args::{self, Common, Whole};
use super::super::budget::{Room, fit, fit_pack};
use super::super::errors::Envelope;
use super::super::intent::Intent;
use super::super::log::{SliceArgs, Wanted, slice};
use super::super::model::Object;
use super::super::radar::{self, BoundArgs};
use super::super::request::Request;
use super::super::scene;
use super::super::target::Target;

pub struct ContextPack;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ContextPackArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    bounds: BoundArgs,
    #[serde(flatten)]
    slice: SliceArgs,
    delta_limit: Given<Whole>,
}

#[derive(Serialize)]
struct RadarAlone {
    radar: Object,
}

impl Intent for ContextPack {
    type Args = ContextPackArgs;
    const TOOL: &'static str = "tasks_context_pack";

    fn common(args: &ContextPackArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut Request, args: &ContextPackArgs, target: &Target) -> Result<Answer> {
        let bounds = args.bounds.read()?;
        let limit =
            args::number(&args.delta_limit, "delta_limit", 0, 500, "INVALID_DELTA_LIMIT")?.unwrap_or(20);
        let scene = scene::load(request, target)?;
        let (shown, next) = radar::build(request, &scene, bounds.limit);
        let room = Room::of(request, "context_pack", &scene.item.id, bounds.max_chars);
        let wanted = Wanted::of_item(&scene.item.id);
        let delta = slice(request, &args.slice, &wanted, limit as usize, true).map_err(|e| {
            let (radar, _) = fit(shown.clone(), next.clone(), &room);
            e.result(RadarAlone { radar })
        })?;
        let (result, next) = fit_pack(shown, object(&delta), next, &room);
        Ok(Answer::about(&scene.item.id, &result).suggest(next))
    }
}
