//! `tasks_lint`: what is wrong or careless about a plan or task, and how to mend it.

use serde::{Deserialize, Serialize};

use crate::core::{Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::links::IntentLink;
use super::super::lint::{self, Issue, IssueShown, LintSummary};
use super::super::request::IntentRequest;
use super::super::runway;
use super::super::scene::{self, TaskScene};
use super::super::step_action::{SuggestedOp, patch_of};
use super::super::suggest::{Suggestion, fill};
use super::super::target::IntentTarget;

pub struct Lint;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LintArgs {
    #[serde(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct LintReply<'a> {
    item_id: &'a str,
    kind: &'static str,
    revision: u64,
    summary: LintSummary,
    issues: Vec<IssueShown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issues_left_off: Option<usize>,
    links: Links<'a>,
}

#[derive(Serialize)]
struct Links<'a> {
    radar: IntentLink<'a>,
    resume: IntentLink<'a>,
    mirror: IntentLink<'a>,
}

/// Issues in one reply.
const LISTED: usize = 50;

impl Intent for Lint {
    type Args = LintArgs;
    const TOOL: &'static str = "tasks_lint";
    const LOOKS: Needs = Needs::Scan;

    fn common(args: &LintArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, _args: &LintArgs, target: &IntentTarget) -> Result<IntentAnswer> {
        let scene = scene::load(request, target)?;
        let issues = lint::issues(&scene);
        let item = &scene.item;
        let link = |intent| IntentLink::of(intent, item);
        let result = LintReply {
            item_id: &item.id,
            kind: item.kind.as_str(),
            revision: scene.rev,
            summary: lint::summary(&issues),
            issues: issues.iter().take(LISTED).map(Issue::shown).collect(),
            issues_left_off: issues.len().checked_sub(LISTED).filter(|n| *n > 0),
            links: Links { radar: link("radar"), resume: link("resume"), mirror: link("mirror") },
        };
        let mut fixes: Vec<Suggestion> = Vec::new();
        for issue in &issues {
            let fix = runway::fix(&scene, issue).or_else(|| warning_fix(&scene, issue));
            fixes.extend(fix.filter(|f| !fixes.contains(f)));
            if fixes.len() == 3 {
                break;
            }
        }
        Ok(IntentAnswer::about(&item.id, &result).suggest(fixes))
    }
}

/// Fixes for the warnings that have one.
fn warning_fix(scene: &TaskScene, issue: &Issue) -> Option<Suggestion> {
    match issue.code {
        "STEP_TESTS_MISSING" => {
            let ops = vec![SuggestedOp::append("tests", fill("command that tests the step"))];
            patch_of(scene, "step", issue.path(), ops, "Names the command that tests this step.")
        }
        "DONE_CRITERIA_MISSING" => {
            let ops = vec![SuggestedOp::append("contract_data.done", fill("when the plan is done"))];
            patch_of(scene, "task_detail", None, ops, "Completes the contract.")
        }
        "CHECKS_MISSING" => {
            let ops = vec![SuggestedOp::append("contract_data.checks", fill("command that checks the work"))];
            patch_of(scene, "task_detail", None, ops, "Completes the contract.")
        }
        _ => None,
    }
}
