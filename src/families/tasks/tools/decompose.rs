//! `tasks_decompose`: further steps, at the root of a task or below one of its task nodes.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::{Address, Codes, NODE};
use super::super::answer::IntentAnswer;
use super::super::args::{self, Common};
use super::super::errors::fail;
use super::super::intent::{FocusUse, Intent};
use super::super::reply;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;
use super::super::tree::{self, StepInput};

pub struct Decompose;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DecomposeArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(deserialize_with = "args::without_nulls")]
    steps: Given<Vec<StepInput>>,
    parent: Given<String>,
    parent_task_node_id: Given<String>,
}

const PARENT: Codes = Codes {
    path_name: "parent",
    id_name: "parent_task_node_id",
    invalid_path: "INVALID_PARENT_PATH",
    invalid_id: "INVALID_PARENT_TASK_NODE_ID",
    unknown_id: "PARENT_TASK_NODE_ID_NOT_FOUND",
    ..NODE
};

#[derive(Serialize)]
struct Decomposed<'a> {
    task_id: &'a str,
    total_created: usize,
    task: reply::ItemShown,
}

impl Intent for Decompose {
    type Args = DecomposeArgs;
    const TOOL: &'static str = "tasks_decompose";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &DecomposeArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &DecomposeArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let mut item = request.task(target)?.item;
        let Some(steps) = tree::steps(&args.steps, request.ctx.now)? else {
            return Err(fail("MISSING_STEPS", "'steps' is required: the steps to add."));
        };
        if steps.is_empty() {
            return Err(fail("MISSING_STEPS", "'steps' must not be empty."));
        }
        let total_created = steps.len();
        let parent = Address { path: &args.parent, id: &args.parent_task_node_id, codes: PARENT };
        match parent.is_given() {
            true => parent.node(&item)?.node_mut(&mut item)?.steps.extend(steps),
            false => item.steps.extend(steps),
        }
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let task = reply::item(&saved.item, saved.rev, compact);
        Ok(IntentAnswer::about(&saved.item.id, &Decomposed { task_id: &saved.item.id, total_created, task })
            .short(compact))
    }
}
