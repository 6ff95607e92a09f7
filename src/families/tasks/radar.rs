//! radar, handoff and context_pack: one screen about the current work, inside a hard budget.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::core::Result;

use super::args;
use super::artifact::{MAX_ARTIFACT_BYTES, MAX_ARTIFACTS};
use super::budget;
use super::contract;
use super::fail::Envelope;
use super::history;
use super::mirror;
use super::model::{Attachment, Check, Item, Object, Status, Step};
use super::path::Path;
use super::run::{Answer, Run};
use super::runway::{self, Runway};
use super::scene::{self, Scene};
use super::state::checklist_open;
use super::store::clip;

const DEFAULT_CHARS: i64 = 12_000;

/// `limit` and `max_chars` as these three intents take them.
struct Bounds {
    limit: i64,
    max_chars: usize,
}

fn bounds(request: &Object) -> Result<Bounds> {
    let limit = args::number(request, "limit", 0, 10, "INVALID_LIMIT")?.unwrap_or(3);
    let max = args::number(request, "max_chars", 0, i64::MAX, "INVALID_MAX_CHARS")?.unwrap_or(0);
    let max = if max == 0 { DEFAULT_CHARS } else { max.clamp(1_000, 50_000) };
    Ok(Bounds { limit, max_chars: max as usize })
}

/// The radar of a scene and the runway it was built from, before any budget.
fn build(run: &Run, scene: &Scene, limit: i64) -> (Value, Runway) {
    let item = &scene.item;
    let runway = Runway::of(scene);
    let next = runway::next(scene, &runway, run.view(), run.workspace(), run.ctx.now);
    let current = current(scene);
    let verify = if item.is_plan() { verify_plan(item) } else { verify_task(scene, current.as_ref()) };
    let open = verify["open_checkpoints"].clone();
    let key = item.kind.as_str();
    let why = why(scene);
    let radar = json!({
        "focus": {"id": item.id, "kind": key, "revision": scene.rev, "domain": item.domain,
            "title": item.title, "lifecycle_status": item.status.as_str()},
        "now": now(scene, current.as_ref(), &runway),
        "why": why,
        "verify": verify,
        "next": [next],
        "blockers": {"blocked": item.blocked || current.as_ref().is_some_and(|(_, s)| s.blocked),
            "blockers": current.as_ref().map_or(&item.blockers, |(_, s)| &s.blockers),
            "depends_on": item.depends_on, "unresolved_depends_on": scene.deps.unresolved()},
        "open_checkpoints": open,
        "runway": runway.shown(),
        "links": {
            "resume": {"intent": "resume", key: item.id},
            "mirror": {"intent": "mirror", key: item.id, "limit": 10},
            "context": {"intent": "context", "include_all": true, "compact": true},
            "focus_get": {"intent": "focus_get"},
            "history": {"intent": "history", "task": item.id, "limit": 20},
            "handoff": {"intent": "handoff", key: item.id, "limit": limit},
        },
        "how_to_verify": how_to_verify(scene, current.as_ref()),
    });
    (radar, runway)
}

type Current<'a> = (String, &'a Step);

fn current(scene: &Scene) -> Option<Current<'_>> {
    let path = runway::current_step(scene)?;
    let step = Path::parse(&path)?.step(&scene.item)?;
    Some((path, step))
}

fn now(scene: &Scene, current: Option<&Current>, runway: &Runway) -> Value {
    let item = &scene.item;
    if item.is_plan() {
        let total = item.plan_steps.len() as i64;
        let index = item.plan_current.clamp(0, total);
        let title = item.plan_steps.get(index as usize).cloned().unwrap_or_default();
        let status = match (total, checklist_open(item)) {
            (0, _) => "pending",
            (_, true) => "in_progress",
            (_, false) => "completed",
        };
        return json!({"kind": "plan_step", "index": index, "title": title, "total": total,
            "queue_status": status, "queue": {"remaining": total - index, "total": total}});
    }
    let steps = item.walk();
    let open: Vec<_> = steps.iter().filter(|(_, s)| !s.completed).collect();
    let (ready, pending): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, s)| s.ready());
    let first = |list: &[&(String, &Step)]| list.first().map(|(path, _)| path.clone());
    let queue = json!({"pending": pending.len(), "ready": ready.len(), "next_pending": first(&pending),
        "next_ready": first(&ready)});
    match current {
        Some((path, step)) => {
            let mut out = mirror::step_item(step, path);
            let status = if step.ready() { "in_progress" } else { "pending" };
            out["queue_status"] = json!(status);
            out["status"] = json!(status);
            out["queue"] = queue;
            out
        }
        None => {
            let status = match (item.status, runway.open) {
                (Status::Done, _) => "completed",
                (_, true) => "ready",
                (_, false) => "blocked",
            };
            json!({"kind": "task", "id": item.id, "title": item.title, "queue_status": status,
                "progress": item.progress, "queue": queue})
        }
    }
}

