//! `tasks_task_define`: changes a task node inside a step's plan.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{self, Common};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::{FocusUse, Intent};
use super::super::model::{CheckpointKind, TaskNode};
use super::super::reply::{self, AtPath};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;
use super::super::tree::{NODE_FIELDS, NodeFields};

pub struct TaskDefine;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TaskDefineArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    task_node_id: Given<String>,
    #[serde(flatten)]
    node: NodeFields,
}

#[derive(Serialize)]
struct Defined<'a> {
    task_id: &'a str,
    path: &'a str,
    updated: Vec<&'static str>,
    task_node: reply::NodeShown,
    task: reply::ItemShown,
}

impl Intent for TaskDefine {
    type Args = TaskDefineArgs;
    const TOOL: &'static str = "tasks_task_define";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &TaskDefineArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TaskDefineArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let mut item = request.task(target)?.item;
        let path = Address::of_node(&args.path, &args.task_node_id).node(&item)?;
        request.mean(path.as_str());
        let updated = args.node.sent();
        if updated.is_empty() {
            return Err(fail("NO_FIELDS", "There is nothing to change.")
                .hint(format!("Send at least one of: {}.", NODE_FIELDS.join(", ")))
                .result(AtPath { task: &item.id, path: path.as_str() }));
        }
        change(path.node_mut(&mut item)?, &args.node)?;
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let result = Defined {
            task_id: &saved.item.id,
            path: path.as_str(),
            updated,
            task_node: reply::node(path.node(&saved.item)?, path.as_str(), compact),
            task: reply::item(&saved.item, saved.rev, compact),
        };
        Ok(IntentAnswer::about(&saved.item.id, &result).at(&path).short(compact))
    }
}

fn change(node: &mut TaskNode, new: &NodeFields) -> Result<()> {
    let list = |given, name| args::list(given, name, "INVALID_FIELDS");
    let prose = |given, name| args::prose(given, name, "INVALID_FIELDS");
    if new.title.is_sent() {
        node.title = args::title(&new.title)?;
    }
    if let Some(status) = args::status(&new.status)? {
        node.status = status;
        node.status_manual = true;
    }
    node.status_manual = new.status_manual.or(node.status_manual);
    if let Some(priority) = args::priority(&new.priority)? {
        node.priority = priority;
    }
    if let Some(text) = prose(&new.description, "description")? {
        node.description = text;
    }
    if let Some(text) = prose(&new.context, "context")? {
        node.context = text;
    }
    if let Some(criteria) =
        list(&new.success_criteria, "success_criteria")?.filter(|c| *c != node.success_criteria)
    {
        node.success_criteria = criteria;
        node.gates.reset(CheckpointKind::Criteria, false);
    }
    if let Some(tests) = list(&new.tests, "tests")?.filter(|t| *t != node.tests) {
        node.gates.reset(CheckpointKind::Tests, tests.is_empty());
        node.tests = tests;
    }
    for (given, name, field) in [
        (&new.dependencies, "dependencies", &mut node.dependencies),
        (&new.next_steps, "next_steps", &mut node.next_steps),
        (&new.problems, "problems", &mut node.problems),
        (&new.risks, "risks", &mut node.risks),
        (&new.blockers, "blockers", &mut node.blockers),
    ] {
        if let Some(entries) = list(given, name)? {
            *field = entries;
        }
    }
    node.blocked = new.blocked.or(node.blocked);
    Ok(())
}
