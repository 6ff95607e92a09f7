//! `tasks_mirror`: a slice of a plan, a task or a node as a work list with exactly one entry in progress.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::{Address, Codes, NODE, STEP};
use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, WholeNumber, text};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::Intent;
use super::super::model::{TaskItem, TaskStep};
use super::super::request::IntentRequest;
use super::super::suggest::{self, OfItem, Suggestion};
use super::super::target::IntentTarget;
use super::super::worklist::{Queue, WorkItem, one_in_progress};
use super::super::{rows, scene};

pub struct TasksMirror;

const MOST: usize = 200;
/// Entries where no other number was asked for.
const PAGE: i64 = 40;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksMirrorArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    kind: Given<String>,
    step_id: Given<String>,
    task_node_id: Given<String>,
    limit: Given<WholeNumber>,
}

#[derive(Serialize)]
struct MirrorReply<'a> {
    scope: Scope<'a>,
    items: Vec<WorkItem>,
    summary: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_left_off: Option<usize>,
}

#[derive(Serialize)]
struct Scope<'a> {
    task_id: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Serialize)]
struct Counts {
    total: usize,
    completed: usize,
    in_progress: usize,
    pending: usize,
}

#[derive(Serialize)]
struct BadKind<'a> {
    kind: &'a str,
}

impl Intent for TasksMirror {
    type Args = TasksMirrorArgs;
    const TOOL: &'static str = "tasks_mirror";

    fn common(args: &TasksMirrorArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksMirrorArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let limit = args::number(&args.limit, "limit", 0, MOST as i64, "INVALID_LIMIT")?.unwrap_or(PAGE);
        if let Some(kind) = text(&args.kind).filter(|kind| !["plan", "task", "step", "auto"].contains(kind)) {
            return Err(fail("INVALID_KIND", format!("'{kind}' is not a kind of scope."))
                .hint("Use plan, task or step.")
                .result(BadKind { kind }));
        }
        let loaded = scene::target(request, target)?;
        let item = &loaded.item;
        let (kind, path, mut items) = scope(request, args, item)?;
        let all = items.len();
        items.truncate(limit as usize);
        if !args.limit.is_sent() {
            fit(&mut items);
        }
        one_in_progress(&mut items);
        let count = |status| items.iter().filter(|i| i.queue_status == status).count();
        let summary = Counts {
            total: items.len(),
            completed: count(Queue::Completed),
            in_progress: count(Queue::InProgress),
            pending: count(Queue::Pending),
        };
        let items_left_off = Some(all - items.len()).filter(|n| *n > 0);
        let scope = Scope { task_id: &item.id, kind, path };
        let next = OfItem::new(item.kind, &item.id);
        let all =
            items_left_off.map(|_| All { item: OfItem::new(item.kind, &item.id), limit: all.min(MOST) });
        let all =
            all.and_then(|all| Suggestion::normal("mirror", "Lists those that were left off, too.", &all));
        Ok(IntentAnswer::about(&item.id, &MirrorReply { scope, items, summary, items_left_off })
            .suggest(suggest::list([Suggestion::normal("radar", "Shows what to do next.", &next), all])))
    }
}

#[derive(Serialize)]
struct All<'a> {
    #[serde(flatten)]
    item: OfItem<'a>,
    limit: usize,
}

/// Bytes of a list whose length nobody asked for.
const ROOM: usize = 10 * 1024;

fn fit(items: &mut Vec<WorkItem>) {
    let mut room = ROOM;
    let fits = |item: &&WorkItem| {
        let size = serde_json::to_string(item).map_or(0, |text| text.len() + 1);
        let left = room.checked_sub(size);
        room = left.unwrap_or(0);
        left.is_some()
    };
    let shown = items.iter().take_while(fits).count();
    items.truncate(shown);
}

fn steps_of(list: &[TaskStep], prefix: &str) -> Vec<WorkItem> {
    let dot = if prefix.is_empty() { "" } else { "." };
    list.iter().enumerate().map(|(i, s)| WorkItem::of_step(s, &format!("{prefix}{dot}s:{i}"))).collect()
}

/// The entries of a scope: its kind, its path and what is in it.
fn scope(
    request: &IntentRequest,
    args: &TasksMirrorArgs,
    item: &TaskItem,
) -> Result<(&'static str, Option<String>, Vec<WorkItem>)> {
    const STEP_HERE: Codes = Codes { absent: "STEP_NOT_FOUND", ..STEP };
    const NODE_HERE: Codes = Codes { absent: "TASK_NODE_NOT_FOUND", ..NODE };
    if item.is_plan() {
        let tasks = rows::children(request.view(), request.workspace(), &item.id, MOST)?;
        return Ok(("plan", None, tasks.iter().map(WorkItem::of_task).collect()));
    }
    let path = text(&args.path).unwrap_or_default();
    let leaf = path.rsplit('.').next().unwrap_or_default();
    let wants_node = args.task_node_id.is_sent()
        || text(&args.kind) == Some("task") && !path.is_empty()
        || leaf.starts_with("t:");
    if wants_node {
        let at = Address { path: &args.path, id: &args.task_node_id, codes: NODE_HERE }.node(item)?;
        return Ok(("task", Some(at.to_string()), steps_of(&at.node(item)?.steps, at.as_str())));
    }
    let step = Address { path: &args.path, id: &args.step_id, codes: STEP_HERE };
    if step.is_given() {
        let at = step.step(item)?;
        let nodes = at.step(item)?.plan.tasks.iter().enumerate();
        let items = nodes.map(|(i, n)| WorkItem::of_node(n, &format!("{at}.t:{i}"))).collect();
        return Ok(("step", Some(at.to_string()), items));
    }
    Ok(("task", None, steps_of(&item.steps, "")))
}
