//! `tasks_context`: how much there is, in what state, and pages of it.

use serde::{Deserialize, Serialize};

use crate::core::{Error, Given, Needs, Result};

use super::super::address::Address;
use super::super::answer::{FocusFacts, IntentAnswer, object};
use super::super::args::{self, Common, Flag, text};
use super::super::claims::ClaimShown;
use super::super::errors::{EnvelopeParts, ShownError, fail};
use super::super::intent::Intent;
use super::super::model::{ItemKind, TaskStatus};
use super::super::pages::{ItemFilter, NarrowingArgs, Pagination, page};
use super::super::request::{AboutTask, IntentRequest, LoadedItem};
use super::super::rows::{self, ItemSummary};
use super::super::target::IntentTarget;
use super::super::{focus, reply, scene, suggest};
use super::create::new_plan;

pub struct Context;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ContextArgs {
    #[serde(flatten)]
    common: Common,
    include_all: Flag,
    #[serde(flatten)]
    narrowing: NarrowingArgs,
    #[serde(deserialize_with = "args::without_nulls")]
    subtree: Given<SubtreeArgs>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct SubtreeArgs {
    task: Given<String>,
    path: Given<String>,
    step_id: Given<String>,
    task_node_id: Given<String>,
    kind: Given<String>,
    compact: Flag,
}

#[derive(Serialize)]
struct Overview {
    counts: Counts,
    by_status: ByStatus,
    #[serde(flatten)]
    all: Option<Everything>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_task: Option<reply::ItemShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_plan: Option<reply::ItemShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtree: Option<Subtree>,
}

#[derive(Serialize)]
struct Counts {
    plans: u64,
    tasks: u64,
}

#[derive(Serialize)]
struct ByStatus {
    #[serde(rename = "DONE")]
    done: u64,
    #[serde(rename = "ACTIVE")]
    active: u64,
    #[serde(rename = "TODO")]
    todo: u64,
}

#[derive(Serialize)]
struct Everything {
    plans: Vec<reply::ItemShown>,
    plans_pagination: Pagination,
    tasks: Vec<reply::ItemShown>,
    tasks_pagination: Pagination,
    filters_applied: Vec<&'static str>,
    filtered_counts: Counts,
}

#[derive(Serialize)]
struct Subtree {
    kind: &'static str,
    path: String,
    node: reply::NodeShown,
    task_id: String,
}

impl Intent for Context {
    type Args = ContextArgs;
    const TOOL: &'static str = "tasks_context";
    const LOOKS: Needs = Needs::Scan;

    fn common(args: &ContextArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &ContextArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let compact = args.common.compact();
        let (view, workspace) = (request.view(), request.workspace());
        let count = |kind| rows::count(view, workspace, kind);
        let by = |status| rows::count_status(view, workspace, ItemKind::Task, status);
        let counts = Counts { plans: count(ItemKind::Plan)?, tasks: count(ItemKind::Task)? };
        let none = counts.plans == 0;
        let current = |given, name| -> Result<Option<reply::ItemShown>> {
            let Some(id) = scene::read_id(request, given, name)? else { return Ok(None) };
            let loaded = request.load(&id)?.ok_or_else(|| request.not_found(&id))?;
            Ok(Some(shown(&loaded, compact)))
        };
        let result = Overview {
            counts,
            by_status: ByStatus {
                done: by(TaskStatus::Done)?,
                active: by(TaskStatus::Active)?,
                todo: by(TaskStatus::Todo)?,
            },
            all: if args.include_all.on() { Some(everything(request, args, compact)?) } else { None },
            current_task: current(&target.task, "task")?,
            current_plan: current(&target.plan, "plan")?,
            subtree: match args.subtree.is_sent() {
                true => Some(subtree(request, args, target, compact)?),
                false => None,
            },
        };
        let mut answer = IntentAnswer::new(&result);
        if let Some(focused) = focus::of(request)? {
            answer.context.focus = Some(FocusFacts { focus_id: Some(focused.id), domain: None });
        }
        if none {
            answer.suggestions.extend(new_plan("There is no plan yet."));
        }
        Ok(answer)
    }
}

fn shown(loaded: &LoadedItem, compact: bool) -> reply::ItemShown {
    match compact {
        true => reply::compact(&ItemSummary::of(&loaded.item, loaded.rev)),
        false => reply::full(&loaded.item, loaded.rev),
    }
}

fn everything(request: &IntentRequest, args: &ContextArgs, compact: bool) -> Result<Everything> {
    let mut filters_applied: Vec<&'static str> = Vec::new();
    let mut of = |kind| -> Result<(Vec<reply::ItemShown>, Pagination, u64)> {
        let filter = ItemFilter::of(&args.narrowing, kind)?;
        let page = page(request.view(), request.workspace(), kind, &filter, args.narrowing.position(kind)?)?;
        let one = |summary: &ItemSummary| -> Result<reply::ItemShown> {
            let mut shown = match compact {
                true => reply::compact(summary),
                false => request.load(&summary.id)?.map(|l| reply::full(&l.item, l.rev)).unwrap_or_default(),
            };
            if let Some(held) = ClaimShown::of(request.ctx, request.view(), &summary.id)? {
                shown.extend(object(&held));
            }
            Ok(shown)
        };
        let items = page.items.iter().map(one).collect::<Result<Vec<_>>>()?;
        for name in filter.names(kind) {
            if !filters_applied.contains(&name) {
                filters_applied.push(name);
            }
        }
        Ok((items, page.pagination(), page.total))
    };
    let (plans, plans_pagination, plans_total) = of(ItemKind::Plan)?;
    let (tasks, tasks_pagination, tasks_total) = of(ItemKind::Task)?;
    let filtered_counts = Counts { plans: plans_total, tasks: tasks_total };
    Ok(Everything { plans, plans_pagination, tasks, tasks_pagination, filters_applied, filtered_counts })
}

#[derive(Serialize)]
struct NoSubtree<'a> {
    task: &'a str,
    cause: String,
}

