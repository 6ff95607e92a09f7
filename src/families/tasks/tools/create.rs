//! `tasks_create`: a new plan, or a task with its steps under a plan.

use serde::{Deserialize, Serialize};

use crate::core::{Error, Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, Flag, said, text};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::Intent;
use super::super::model::{CheckpointSet, ItemKind, Object, TaskItem};
use super::super::request::IntentRequest;
use super::super::suggest::{self, OfItem, Suggestion, fill};
use super::super::target::IntentTarget;
use super::super::tree::{self, StepInput};
use super::super::{contract, deps, reply, rows};

pub struct TasksCreate;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksCreateArgs {
    #[serde(flatten)]
    common: Common,
    title: Given<String>,
    kind: Given<String>,
    parent: Given<String>,
    priority: Given<String>,
    description: Given<String>,
    context: Given<String>,
    contract: Given<String>,
    contract_data: Given<Object>,
    success_criteria: Given<Vec<String>>,
    tests: Given<Vec<String>>,
    blockers: Given<Vec<String>>,
    tags: Given<Vec<String>>,
    depends_on: Given<Vec<String>>,
    domain: Given<String>,
    #[serde(deserialize_with = "args::without_nulls")]
    steps: Given<Vec<StepInput>>,
    exclusive: Flag,
}

impl Intent for TasksCreate {
    type Args = TasksCreateArgs;
    const TOOL: &'static str = "tasks_create";
    const WRITES: bool = true;

    fn common(args: &TasksCreateArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksCreateArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let title = args::title(&args.title)?;
        let kind = kind(args)?;
        let parent = match kind {
            ItemKind::Plan => None,
            ItemKind::Task => Some(parent(request, &args.parent)?),
        };
        let now = request.ctx.now;
        let mut item = tree::blank(kind, title, now);
        item.parent = parent;
        if let Some(priority) = args::priority(&args.priority)? {
            item.priority = priority;
        }
        let prose = |given, name| args::prose(given, name, "INVALID_FIELDS").map(Option::unwrap_or_default);
        item.description = prose(&args.description, "description")?;
        item.context = prose(&args.context, "context")?;
        item.contract = prose(&args.contract, "contract")?;
        let list = |given, name| args::list(given, name, "INVALID_FIELDS").map(Option::unwrap_or_default);
        item.success_criteria = list(&args.success_criteria, "success_criteria")?;
        item.tests = list(&args.tests, "tests")?;
        item.blockers = list(&args.blockers, "blockers")?;
        item.gates = CheckpointSet::fresh(&item.tests);
        item.tags = args::list(&args.tags, "tags", "INVALID_TAGS")?.unwrap_or_default();
        if let Some(data) = contract::data(&args.contract_data)? {
            item.contract_data = data;
        }
        if let Some(domain) = args::prose(&args.domain, "domain", "INVALID_FIELDS")? {
            item.domain = deps::domain(&domain)?;
        }
        if args.steps.is_sent() && kind == ItemKind::Plan {
            return Err(fail("INVALID_STEPS", "A plan has a checklist, not steps.")
                .hint("Create a task below the plan for steps, or set the checklist with the plan intent."));
        }
        item.steps = tree::steps(&args.steps, now)?.unwrap_or_default();
        if let Some(list) = args::list(&args.depends_on, "depends_on", "INVALID_DEPENDS_ON")? {
            item.depends_on = deps::checked(request.view(), request.workspace(), "", list)?;
        }
        if args.exclusive.is_sent() && kind != ItemKind::Plan {
            return Err(fail("INVALID_FIELDS", "'exclusive' is a field of plans.")
                .hint("Set it on the plan: tasks_patch with the PLAN id."));
        }
        item.exclusive = args.exclusive.on();
        item.id = request.next_item_id(kind)?;
        if kind == ItemKind::Plan {
            contract::version_if_changed(&mut item, None, "created", now);
        }
        let saved = request.save(item)?;
        Ok(created(request, &saved.item, saved.rev, args.common.compact()))
    }
}