fn why(scene: &Scene) -> Value {
    let Some(plan) = scene.plan() else { return json!({"plan_id": scene.item.parent}) };
    let mut out = json!({"plan_id": plan.id, "contract_preview": clip(plan.contract.trim(), 280)});
    let goal = contract::goal(plan);
    let list = |key: &str, n: usize| {
        let items: Vec<_> = contract::data_list(plan, key).into_iter().take(n).collect();
        (!items.is_empty()).then(|| json!(items))
    };
    let mut summary = json!({});
    if !goal.is_empty() {
        summary["goal"] = json!(clip(goal, 180));
    }
    for (key, n) in [("checks", 5), ("done", 5), ("constraints", 3), ("risks", 3)] {
        if let Some(items) = list(key, n) {
            summary[key] = items;
        }
    }
    if summary != json!({}) {
        out["contract"] = summary;
    }
    out
}

fn commands(scene: &Scene, tests: &[String]) -> Vec<String> {
    let checks = scene.plan().map(|p| contract::data_list(p, "checks")).unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    for command in checks.iter().chain(tests) {
        if !out.contains(command) {
            out.push(command.clone());
        }
    }
    out.truncate(10);
    out
}

/// How often each kind occurs, by name.
fn counted<'a>(all: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    all.fold(BTreeMap::new(), |mut kinds, kind| {
        *kinds.entry(kind).or_default() += 1;
        kinds
    })
}

fn kinds<'a>(all: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Value {
    let last = all.clone().map(|(_, observed)| observed).max().filter(|last| !last.is_empty());
    let kinds = counted(all.map(|(kind, _)| kind));
    json!({"count": kinds.values().sum::<usize>(), "kinds": kinds, "last_observed_at": last})
}

fn check_kinds<'a>(checks: impl Iterator<Item = &'a Check> + Clone) -> Value {
    kinds(checks.map(|c| (c.kind.as_str(), c.observed_at.as_str())))
}

fn attachment_kinds<'a>(attachments: impl Iterator<Item = &'a Attachment> + Clone) -> Value {
    kinds(attachments.map(|a| (a.kind.as_str(), a.observed_at.as_str())))
}

fn evidence_of(step: &Step) -> Value {
    json!({"verification_outcome": step.verification_outcome,
        "checks": check_kinds(step.verification_checks.iter()),
        "attachments": attachment_kinds(step.attachments.iter())})
}

fn evidence_of_task(item: &Item) -> Value {
    let steps = item.walk();
    let outcomes: Vec<_> =
        steps.iter().map(|(_, s)| s.verification_outcome.as_str()).filter(|o| !o.is_empty()).collect();
    json!({"steps_total": steps.len(),
        "steps_with_any_evidence": steps.iter().filter(|(_, s)| s.has_evidence()).count(),
        "verification_outcomes": {"count": outcomes.len(), "kinds": counted(outcomes.iter().copied())},
        "checks": check_kinds(steps.iter().flat_map(|(_, s)| &s.verification_checks)),
        "attachments": attachment_kinds(steps.iter().flat_map(|(_, s)| &s.attachments))})
}

fn verify_task(scene: &Scene, current: Option<&Current>) -> Value {
    let item = &scene.item;
    let Some((path, step)) = current else {
        return json!({"commands": commands(scene, &item.tests), "open_checkpoints": [],
            "missing_checkpoints": [], "ready": null, "needs": null,
            "evidence_task": evidence_of_task(item)});
    };
    let needs = step.needs();
    let names: Vec<_> =
        needs.iter().map(|n| if n == "blocked" { "unblocked".to_string() } else { n.clone() }).collect();
    let missing: Vec<_> = names.iter().map(|n| json!({"checkpoint": n, "path": path})).collect();
    let tests: Vec<_> = step.tests.iter().take(10).collect();
    json!({"path": path, "step_id": step.id, "commands": commands(scene, &step.tests),
        "open_checkpoints": names, "missing_checkpoints": names, "tests": tests, "ready": step.ready(),
        "needs": needs, "missing": missing, "evidence": evidence_of(step),
        "evidence_task": evidence_of_task(item),
        "evidence_contract": {
            "limits": {"max_items": MAX_ARTIFACTS, "max_artifact_bytes": MAX_ARTIFACT_BYTES},
            "artifact_kinds": {"cmd_output": ["command", "exit_code", "stdout", "stderr"],
                "diff": ["diff"], "url": ["url"]}}})
}

