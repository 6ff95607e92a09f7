//! `tasks_plan`: the document, the checklist and the position of a plan.

use serde::Deserialize;

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, Flag, WholeNumber, said};
use super::super::contract::{saved, target};
use super::super::errors::fail;
use super::super::intent::{FocusUse, Intent};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksPlan;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksPlanArgs {
    #[serde(flatten)]
    common: Common,
    doc: Given<String>,
    steps: Given<Vec<String>>,
    current: Given<WholeNumber>,
    advance: Flag,
}

impl Intent for TasksPlan {
    type Args = TasksPlanArgs;
    const TOOL: &'static str = "tasks_plan";
    const FOCUS: FocusUse = FocusUse::Plan;
    const WRITES: bool = true;

    fn common(args: &TasksPlanArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &TasksPlanArgs, at: &IntentTarget) -> Result<IntentAnswer> {
        let before = target(request, at)?;
        let mut item = before.item.clone();
        if let Some(doc) = args::prose(&args.doc, "doc", "INVALID_FIELDS")? {
            item.plan_doc = doc;
        }
        if let Some(steps) = args::list(&args.steps, "steps", "INVALID_STEPS")? {
            item.plan_steps = steps;
        }
        if args.current.is_sent() {
            let message = || format!("'current' is {}; it must be a whole number.", said(&args.current));
            item.plan_current = args.current.get().map(|n| n.0).ok_or_else(|| {
                fail("INVALID_CURRENT", message()).hint("Send the index of the checklist entry to work on.")
            })?;
        }
        if args.advance.on() {
            item.plan_current += 1;
        }
        item.plan_current = item.plan_current.clamp(0, item.plan_steps.len() as i64);
        if item.plan_current != before.item.plan_current || item.plan_steps != before.item.plan_steps {
            item.status_manual = false;
        }
        saved(request, &args.common, &before, item)
    }
}