#[derive(Serialize)]
struct Steps {
    steps: Vec<reply::StepId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_left_off: Option<usize>,
}

/// The ids of so many steps are in the short reply.
const LISTED: usize = 20;

/// The reply for a new item: its id, and where its steps are.
fn created(request: &IntentRequest, item: &TaskItem, rev: u64, compact: bool) -> IntentAnswer {
    let mut answer = IntentAnswer::about(&item.id, &reply::NamedItem::new(item, rev, compact));
    if compact && !item.steps.is_empty() {
        let steps = reply::step_ids(item, LISTED);
        let left = item.walk().len() - steps.len();
        answer = answer.with(&Steps { steps, steps_left_off: Some(left).filter(|n| *n > 0) });
    }
    if request.preview {
        return answer;
    }
    let next = OfItem::new(item.kind, &item.id);
    let focus = suggest::OfTask { task: &item.id };
    answer.suggest(suggest::list([
        Suggestion::normal("focus_set", "Makes it the target of calls without one.", &focus),
        Suggestion::normal("radar", "Shows what to do first.", &next),
    ]))
}

fn kind(args: &TasksCreateArgs) -> Result<ItemKind> {
    let bad = || -> Error {
        fail("INVALID_KIND", format!("'kind' is {}; it must be plan or task.", said(&args.kind)))
            .hint("Send plan or task.")
    };
    match text(&args.kind) {
        Some(name) => ItemKind::parse(&name.to_lowercase()).ok_or_else(bad),
        None if args.kind.is_sent() && args.kind.get().is_none_or(|k| !k.is_empty()) => Err(bad()),
        None if args.parent.is_sent() => Ok(ItemKind::Task),
        None => Ok(ItemKind::Plan),
    }
}

#[derive(Serialize)]
struct NewPlan {
    kind: &'static str,
    title: String,
}

/// Suggests a plan with a title that only the caller knows.
pub fn new_plan(reason: &str) -> Option<Suggestion> {
    Suggestion::normal("create", reason, &NewPlan { kind: "plan", title: fill("title of the plan") })
}

/// The plan a new task goes under; it must exist.
fn parent(request: &IntentRequest, given: &Given<String>) -> Result<String> {
    let named = args::id(given, "parent", "INVALID_PARENT").map_err(|e| which_plan(request, e))?;
    let Some(id) = named else {
        let error = fail("MISSING_PARENT", "A task needs 'parent': the plan it belongs to.")
            .hint("Pass the id of a plan; create one first if there is none.")
            .suggest(suggest::list([suggest::everything(), new_plan("A plan for the task to go under.")]));
        return Err(which_plan(request, error));
    };
    existing_parent(request, id)
}

/// Where there is only one plan, an error about plans names it.
pub fn which_plan(request: &IntentRequest, error: Error) -> Error {
    match suggest::only(request.view(), request.workspace(), ItemKind::Plan) {
        Ok(Some(plan)) => error.hint(format!("Pass parent=\"{}\" ({}), the only plan.", plan.id, plan.title)),
        _ => error,
    }
}

#[derive(Serialize)]
struct NoParent<'a> {
    parent: &'a str,
}

pub fn existing_parent(request: &IntentRequest, id: &str) -> Result<String> {
    let some = || suggest::pick_a_target(request.view(), request.workspace());
    if ItemKind::of_id(id) != ItemKind::Plan {
        let error = fail("INVALID_PARENT", format!("{id} is not the id of a plan."))
            .hint("Only plans hold tasks: pass a PLAN id.")
            .suggest(some()?);
        return Err(which_plan(request, error));
    }
    match rows::summary(request.view(), request.workspace(), id)? {
        Some(_) => Ok(id.to_string()),
        None => {
            let error = fail("PARENT_NOT_FOUND", format!("There is no plan {id}."))
                .hint("List the plans with context(include_all=true).")
                .result(NoParent { parent: id })
                .suggest(some()?);
            Err(which_plan(request, error))
        }
    }
}
