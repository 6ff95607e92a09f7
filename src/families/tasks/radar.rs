//! One screen about the current work: what radar, handoff and context_pack show, before any budget.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::answer::{IntentAnswer, object};
use super::args::{self, WholeNumber};
use super::budget::{self, ReplyRoom};
use super::claims::ClaimShown;
use super::contract;
use super::links::IntentLink;
use super::model::{CheckpointKind, Object, TaskStatus, TaskStep};
use super::path::StepPath;
use super::request::IntentRequest;
use super::rows::clip;
use super::runway::{self, Runway, RunwayShown};
use super::scene::TaskScene;
use super::state::checklist_open;
use super::suggest::Suggestion;
use super::verification::{HowToVerify, ToVerify};
use super::worklist::{Queue, WorkItem};

const DEFAULT_CHARS: i64 = 12_000;
/// Notes that survive a handover.
const NOTES: usize = 5;

/// `limit` and `max_chars` as the three intents take them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BoundArgs {
    limit: Given<WholeNumber>,
    max_chars: Given<WholeNumber>,
}

pub struct Bounds {
    pub limit: i64,
    pub max_chars: usize,
}

impl BoundArgs {
    pub fn read(&self) -> Result<Bounds> {
        let limit = args::number(&self.limit, "limit", 0, 10, "INVALID_LIMIT")?.unwrap_or(3);
        let max = args::number(&self.max_chars, "max_chars", 0, i64::MAX, "INVALID_MAX_CHARS")?.unwrap_or(0);
        let max = if max == 0 { DEFAULT_CHARS } else { max.clamp(1_000, 50_000) };
        Ok(Bounds { limit, max_chars: max as usize })
    }
}

#[derive(Serialize)]
pub struct RadarShown<'a> {
    focus: FocusShown<'a>,
    now: Now<'a>,
    next: Vec<&'a Suggestion>,
    why: Why<'a>,
    verify: ToVerify<'a>,
    blockers: Blockers<'a>,
    open_checkpoints: Vec<String>,
    runway: RunwayShown<'a>,
    how_to_verify: HowToVerify<'a>,
    links: Links<'a>,
}

#[derive(Serialize)]
struct FocusShown<'a> {
    id: &'a str,
    kind: &'static str,
    revision: u64,
    domain: &'a str,
    title: &'a str,
    lifecycle_status: &'static str,
    #[serde(flatten)]
    held: Option<ClaimShown>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Now<'a> {
    Checklist(ChecklistNow<'a>),
    Step(Box<StepNow>),
    Item(ItemNow<'a>),
}

#[derive(Serialize)]
struct ChecklistNow<'a> {
    kind: &'static str,
    index: i64,
    title: &'a str,
    total: i64,
    queue_status: &'static str,
    queue: ChecklistQueue,
}

#[derive(Serialize)]
struct ChecklistQueue {
    remaining: i64,
    total: i64,
}

#[derive(Serialize)]
struct StepNow {
    #[serde(flatten)]
    step: WorkItem,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    queue: StepQueue,
}

#[derive(Serialize)]
struct ItemNow<'a> {
    kind: &'static str,
    id: &'a str,
    title: &'a str,
    queue_status: &'static str,
    progress: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    queue: StepQueue,
}

#[derive(Serialize)]
struct StepQueue {
    pending: usize,
    ready: usize,
    next_pending: Option<String>,
    next_ready: Option<String>,
}

#[derive(Serialize)]
struct Why<'a> {
    plan_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract_preview: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<ContractShown>,
}

#[derive(Serialize)]
struct ContractShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    done: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    risks: Vec<String>,
}

#[derive(Serialize)]
struct Blockers<'a> {
    blocked: bool,
    blockers: &'a [String],
    depends_on: &'a [String],
    unresolved_depends_on: Vec<String>,
}

#[derive(Serialize)]
struct Links<'a> {
    resume: IntentLink<'a>,
    mirror: IntentLink<'a>,
    context: IntentLink<'a>,
    focus_get: IntentLink<'a>,
    history: IntentLink<'a>,
    handoff: IntentLink<'a>,
}

/// A step and its path.
pub type Current<'a> = (String, &'a TaskStep);

/// The step at hand.
pub fn current(scene: &TaskScene) -> Option<Current<'_>> {
    let path = runway::current_step(scene)?;
    let step = StepPath::parse(&path, &scene.item)?.step(&scene.item).ok()?;
    Some((path, step))
}

/// The last notes and decisions on a step: what was noted, why it waits, and what was said about its checkpoints.
pub fn notes(step: &TaskStep) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for gate in CheckpointKind::ALL {
        all.extend(step.gates.of(gate).notes.iter().map(|note| format!("{}: {note}", gate.as_str())));
    }
    all.extend(step.progress_notes.iter().cloned());
    if !step.block_reason.is_empty() {
        all.push(format!("blocked: {}", step.block_reason));
    }
    let skip = all.len().saturating_sub(NOTES);
    all.into_iter().skip(skip).map(|note| clip(&note, 200)).collect()
}

