//! `tasks_resume`: one plan or task, short or whole, with its timeline.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Given, Result};

use super::super::answer::{IntentAnswer, object};
use super::super::args::{self, Common, Flag, WholeNumber};
use super::super::intent::Intent;
use super::super::lint::{self, LintSummary};
use super::super::model::{Object, TaskItem, TaskStep};
use super::super::radar;
use super::super::reply::{self, KeyedItem};
use super::super::request::IntentRequest;
use super::super::rows::ItemSummary;
use super::super::runway::{self, Runway};
use super::super::scene::{self, TaskScene};
use super::super::target::IntentTarget;

pub struct TasksResume;

/// Entries of a list in the short form.
const MOST: usize = 10;
/// Root steps of the whole form unless another number was asked for.
const STEPS: i64 = 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksResumeArgs {
    #[serde(flatten)]
    common: Common,
    events_limit: Given<WholeNumber>,
    include_steps: Flag,
    steps_limit: Given<WholeNumber>,
    steps_cursor: Given<WholeNumber>,
}

/// Which open steps wait and which could be closed; bounded when short.
#[derive(Serialize)]
struct CheckpointStatus {
    pending: Vec<String>,
    ready: Vec<String>,
    pending_ids: Vec<String>,
    ready_ids: Vec<String>,
    #[serde(flatten)]
    counts: Option<OpenCounts>,
}

#[derive(Serialize)]
struct OpenCounts {
    pending_count: usize,
    ready_count: usize,
    next_pending: Option<String>,
    next_ready: Option<String>,
}

#[derive(Serialize)]
struct Resumed<'a> {
    #[serde(flatten)]
    item: KeyedItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_pagination: Option<Pagination>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint_status: Option<CheckpointStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timeline: Vec<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Brief<'a>>,
}

#[derive(Serialize)]
struct Pagination {
    cursor: String,
    next_cursor: Option<String>,
    total: usize,
    count: usize,
    limit: usize,
}

#[derive(Serialize)]
struct Brief<'a> {
    focus: BriefFocus<'a>,
    now: BriefNow,
    runway: BriefRunway,
}

#[derive(Serialize)]
struct BriefFocus<'a> {
    id: &'a str,
    kind: &'static str,
    revision: u64,
    title: &'a str,
    lifecycle_status: &'static str,
}

#[derive(Serialize)]
struct BriefNow {
    path: Option<String>,
}

#[derive(Serialize)]
struct BriefRunway {
    open: bool,
    lint: LintSummary,
    validation: Option<&'static str>,
}

impl Intent for TasksResume {
    type Args = TasksResumeArgs;
    const TOOL: &'static str = "tasks_resume";

    fn common(args: &TasksResumeArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksResumeArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let limit = args::number(&args.events_limit, "events_limit", 0, 500, "INVALID_LIMIT")?.unwrap_or(20);
        let loaded = scene::target(request, target)?;
        let compact = args.common.compact();
        let (item, rev) = (&loaded.item, loaded.rev);
        let (shown, steps_pagination) = shown(args, item, rev, compact)?;
        let scene = TaskScene::of(request.view(), request.workspace(), loaded.clone())?;
        let runway = Runway::of(&scene);
        let result = Resumed {
            item: KeyedItem::shown(item.kind, shown),
            steps_pagination,
            checkpoint_status: (!item.is_plan()).then(|| checkpoint_status(item, compact)),
            notes: radar::current(&scene).map(|(_, step)| radar::notes(step)).unwrap_or_default(),
            timeline: item.events.iter().rev().take(limit as usize).collect(),
            summary: compact.then(|| Brief {
                focus: BriefFocus {
                    id: &item.id,
                    kind: item.kind.as_str(),
                    revision: rev,
                    title: &item.title,
                    lifecycle_status: item.status.as_str(),
                },
                now: BriefNow { path: runway::current_step(&scene) },
                runway: BriefRunway {
                    open: runway.open,
                    lint: lint::summary(&runway.issues),
                    validation: runway.obstacle.as_ref().map(|o| o.code),
                },
            }),
        };
        let next = runway::next_of(request, &scene, &runway).into_iter().collect();
        Ok(IntentAnswer::about(&item.id, &result).suggest(next))
    }
}

#[derive(Serialize)]
struct Checklist {
    plan: Object,
}

#[derive(Serialize)]
struct StepsShown {
    steps: Vec<reply::NodeShown>,
}

/// The item itself; the whole form has a page of its steps.
fn shown(
    args: &TasksResumeArgs,
    item: &TaskItem,
    rev: u64,
    compact: bool,
) -> Result<(Object, Option<Pagination>)> {
    let mut shown =
        if compact { reply::compact(&ItemSummary::of(item, rev)) } else { reply::full(item, rev) };
    shown.shift_remove("events");
    if item.is_plan() {
        shown.extend(object(&Checklist { plan: reply::checklist(item) }));
        return Ok((shown, None));
    }
    if compact && !args.include_steps.on() {
        return Ok((shown, None));
    }
    let limit =
        args::number(&args.steps_limit, "steps_limit", 1, 200, "INVALID_PAGINATION")?.unwrap_or(STEPS);
    let cursor =
        args::number(&args.steps_cursor, "steps_cursor", 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0);
    let total = item.steps.len();
    let from = usize::try_from(cursor).unwrap_or(total).min(total);
    let to = (from + limit as usize).min(total);
    let page = item.steps[from..to].iter().enumerate();
    let mut steps: Vec<_> =
        page.map(|(i, s)| reply::step_shown(s, &format!("s:{}", from + i), compact, true)).collect();
    if !args.steps_limit.is_sent() {
        fit(&mut steps);
    }
    let to = from + steps.len();
    shown.extend(object(&StepsShown { steps }));
    let asked = args.steps_limit.is_sent() || args.steps_cursor.is_sent();
    let pagination = Pagination {
        cursor: from.to_string(),
        next_cursor: (to < total).then(|| to.to_string()),
        total,
        count: to - from,
        limit: limit as usize,
    };
    Ok((shown, Some(pagination).filter(|_| asked || to - from < total)))
}

/// Bytes of a page whose length nobody asked for.
const ROOM: usize = 10 * 1024;

/// Keeps as many steps as such a page has room for, at least one.
fn fit(steps: &mut Vec<reply::NodeShown>) {
    let mut used = 0;
    let fits = |step: &&reply::NodeShown| {
        used += serde_json::to_string(step).map_or(0, |text| text.len() + 1);
        used <= ROOM
    };
    let shown = steps.iter().take_while(fits).count().max(1);
    steps.truncate(shown);
}

fn checkpoint_status(item: &TaskItem, bounded: bool) -> CheckpointStatus {
    let steps = item.walk();
    let open = steps.iter().filter(|(_, s)| !s.completed);
    let (ready, pending): (Vec<_>, Vec<_>) = open.partition(|(_, s)| s.ready());
    let most = if bounded { MOST } else { usize::MAX };
    let paths = |list: &[&(String, &TaskStep)]| list.iter().take(most).map(|(p, _)| p.clone()).collect();
    let ids = |list: &[&(String, &TaskStep)]| list.iter().take(most).map(|(_, s)| s.id.clone()).collect();
    let first = |list: &[&(String, &TaskStep)]| list.first().map(|(p, _)| p.clone());
    CheckpointStatus {
        pending: paths(&pending),
        ready: paths(&ready),
        pending_ids: ids(&pending),
        ready_ids: ids(&ready),
        counts: bounded.then(|| OpenCounts {
            pending_count: pending.len(),
            ready_count: ready.len(),
            next_pending: first(&pending),
            next_ready: first(&ready),
        }),
    }
}
