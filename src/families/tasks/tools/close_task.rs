//! `tasks_close_task`: patches and the closing of a task as one operation; a preview unless `apply` says otherwise.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Error, Given, Result};

use super::super::answer::{IntentAnswer, OperationLine, envelope, object};
use super::super::args::{Common, MAX_LIST, forced};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::{FocusUse, Intent};
use super::super::model::{Object, TaskStatus};
use super::super::patch::{PatchResult, TasksPatchArgs};
use super::super::rehearsal::{ClosingDiff, Completion, LintShown, PatchIndex, Rehearsal};
use super::super::request::{IntentRequest, LoadedItem};
use super::super::runway::{self, Runway, RunwayShown};
use super::super::scene::TaskScene;
use super::super::suggest::{OfTask, Suggestion};
use super::super::target::IntentTarget;
use super::super::{pipeline, reply};

pub struct CloseTask;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CloseTaskArgs {
    #[serde(flatten)]
    common: Common,
    /// Consent is given in its own type or not at all.
    apply: Given<bool>,
    patches: Given<Vec<Object>>,
    force: Given<bool>,
    override_reason: Given<String>,
}

#[derive(Serialize)]
struct Rehearsed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    task_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    already_done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dry_run: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apply: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_execute: Option<bool>,
    runway: RunwayShown<'a>,
    diff: &'a ClosingDiff,
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<LintShown<'a>>,
}

#[derive(Serialize)]
struct ClosedTask<'a> {
    task_id: &'a str,
    dry_run: bool,
    apply: bool,
    diff: &'a ClosingDiff,
    batch: BatchDone,
    task: Object,
}

/// The short form: what was done to it is in `changed`.
#[derive(Serialize)]
struct ClosedBriefly<'a> {
    task_id: &'a str,
    dry_run: bool,
    apply: bool,
    diff: BriefDiff<'a>,
    batch: BatchDone,
    task: Object,
}

#[derive(Serialize)]
struct BriefDiff<'a> {
    patches: &'a [PatchResult],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    patch_results: &'a [PatchResult],
    complete: &'a Option<Completion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apply_mode: Option<&'static str>,
}

#[derive(Serialize)]
struct BatchDone {
    total: usize,
    completed: usize,
    results: Vec<Object>,
    latest_id: String,
    operation_ids: Vec<String>,
}

impl Intent for CloseTask {
    type Args = CloseTaskArgs;
    const TOOL: &'static str = "tasks_close_task";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &CloseTaskArgs) -> &Common {
        &args.common
    }

    fn previews(args: &CloseTaskArgs) -> bool {
        args.apply != Given::Is(true) || args.common.dry_run.on()
    }

    fn answer(
        request: &mut IntentRequest,
        args: &CloseTaskArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        if let Given::Wrong(value) = &args.apply {
            let message = format!("'apply' is {value}; it must be true or false.");
            return Err(fail("INVALID_FIELDS", message).hint("Send the boolean true to close the task."));
        }
        let before = request.task(target)?;
        let id = before.item.id.clone();
        let patches = patches(&args.patches)?;
        let force = forced(&args.force, &args.override_reason, &id)?;
        if before.item.status == TaskStatus::Done && patches.is_empty() {
            return already_done(request, &before);
        }
        let plan = Rehearsal::of(request, &before, &patches, force.as_deref())?;
        if request.preview {
            return preview(request, args, &before, &plan, force.is_some());
        }
        if !plan.runway.open && force.is_none() {
            return Err(closed_runway(request, &id, &plan));
        }
        let compact = args.common.compact();
        let (batch, task) = apply(request, &id, &patches, force.as_deref(), compact)?;
        let diff = &plan.diff;
        let mut answer = match compact {
            true => {
                let diff = BriefDiff {
                    patches: &diff.patches,
                    patch_results: &diff.patch_results,
                    complete: &diff.complete,
                    apply_mode: diff.apply_mode,
                };
                IntentAnswer::about(
                    &id,
                    &ClosedBriefly { task_id: &id, dry_run: false, apply: true, diff, batch, task },
                )
            }
            false => IntentAnswer::about(
                &id,
                &ClosedTask { task_id: &id, dry_run: false, apply: true, diff, batch, task },
            ),
        };
        if let Some(loaded) = request.load(&id)? {
            let scene = TaskScene::of(request.view(), request.workspace(), loaded)?;
            answer.suggestions.extend(runway::next(request, &scene)?);
        }
        Ok(answer.short(compact))
    }
}

/// The patches of a request, as it has them and as patches.
fn patches(given: &Given<Vec<Object>>) -> Result<Vec<(Object, TasksPatchArgs)>> {
    match given {
        Given::Absent => Ok(Vec::new()),
        Given::Is(list) if list.len() > MAX_LIST => {
            let message = format!("{} patches; at most {MAX_LIST}.", list.len());
            Err(fail("TOO_MANY_PATCHES", message))
        }
        Given::Is(list) => {
            let one = |(i, map): (usize, &Object)| {
                let patch = TasksPatchArgs::deserialize(Value::Object(map.clone()));
                patch.map(|patch| (map.clone(), patch)).map_err(|_| not_a_patch(i))
            };
            list.iter().enumerate().map(one).collect()
        }
        Given::Wrong(Value::Array(list)) => {
            Err(not_a_patch(list.iter().position(|v| !v.is_object()).unwrap_or_default()))
        }
        Given::Wrong(_) => Err(fail("INVALID_PATCHES", "'patches' must be a list.")
            .hint("Each patch is {kind?, path?, ops}, as in the patch intent.")),
    }
}