/// The radar of a scene as an object, and the one action it leads to.
pub fn build(request: &IntentRequest, scene: &TaskScene, limit: i64) -> (Object, Vec<Suggestion>) {
    let item = &scene.item;
    let runway = Runway::of(scene);
    let next: Vec<Suggestion> = runway::next_of(request, scene, &runway).into_iter().collect();
    let current = current(scene);
    let verify = ToVerify::of(scene, current.as_ref());
    let shown = RadarShown {
        focus: FocusShown {
            id: &item.id,
            kind: item.kind.as_str(),
            revision: scene.rev,
            domain: &item.domain,
            title: &item.title,
            lifecycle_status: item.status.as_str(),
            held: ClaimShown::of(request.ctx, request.view(), &item.id).ok().flatten(),
        },
        now: now(scene, current.as_ref(), &runway),
        next: next.iter().collect(),
        why: why(scene),
        open_checkpoints: verify.open_checkpoints.clone(),
        verify,
        blockers: Blockers {
            blocked: item.blocked || current.as_ref().is_some_and(|(_, s)| s.blocked),
            blockers: current.as_ref().map_or(&item.blockers, |(_, s)| &s.blockers),
            depends_on: &item.depends_on,
            unresolved_depends_on: scene.deps.unresolved(),
        },
        runway: runway.shown(),
        how_to_verify: HowToVerify::of(scene, current.as_ref()),
        links: Links {
            resume: IntentLink::of("resume", item),
            mirror: IntentLink::of("mirror", item).limit(10),
            context: IntentLink::to("context"),
            focus_get: IntentLink::to("focus_get"),
            history: IntentLink::of_any("history", item).limit(20),
            handoff: IntentLink::of("handoff", item).limit(limit),
        },
    };
    (object(&shown), next)
}

/// The reply of a radar within its budget.
pub fn answer(
    request: &IntentRequest,
    intent: &str,
    scene: &TaskScene,
    result: Object,
    next: Vec<Suggestion>,
    max: usize,
) -> IntentAnswer {
    let room = ReplyRoom::of(request, intent, &scene.item.id, max);
    let (result, next) = budget::fit(result, next, &room);
    IntentAnswer::about(&scene.item.id, &result).suggest(next)
}

fn now<'a>(scene: &'a TaskScene, current: Option<&Current>, runway: &Runway) -> Now<'a> {
    let item = &scene.item;
    if item.is_plan() {
        let total = item.plan_steps.len() as i64;
        let index = item.plan_current.clamp(0, total);
        return Now::Checklist(ChecklistNow {
            kind: "plan_step",
            index,
            title: item.plan_steps.get(index as usize).map_or("", String::as_str),
            total,
            queue_status: match (total, checklist_open(item)) {
                (0, _) => "pending",
                (_, true) => "in_progress",
                (_, false) => "completed",
            },
            queue: ChecklistQueue { remaining: total - index, total },
        });
    }
    let steps = item.walk();
    let open: Vec<_> = steps.iter().filter(|(_, s)| !s.completed).collect();
    let (ready, pending): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, s)| s.ready());
    let first = |list: &[&(String, &TaskStep)]| list.first().map(|(path, _)| path.clone());
    let queue = StepQueue {
        pending: pending.len(),
        ready: ready.len(),
        next_pending: first(&pending),
        next_ready: first(&ready),
    };
    match current {
        Some((path, step)) => {
            let mut shown = WorkItem::of_step(step, path);
            shown.set(if step.ready() { Queue::InProgress } else { Queue::Pending });
            Now::Step(Box::new(StepNow { step: shown, notes: notes(step), queue }))
        }
        None => Now::Item(ItemNow {
            kind: "task",
            id: &item.id,
            title: &item.title,
            queue_status: match (item.status, runway.open) {
                (TaskStatus::Done, _) => "completed",
                (_, true) => "ready",
                (_, false) => "blocked",
            },
            progress: item.progress,
            notes: steps.last().map(|(_, step)| notes(step)).unwrap_or_default(),
            queue,
        }),
    }
}

fn why(scene: &TaskScene) -> Why<'_> {
    let Some(plan) = scene.plan() else {
        return Why { plan_id: scene.item.parent.as_deref(), contract_preview: None, contract: None };
    };
    let goal = contract::goal(plan);
    let list = |key: &str, n: usize| -> Vec<String> {
        contract::data_list(plan, key).iter().take(n).map(|entry| clip(entry, 180)).collect()
    };
    let shown = ContractShown {
        goal: Some(clip(goal, 180)).filter(|goal| !goal.is_empty()),
        checks: list("checks", 5),
        done: list("done", 5),
        constraints: list("constraints", 3),
        risks: list("risks", 3),
    };
    let lists = [&shown.checks, &shown.done, &shown.constraints, &shown.risks];
    let says = shown.goal.is_some() || lists.iter().any(|list| !list.is_empty());
    let contract_preview = Some(clip(plan.contract.trim(), 280)).filter(|text| !text.is_empty());
    Why { plan_id: Some(&plan.id), contract_preview, contract: Some(shown).filter(|_| says) }
}
