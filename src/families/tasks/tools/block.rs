//! `tasks_block`: a step waits for something, or no longer does.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result, redact};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{Common, Flag, text};
use super::super::intent::{FocusUse, Intent};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct Block;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BlockArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
    blocked: Flag,
    reason: Given<String>,
}

#[derive(Serialize)]
struct Blocked<'a> {
    task_id: &'a str,
    path: &'a str,
    blocked: bool,
    reason: &'a str,
    computed_status: &'static str,
    revision: u64,
}

impl Intent for Block {
    type Args = BlockArgs;
    const TOOL: &'static str = "tasks_block";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &BlockArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &BlockArgs, target: &IntentTarget) -> Result<IntentAnswer> {
        let (mut item, path) = request.step(target, &Address::of_step(&args.path, &args.step_id))?;
        let blocked = args.blocked.or(true);
        let reason = if blocked { text(&args.reason).unwrap_or_default() } else { "" };
        let reason = redact::text(reason).0;
        let step = path.step_mut(&mut item)?;
        step.blocked = blocked;
        step.block_reason = reason.clone();
        let computed_status = step.computed_status();
        let saved = request.save(item)?;
        let (task_id, path) = (&saved.item.id, path.as_str());
        let result =
            Blocked { task_id, path, blocked, reason: &reason, computed_status, revision: saved.rev };
        Ok(IntentAnswer::about(task_id, &result).at(path))
    }
}