fn subtree(
    request: &IntentRequest,
    args: &ContextArgs,
    target: &IntentTarget,
    compact: bool,
) -> Result<Subtree> {
    let Some(wanted) = args.subtree.get() else {
        return Err(fail("INVALID_SUBTREE", "'subtree' must be an object.")
            .hint("Send {task, path} or {task, step_id} or {task, task_node_id}."));
    };
    let id = match args::id(&wanted.task, "task", "INVALID_SUBTREE_TASK")? {
        Some(id) => Some(id),
        None => args::id(&target.task, "task", "INVALID_SUBTREE_TASK")?,
    };
    let Some(id) = id else {
        return Err(fail("MISSING_SUBTREE_TASK", "subtree.task is required."));
    };
    let Some(loaded) = request.load(id)? else {
        return Err(fail("SUBTREE_NOT_FOUND", format!("There is no {id}.")).result(AboutTask { task: id }));
    };
    let item = &loaded.item;
    let compact = wanted.compact.or(compact);
    let kind = text(&wanted.kind).unwrap_or("auto");
    if !["auto", "plan", "task", "step"].contains(&kind) {
        return Err(fail("INVALID_SUBTREE", format!("'{kind}' is not a kind of subtree."))
            .hint("Use step, task (a task node) or plan, or leave it out."));
    }
    let step = Address::of_step(&wanted.path, &wanted.step_id);
    let node = Address::of_node(&wanted.path, &wanted.task_node_id);
    let found =
        |kind, path: &str, node| Subtree { kind, path: path.to_string(), node, task_id: item.id.clone() };
    if !step.is_given() && !node.is_given() {
        if kind == "plan" && item.is_plan() {
            return Ok(found("plan", "", shown(&loaded, compact)));
        }
        return Err(fail("MISSING_SUBTREE_PATH", "subtree needs path, step_id or task_node_id."));
    }
    let renamed = |e: Error| {
        let code = match e.code.as_str() {
            "INVALID_PATH" => "INVALID_SUBTREE_PATH",
            "INVALID_STEP_ID" => "INVALID_STEP_ID",
            "INVALID_TASK_NODE_ID" => "INVALID_TASK_NODE_ID",
            _ => "SUBTREE_NOT_FOUND",
        };
        let cause = ShownError::of(&e).code;
        fail(code, e.message.clone()).result(NoSubtree { task: id, cause }).suggest(suggest::look_at(id))
    };
    let leaf_is_node =
        text(&wanted.path).is_some_and(|p| p.rsplit('.').next().is_some_and(|l| l.starts_with("t:")));
    if kind != "plan" && (wanted.task_node_id.is_sent() || kind == "task" || leaf_is_node) {
        let path = node.node(item).map_err(renamed)?;
        return Ok(found(
            "task",
            path.as_str(),
            reply::node_shown(path.node(item)?, path.as_str(), compact, true),
        ));
    }
    let path = step.step(item).map_err(renamed)?;
    let at = path.step(item)?;
    Ok(match kind {
        "plan" => found("plan", path.as_str(), reply::plan(&at.plan, path.as_str(), compact)),
        _ => found("step", path.as_str(), reply::step_shown(at, path.as_str(), compact, true)),
    })
}
