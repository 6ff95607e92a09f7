//! resume: one plan or task, short or whole, with its timeline.

use serde_json::{Value, json};

use crate::core::Result;

use super::args::{self, flag};
use super::model::{Item, Object};
use super::run::{Answer, Run};
use super::runway::{self, Runway};
use super::scene::{self, Scene};
use super::shape;

const MOST: usize = 10;

/// Which open steps wait and which could be closed; bounded when short.
fn checkpoint_status(item: &Item, bounded: bool) -> Value {
    let steps = item.walk();
    let open = steps.iter().filter(|(_, s)| !s.completed);
    let (ready, pending): (Vec<_>, Vec<_>) = open.partition(|(_, s)| s.ready());
    let most = if bounded { MOST } else { usize::MAX };
    let paths = |list: &[&(String, &super::model::Step)]| -> Vec<String> {
        list.iter().take(most).map(|(p, _)| p.clone()).collect()
    };
    let ids = |list: &[&(String, &super::model::Step)]| -> Vec<String> {
        list.iter().take(most).map(|(_, s)| s.id.clone()).collect()
    };
    let mut out = json!({"pending": paths(&pending), "ready": paths(&ready), "pending_ids": ids(&pending),
        "ready_ids": ids(&ready)});
    if bounded {
        out["pending_count"] = json!(pending.len());
        out["ready_count"] = json!(ready.len());
        out["next_pending"] = json!(pending.first().map(|(p, _)| p));
        out["next_ready"] = json!(ready.first().map(|(p, _)| p));
    }
    out
}

pub fn resume(run: &mut Run, request: &Object) -> Result<Answer> {
    let limit = args::number(request, "events_limit", 0, 500, "INVALID_LIMIT")?.unwrap_or(20);
    let loaded = scene::target(run, request)?;
    let compact = flag(request, "compact", true);
    let (item, rev) = (&loaded.item, loaded.rev);
    let key = item.kind.as_str();
    let mut result = json!({});
    result[key] = shape::item(item, rev, compact);
    if item.is_plan() {
        if compact {
            result[key]["plan"] =
                json!({"steps": item.plan_steps, "current": item.plan_current, "doc": item.plan_doc});
        }
    } else {
        result["checkpoint_status"] = checkpoint_status(item, compact);
        if flag(request, "include_steps", false) && compact {
            result[key]["steps"] = shape::steps(&item.steps, "", true);
        }
    }
    let timeline: Vec<_> = item.events.iter().rev().take(limit as usize).collect();
    if !timeline.is_empty() {
        result["timeline"] = json!(timeline);
    }
    if let Some(map) = result[key].as_object_mut() {
        map.shift_remove("events");
    }
    let scene = Scene::of(run.view(), run.workspace(), loaded.clone())?;
    let runway = Runway::of(&scene);
    let next = runway::next(&scene, &runway, run.view(), run.workspace(), run.ctx.now);
    if compact {
        let lint = super::lint::summary(&runway.issues);
        let obstacle = runway.obstacle.as_ref().map(|o| o.code);
        result["summary"] = json!({
            "focus": {"id": item.id, "kind": key, "revision": rev, "title": item.title,
                "lifecycle_status": item.status.as_str()},
            "now": {"path": runway::current_step(&scene)},
            "runway": {"open": runway.open, "lint": lint, "validation": obstacle}});
    }
    Ok(Answer::about(&item.id, result).suggest(vec![next]))
}
