//! `tasks_verify`: confirms checkpoints of a step, a task node, a plan or the item itself.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Needs, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{Common, text};
use super::super::checkpoints::{CheckpointOwner, Confirmation, confirm, named, no_steps};
use super::super::errors::fail;
use super::super::intent::{FocusUse, Intent};
use super::super::model::{Object, TaskItem};
use super::super::reply::{self, KeyedItem};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksVerify;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksVerifyArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    said: Confirmation,
    kind: Given<String>,
    task_node_id: Given<String>,
}

#[derive(Serialize)]
struct Verified<'a> {
    task_id: &'a str,
    path: Option<&'a str>,
    kind: &'static str,
    checkpoints_before: Object,
    checkpoints_after: Object,
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<reply::NodeShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_node: Option<reply::NodeShown>,
    #[serde(flatten)]
    item: KeyedItem,
}

impl Intent for TasksVerify {
    type Args = TasksVerifyArgs;
    const TOOL: &'static str = "tasks_verify";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;
    const LOOKS: Needs = Needs::World;

    fn common(args: &TasksVerifyArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksVerifyArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let gates = named(&args.said.checkpoints)?;
        let mut item = request.item(target)?.item;
        let carrier = carrier(args, &item)?;
        let done = confirm(request, &mut item, &carrier, &args.said, &gates)?;
        let saved = request.save(item)?;
        let (item, compact) = (&saved.item, args.common.compact());
        let shown = |all: Object| if compact { reply::brief_checkpoints(&all) } else { all };
        let mut result = Verified {
            task_id: &item.id,
            path: carrier.path(),
            kind: carrier.kind(item),
            checkpoints_before: shown(done.before),
            checkpoints_after: shown(done.after),
            ready: None,
            needs: None,
            step: None,
            task_node: None,
            item: KeyedItem::new(item, saved.rev, compact),
        };
        match &carrier {
            CheckpointOwner::Step(path) => {
                let step = path.step(item)?;
                result.ready = Some(step.ready());
                result.needs = Some(step.needs());
                result.step = Some(reply::step(step, path.as_str(), compact));
            }
            CheckpointOwner::Node(path) => {
                result.task_node = Some(reply::node(path.node(item)?, path.as_str(), compact))
            }
            CheckpointOwner::StepPlan(_) | CheckpointOwner::Root => {}
        }
        let mut answer = IntentAnswer::about(&item.id, &result).short(compact);
        answer.path = carrier.path().map(str::to_string);
        Ok(answer)
    }
}

fn carrier(args: &TasksVerifyArgs, item: &TaskItem) -> Result<CheckpointOwner> {
    let default = if item.is_plan() { "plan" } else { "step" };
    let kind = match text(&args.kind).map(str::to_lowercase) {
        None => default.to_string(),
        Some(kind) if kind == "auto" => default.to_string(),
        Some(kind) => kind,
    };
    match (kind.as_str(), item.is_plan()) {
        ("plan", true) | ("task_detail", _) => Ok(CheckpointOwner::Root),
        ("step" | "task", true) => Err(no_steps(item)),
        ("step", false) => args.said.address().step(item).map(CheckpointOwner::Step),
        ("task", false) => {
            Address::of_node(&args.said.path, &args.task_node_id).node(item).map(CheckpointOwner::Node)
        }
        ("plan", false) => args.said.address().step(item).map(CheckpointOwner::StepPlan),
        _ => Err(fail("INVALID_KIND", format!("'{kind}' is not a kind of target."))
            .hint("Use auto, step, task, plan or task_detail.")),
    }
}