fn verify_plan(item: &Item) -> Value {
    let mut open = Vec::new();
    if !item.success_criteria.is_empty() && !item.gates.criteria_confirmed {
        open.push("criteria");
    }
    if !item.tests.is_empty() && !item.gates.tests_confirmed {
        open.push("tests");
    }
    let mut commands = contract::data_list(item, "checks");
    for test in &item.tests {
        if !commands.contains(test) {
            commands.push(test.clone());
        }
    }
    commands.truncate(10);
    json!({"commands": commands, "open_checkpoints": open,
        "criteria_confirmed": item.gates.criteria_confirmed, "tests_confirmed": item.gates.tests_confirmed,
        "ready": null, "needs": null})
}

fn how_to_verify(scene: &Scene, current: Option<&Current>) -> Value {
    let criteria = match current {
        Some((_, step)) => &step.success_criteria,
        None => &scene.item.success_criteria,
    };
    let criteria: Vec<_> = criteria.iter().take(5).map(|c| clip(c, 180)).collect();
    json!({"criteria": criteria,
        "order": ["evidence_capture", if scene.item.is_plan() { "verify" } else { "close_step" }]})
}

/// The reply of a budgeted result: `next` and `suggestions[0]` are the same thing.
fn answer(scene: &Scene, result: Value) -> Answer {
    let next = result["next"].as_array().cloned().unwrap_or_default();
    Answer::about(&scene.item.id, result).suggest(next)
}

pub fn radar(run: &mut Run, request: &Object) -> Result<Answer> {
    let bounds = bounds(request)?;
    let scene = scene::load(run, request)?;
    let (radar, _) = build(run, &scene, bounds.limit);
    Ok(answer(&scene, budget::fit(radar, bounds.max_chars)))
}

fn tally(items: Vec<String>, total: usize) -> Value {
    let count = items.len();
    json!({"count": count, "total": total, "items": items.into_iter().take(5).collect::<Vec<_>>()})
}

pub fn handoff(run: &mut Run, request: &Object) -> Result<Answer> {
    let bounds = bounds(request)?;
    let scene = scene::load(run, request)?;
    let (mut radar, _) = build(run, &scene, bounds.limit);
    let item = &scene.item;
    let (done, remaining): (Vec<_>, Vec<_>) = if item.is_plan() {
        let at = item.plan_current.clamp(0, item.plan_steps.len() as i64) as usize;
        let (done, rest) = item.plan_steps.split_at(at);
        (done.to_vec(), rest.to_vec())
    } else {
        let (done, rest): (Vec<_>, Vec<_>) = item.steps.iter().partition(|s| s.completed);
        let titles = |list: Vec<&Step>| list.into_iter().map(|s| s.title.clone()).collect::<Vec<_>>();
        (titles(done), titles(rest))
    };
    let total = done.len() + remaining.len();
    radar["done"] = tally(done, total);
    radar["remaining"] = tally(remaining, total);
    let risks = match item.risks.is_empty() {
        false => item.risks.clone(),
        true => scene.plan().map(|p| contract::data_list(p, "risks")).unwrap_or_default(),
    };
    radar["risks"] = json!(risks);
    Ok(answer(&scene, budget::fit(radar, bounds.max_chars)))
}

pub fn context_pack(run: &mut Run, request: &Object) -> Result<Answer> {
    let bounds = bounds(request)?;
    let limit = args::number(request, "delta_limit", 0, 500, "INVALID_DELTA_LIMIT")?.unwrap_or(20);
    let scene = scene::load(run, request)?;
    let (radar, _) = build(run, &scene, bounds.limit);
    let fitted = budget::fit(radar.clone(), bounds.max_chars);
    let delta = history::pack_delta(run, request, &scene.item.id, limit as usize)
        .map_err(|e| e.result(json!({"radar": fitted, "radar_budget": fitted["budget"]})))?;
    Ok(answer(&scene, budget::fit_pack(radar, delta, bounds.max_chars)))
}
