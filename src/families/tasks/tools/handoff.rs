//! `tasks_handoff`: the radar with what is done, what remains and the risks, for whoever goes on.

use serde::{Deserialize, Serialize};

use crate::core::Result;

use super::super::answer::{IntentAnswer, object};
use super::super::args::Common;
use super::super::contract;
use super::super::intent::Intent;
use super::super::model::TaskStep;
use super::super::radar::{self, BoundArgs};
use super::super::request::IntentRequest;
use super::super::scene::{self, TaskScene};
use super::super::target::IntentTarget;

pub struct Handoff;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HandoffArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    bounds: BoundArgs,
}

#[derive(Serialize)]
struct Handed {
    done: Tally,
    remaining: Tally,
    risks: Vec<String>,
}

#[derive(Serialize)]
struct Tally {
    count: usize,
    total: usize,
    items: Vec<String>,
}

impl Intent for Handoff {
    type Args = HandoffArgs;
    const TOOL: &'static str = "tasks_handoff";

    fn common(args: &HandoffArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &HandoffArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let bounds = args.bounds.read()?;
        let scene = scene::load(request, target)?;
        let (mut shown, next) = radar::build(request, &scene, bounds.limit);
        shown.extend(object(&handed(&scene)));
        Ok(radar::answer(request, "handoff", &scene, shown, next, bounds.max_chars))
    }
}

fn handed(scene: &TaskScene) -> Handed {
    let item = &scene.item;
    let (done, remaining): (Vec<String>, Vec<String>) = if item.is_plan() {
        let at = item.plan_current.clamp(0, item.plan_steps.len() as i64) as usize;
        let (done, rest) = item.plan_steps.split_at(at);
        (done.to_vec(), rest.to_vec())
    } else {
        let (done, rest): (Vec<&TaskStep>, Vec<&TaskStep>) = item.steps.iter().partition(|s| s.completed);
        let titles = |list: Vec<&TaskStep>| list.into_iter().map(|s| s.title.clone()).collect();
        (titles(done), titles(rest))
    };
    let total = done.len() + remaining.len();
    let risks = match item.risks.is_empty() {
        false => item.risks.clone(),
        true => scene.plan().map(|p| contract::data_list(p, "risks")).unwrap_or_default(),
    };
    Handed { done: tally(done, total), remaining: tally(remaining, total), risks }
}

fn tally(items: Vec<String>, total: usize) -> Tally {
    Tally { count: items.len(), total, items: items.into_iter().take(5).collect() }
}