fn not_a_patch(patch_index: usize) -> Error {
    fail("INVALID_PATCH", format!("patches[{patch_index}] must be an object."))
        .result(PatchIndex { patch_index })
}

fn already_done(request: &IntentRequest, before: &LoadedItem) -> Result<IntentAnswer> {
    let scene = TaskScene::of(request.view(), request.workspace(), before.clone())?;
    let (runway, diff, id) = (Runway::of(&scene), ClosingDiff::default(), &before.item.id);
    let result = Rehearsed {
        task: None,
        task_id: id,
        already_done: Some(true),
        dry_run: Some(true),
        apply: Some(false),
        would_execute: None,
        runway: runway.shown(),
        diff: &diff,
        lint: None,
    };
    Ok(IntentAnswer::about(id, &result).no_op())
}

#[derive(Serialize)]
struct ApplyCall<'a> {
    task: &'a str,
    apply: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    patches: Option<&'a Vec<Object>>,
}

fn preview(
    request: &IntentRequest,
    args: &CloseTaskArgs,
    before: &LoadedItem,
    plan: &Rehearsal,
    forced: bool,
) -> Result<IntentAnswer> {
    let id = &before.item.id;
    let result = Rehearsed {
        task: None,
        task_id: id,
        already_done: None,
        dry_run: Some(true),
        apply: Some(false),
        would_execute: Some(plan.runway.open || forced),
        runway: plan.runway.shown(),
        diff: &plan.diff,
        lint: Some(plan.lint()),
    };
    let next = match (args.patches.get().filter(|list| !list.is_empty()), plan.runway.open) {
        (None, _) => runway::next_of(request, &plan.scene, &plan.runway),
        (Some(_), false) => plan.runway.recipe.clone(),
        (Some(patches), true) => {
            let params = ApplyCall { task: id, apply: true, patches: Some(patches) };
            let reason = "Applies the patches and closes the task.";
            Suggestion::guarded("close_task", reason, &params, &before.item, before.rev)
        }
    };
    Ok(IntentAnswer::about(id, &result).suggest(next.into_iter().collect()))
}

fn closed_runway(request: &IntentRequest, id: &str, plan: &Rehearsal) -> Error {
    let lint = plan.runway.issues.iter().find(|i| i.error).map(|i| i.message.clone());
    let validation = plan.runway.obstacle.as_ref().map(|o| o.message.clone());
    let because = lint.or(validation).unwrap_or_default();
    let next = runway::next_of(request, &plan.scene, &plan.runway);
    fail("RUNWAY_CLOSED", format!("{id} cannot be closed yet: {because}"))
        .hint("Do what runway.recipe says, then close the task again.")
        .result(Rehearsed {
            task: Some(id),
            task_id: id,
            already_done: None,
            dry_run: None,
            apply: None,
            would_execute: None,
            runway: plan.runway.shown(),
            diff: &plan.diff,
            lint: Some(plan.lint()),
        })
        .suggest(next.into_iter().collect())
}

#[derive(Serialize)]
struct CompleteCall<'a> {
    task: &'a str,
    status: &'static str,
    force: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    override_reason: Option<&'a str>,
    compact: bool,
}

/// Patches, then DONE, as operations of one batch.
fn apply(
    request: &mut IntentRequest,
    id: &str,
    patches: &[(Object, TasksPatchArgs)],
    force: Option<&str>,
    compact: bool,
) -> Result<(BatchDone, Object)> {
    let mut requests: Vec<(&str, Object)> = Vec::new();
    for (patch, _) in patches {
        let mut patch = patch.clone();
        patch.extend(object(&OfTask { task: id }));
        requests.push(("patch", patch));
    }
    let force_said = force.is_some();
    let last = CompleteCall { task: id, status: "DONE", force: force_said, override_reason: force, compact };
    requests.push(("complete", object(&last)));
    let total = requests.len();
    let first = request.nested_ids.len();
    let mut results = Vec::new();
    request.depth += 1;
    for (intent, args) in requests {
        let done = pipeline::nested(request, intent, args);
        let answer = done.inspect_err(|_| request.depth -= 1)?;
        results.push(match compact {
            true => object(&OperationLine::of(intent, &answer)),
            false => envelope(intent, &answer, request.ctx.now),
        });
    }
    request.depth -= 1;
    let operation_ids = request.nested_ids[first..].to_vec();
    let latest_id = request.record_id.clone();
    let batch = BatchDone { total, completed: total, results, latest_id, operation_ids };
    let task = match request.load(id)? {
        Some(loaded) => reply::item(&loaded.item, loaded.rev, compact),
        None => Object::new(),
    };
    Ok((batch, task))
}
