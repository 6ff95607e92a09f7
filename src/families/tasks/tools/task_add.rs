//! `tasks_task_add`: a task node in the plan of a step.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::{Address, Codes, STEP};
use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::{FocusUse, Intent};
use super::super::request::{AboutTask, IntentRequest};
use super::super::target::IntentTarget;
use super::super::tree::{self, NodeFields};
use super::super::{reply, state};

pub struct TaskAdd;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TaskAddArgs {
    #[serde(flatten)]
    common: Common,
    parent_step: Given<String>,
    step: Given<String>,
    step_path: Given<String>,
    parent_step_id: Given<String>,
    step_id: Given<String>,
    #[serde(flatten)]
    node: NodeFields,
}

const PARENT_STEP: Codes = Codes {
    path_name: "parent_step",
    id_name: "parent_step_id",
    invalid_path: "INVALID_PARENT_STEP",
    invalid_id: "INVALID_PARENT_STEP_ID",
    unknown_id: "PARENT_STEP_ID_NOT_FOUND",
    ..STEP
};

#[derive(Serialize)]
struct Added<'a> {
    task_id: &'a str,
    task_path: &'a str,
    task_node: reply::NodeShown,
    task: reply::ItemShown,
}

impl Intent for TaskAdd {
    type Args = TaskAddArgs;
    const TOOL: &'static str = "tasks_task_add";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &TaskAddArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TaskAddArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let mut item = request.task(target)?.item;
        let paths = [&args.parent_step, &args.step, &args.step_path];
        let path = paths.into_iter().find(|p| p.is_sent()).unwrap_or(&args.parent_step);
        let id = if args.parent_step_id.is_sent() { &args.parent_step_id } else { &args.step_id };
        let address = Address { path, id, codes: PARENT_STEP };
        if !address.is_given() {
            return Err(fail(
                "MISSING_PARENT_STEP",
                "'parent_step' is required: the step to add the node to.",
            )
            .hint("Pass a step path such as s:0, or parent_step_id.")
            .result(AboutTask { task: &item.id }));
        }
        let parent = address.step(&item)?;
        let mut node = tree::node(&args.node, request.ctx.now)?;
        node.id = state::new_id("NODE", request.ctx.ids);
        let tasks = &mut parent.step_mut(&mut item)?.plan.tasks;
        let path = format!("{parent}.t:{}", tasks.len());
        tasks.push(node.clone());
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let added = parent.step(&saved.item)?.plan.tasks.last().unwrap_or(&node);
        let result = Added {
            task_id: &saved.item.id,
            task_path: &path,
            task_node: reply::node(added, &path, compact),
            task: reply::item(&saved.item, saved.rev, compact),
        };
        request.mean(parent.as_str());
        Ok(IntentAnswer::about(&saved.item.id, &result).short(compact))
    }
}
