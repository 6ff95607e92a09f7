//! `tasks_define`: what a step is called, when it is done, how it is tested and what is in its way.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{self, Common};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::{FocusUse, Intent};
use super::super::model::CheckpointKind;
use super::super::reply::{self, AtPath};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct Define;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DefineArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
    title: Given<String>,
    success_criteria: Given<Vec<String>>,
    tests: Given<Vec<String>>,
    blockers: Given<Vec<String>>,
}

#[derive(Serialize)]
struct Defined<'a> {
    task_id: &'a str,
    path: &'a str,
    updated: Vec<&'static str>,
    step: reply::NodeShown,
    task: reply::ItemShown,
}

impl Intent for Define {
    type Args = DefineArgs;
    const TOOL: &'static str = "tasks_define";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &DefineArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &DefineArgs, target: &IntentTarget) -> Result<IntentAnswer> {
        let (mut item, path) = request.step(target, &Address::of_step(&args.path, &args.step_id))?;
        let sent = [
            ("title", args.title.is_sent()),
            ("success_criteria", args.success_criteria.is_sent()),
            ("tests", args.tests.is_sent()),
            ("blockers", args.blockers.is_sent()),
        ];
        let updated: Vec<_> = sent.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect();
        if updated.is_empty() {
            return Err(fail("NO_FIELDS", "There is nothing to change.")
                .hint("Send title, success_criteria, tests or blockers.")
                .result(AtPath { task: &item.id, path: path.as_str() }));
        }
        let title = if args.title.is_sent() { Some(args::title(&args.title)?) } else { None };
        let criteria = args::list(&args.success_criteria, "success_criteria", "INVALID_FIELDS")?;
        if criteria.as_ref().is_some_and(Vec::is_empty) {
            return Err(fail("MISSING_CRITERIA", "A step needs at least one success criterion."));
        }
        let tests = args::list(&args.tests, "tests", "INVALID_FIELDS")?;
        let blockers = args::list(&args.blockers, "blockers", "INVALID_FIELDS")?;
        let step = path.step_mut(&mut item)?;
        let before = step.clone();
        step.title = title.unwrap_or_else(|| before.title.clone());
        if let Some(list) = criteria.filter(|list| *list != before.success_criteria) {
            step.success_criteria = list;
            step.gates.reset(CheckpointKind::Criteria, false);
        }
        if let Some(list) = tests.filter(|list| *list != before.tests) {
            step.gates.reset(CheckpointKind::Tests, list.is_empty());
            step.tests = list;
        }
        step.blockers = blockers.unwrap_or_else(|| before.blockers.clone());
        if *step != before {
            step.reopen();
        }
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let result = Defined {
            task_id: &saved.item.id,
            path: path.as_str(),
            updated,
            step: reply::step(path.step(&saved.item)?, path.as_str(), compact),
            task: reply::item(&saved.item, saved.rev, compact),
        };
        Ok(IntentAnswer::about(&saved.item.id, &result).at(&path).short(compact))
    }
}
