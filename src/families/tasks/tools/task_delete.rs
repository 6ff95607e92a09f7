//! `tasks_task_delete`: takes a task node out of a step's plan.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TaskDelete;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TaskDeleteArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    task_node_id: Given<String>,
}

#[derive(Serialize)]
struct Deleted<'a> {
    task_id: &'a str,
    path: &'a str,
    deleted: bool,
    deleted_task: reply::NodeShown,
    task: reply::ItemShown,
}

impl Intent for TaskDelete {
    type Args = TaskDeleteArgs;
    const TOOL: &'static str = "tasks_task_delete";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &TaskDeleteArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TaskDeleteArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let mut item = request.task(target)?.item;
        let path = Address::of_node(&args.path, &args.task_node_id).node(&item)?;
        request.mean(path.as_str());
        let removed = path.remove(&mut item)?;
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let result = Deleted {
            task_id: &saved.item.id,
            path: path.as_str(),
            deleted: true,
            deleted_task: reply::node(&removed, path.as_str(), compact),
            task: reply::item(&saved.item, saved.rev, compact),
        };
        Ok(IntentAnswer::about(&saved.item.id, &result).at(&path).short(compact))
    }
}
