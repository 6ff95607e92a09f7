//! The one way every intent goes, in the contract's order: revision syntax, focus, guards, preview, revision, handler,
//! operation id. Batches send their operations the same way.

use serde::Serialize;
use serde_json::Value;

use crate::core::{Call, Changed, Ctx, Error, Outcome, Reply, Result, arguments, schema};

use super::answer::{self, AnswerContext, IntentAnswer};
use super::auto::SeenOutside;
use super::claims::{self, CLAIMS};
use super::errors::{EnvelopeParts, fail};
use super::intent::{AnyIntent, FocusUse, intent_of};
use super::model::{CheckpointKind, Object};
use super::path::StepPath;
use super::record;
use super::request::IntentRequest;
use super::rows::{self, FOCUS, ITEMS};
use super::runway;
use super::scene::TaskScene;
use super::step_action;
use super::suggest::{self, Nothing, Suggestion};
use super::target::{self, IntentTarget};
use super::tools::INTENTS;

/// Bytes of `changed` in a short reply, and in one that tells of checkpoints before and after.
const MOST_CHANGED: usize = 300;
const MOST_BESIDE_CHECKPOINTS: usize = 100;

pub fn find(tool: &str) -> Result<&'static dyn AnyIntent> {
    let found = INTENTS.iter().copied().find(|intent| intent.tool() == tool);
    found.ok_or_else(|| {
        let name = intent_of(tool);
        let known: Vec<&str> = INTENTS.iter().map(|intent| intent.name()).collect();
        // An operation of a batch may be called by its tool.
        let near = schema::closest(intent_of(name), &known)
            .map(|near| format!("Did you mean '{near}'? "))
            .unwrap_or_default();
        fail("UNKNOWN_INTENT", format!("There is no intent '{name}'."))
            .hint(format!("{near}The intents are the tools named tasks_<intent>."))
    })
}

/// A whole call: from its arguments to what is recorded and answered.
pub fn outcome(ctx: &Ctx, intent: &dyn AnyIntent, seen: &SeenOutside) -> Result<Outcome> {
    let mut request = IntentRequest::new(ctx, seen);
    if let Some(text) = ctx.call.args.values().find_map(suggest::placeholder).filter(|_| intent.writes()) {
        return Err(fail("PLACEHOLDER", format!("{text} still stands in the call."))
            .hint("Put what you did or found in its place, then send the call again."));
    }
    let answer = execute(&mut request, intent, ctx.call).map_err(|e| with_the_rest(intent, ctx.call, e))?;
    let (common, _) = intent.read(ctx.call)?;
    settled(request, intent.name(), answer, common.audit.on())
}

/// The same for a tool that is no intent: it has decided already.
pub fn plain(request: IntentRequest, name: &str, answer: IntentAnswer) -> Result<Outcome> {
    settled(request, name, answer, false)
}

/// Runs one intent, alone or inside a batch.
pub fn execute(request: &mut IntentRequest, intent: &dyn AnyIntent, call: &Call) -> Result<IntentAnswer> {
    let (common, preview) = intent.read(call)?;
    if let Some(other) = common.intent.get().filter(|said| said.trim() != intent.name()) {
        return Err(fail("INVALID_FIELDS", format!("'intent' is {other}, but this is {}.", intent.name()))
            .hint(format!("Leave 'intent' out, or call tasks_{other}.")));
    }
    let expected = common.revision()?;
    let mut context = AnswerContext::default();
    let mut targeted = |request: &mut IntentRequest| -> Result<IntentAnswer> {
        let mut target = IntentTarget::named(&common);
        let mut other = None;
        if intent.focus() != FocusUse::No {
            target = target::fill(request, intent.name(), intent.focus(), &common, &mut context)?;
            let id = target.id(intent.focus()).to_string();
            target::guard(request, intent.name(), &common, &target, &id, &mut context)?;
            other = claims::other_holder(request.ctx, request.view(), &id)?;
            let preview = request.preview || preview;
            if let (Some(expected), false) = (expected, preview) {
                check_revision(request, &id, expected)?;
            }
            if request.depth == 0 {
                request.filled = Some((intent.focus().key(), id));
            }
        }
        let mut answer = work(request, intent, call, &target, preview)?;
        answer.warnings.extend(other);
        Ok(answer)
    };
    match targeted(request) {
        Ok(mut answer) => {
            answer.context.target_resolution = context.target_resolution;
            answer.context.strict = context.strict;
            Ok(answer)
        }
        Err(error) => Err(error.context(&context)),
    }
}

#[derive(Serialize)]
struct Would {
    dry_run: bool,
    would_execute: bool,
}

fn work(
    request: &mut IntentRequest,
    intent: &dyn AnyIntent,
    call: &Call,
    target: &IntentTarget,
    preview: bool,
) -> Result<IntentAnswer> {
    let preview = preview || request.preview;
    let mut answer = handled(request, intent, call, target, preview)?;
    answer.preview = preview;
    let writes = intent.writes() || answer.wrote;
    if writes && preview {
        let would_execute = !answer.no_op;
        answer = answer.with(&Would { dry_run: true, would_execute });
    } else if writes && !answer.no_op {
        let id = match request.depth {
            0 => request.record_id.clone(),
            _ => {
                let id = request.ctx.ids.uuid();
                request.nested_ids.push(id.clone());
                id
            }
        };
        answer.meta.operation_id = Some(id);
    }
    answer.meta.no_op = answer.no_op;
    if request.depth == 0 {
        let_go(request)?;
    }
    Ok(answer)
}

/// A task that is done is held by nobody; once for a whole batch.
fn let_go(request: &mut IntentRequest) -> Result<()> {
    for id in request.targets.clone() {
        if claims::ended_with(request.view(), request.workspace(), &id)? {
            let key = claims::claim_key(request.workspace(), &id);
            request.draft.delete(CLAIMS, &key)?;
        }
    }
    Ok(())
}

/// Runs the handler; a preview that is not already inside one leaves the draft as it found it.
fn handled(
    request: &mut IntentRequest,
    intent: &dyn AnyIntent,
    call: &Call,
    target: &IntentTarget,
    preview: bool,
) -> Result<IntentAnswer> {
    if !preview || request.preview {
        return intent.answer(request, call, target);
    }
    let (saved, touched) = (request.draft.snapshot(), request.targets.clone());
    request.preview = true;
    let answer = intent.answer(request, call, target);
    request.preview = false;
    request.draft.restore(saved);
    request.targets = touched;
    answer
}

#[derive(Serialize)]
struct Stale<'a> {
    task: &'a str,
    expected_revision: u64,
    current_revision: u64,
}

pub fn check_revision(request: &IntentRequest, id: &str, expected: u64) -> Result<()> {
    let Some(row) = request.view().row(ITEMS, &rows::item_key(request.workspace(), id))? else {
        return Ok(());
    };
    if row.rev == expected {
        return Ok(());
    }
    Err(fail("REVISION_MISMATCH", format!("{id} is at revision {}, not {expected}.", row.rev))
        .hint("Read it again with resume or radar, then retry with the current revision.")
        .result(Stale { task: id, expected_revision: expected, current_revision: row.rev })
        .suggest(suggest::reread(id)))
}

/// One of a batch's operations: its arguments are read by the same rules as those of a call.
pub fn nested(request: &mut IntentRequest, name: &str, args: Object) -> Result<IntentAnswer> {
    let intent = find(&format!("tasks_{name}"))?;
    let mut call = Call::of(intent.tool(), args);
    if let Some(declared) = suggest::declared(intent.tool()) {
        arguments::settle(declared, &mut call)?;
    }
    execute(request, intent, &call)
}

/// Everything else that is wrong with the arguments, so that it need not be found out one call at a time.
fn with_the_rest(intent: &dyn AnyIntent, call: &Call, error: Error) -> Error {
    let ours = error.code.starts_with("MISSING_") || error.code.starts_with("INVALID_");
    let Some(declared) = suggest::declared(intent.tool()).filter(|_| ours) else { return error };
    let faults = schema::check_all(&declared.schema, &Value::Object(call.args.clone()));
    let others: Vec<&str> = faults
        .iter()
        .filter(|fault| !error.message.contains(&fault.field))
        .map(|fault| fault.problem.as_str())
        .collect();
    if others.is_empty() {
        return error;
    }
    let message = format!("{} Also: {}", error.message, others.join(" "));
    Error { message, ..error }
}

#[derive(Serialize)]
struct AnyNext {
    next: bool,
}

/// What comes after a write whose tool does not say it, or says only what this session cannot call: what is to be done
/// about its step, else about its item.
fn next_after(request: &IntentRequest, answer: &IntentAnswer) -> Result<Option<Suggestion>> {
    let has = |next: &Suggestion| next.is_offered(request.ctx.session);
    let about = answer.context.task_id.as_ref().or(request.targets.first());
    let loaded = about.map(|id| request.load(id)).transpose()?.flatten();
    let Some(loaded) = loaded else {
        return Ok(Suggestion::normal("undo", "Takes it back.", &Nothing {}).filter(has));
    };
    let scene = TaskScene::of(request.view(), request.workspace(), loaded)?;
    let is_open = |at: &str| {
        let path = StepPath::parse(at, &scene.item);
        path.is_some_and(|path| path.step(&scene.item).is_ok_and(|step| !step.completed))
    };
    let of_step = answer.path.as_deref().filter(|at| is_open(at)).and_then(|at| step_action::of(&scene, at));
    let next = match of_step {
        Some(next) => Some(next),
        None => runway::next(request, &scene)?,
    };
    let any = || {
        let reason = "Takes the next task that can be started.";
        Suggestion::normal("claim", reason, &AnyNext { next: true }).filter(has)
    };
    Ok(next.filter(has).or_else(any))
}

#[derive(Serialize)]
struct WhatChanged {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<Changed>,
    #[serde(skip_serializing_if = "is_zero")]
    changed_left_off: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Is this a field of a checkpoint, or a time that follows from it?
fn said_by_checkpoints(field: &str) -> bool {
    let leaf = field.rsplit('.').next().unwrap_or_default();
    let leaf = leaf.split('[').next().unwrap_or_default();
    let of_gate =
        |gate: &CheckpointKind| leaf.strip_prefix(gate.as_str()).is_some_and(|rest| rest.starts_with('_'));
    CheckpointKind::ALL.iter().any(of_gate) || ["started_at", "completed_at"].contains(&leaf)
}

/// The reply, and what the log keeps of it.
fn settled(request: IntentRequest, intent: &str, mut answer: IntentAnswer, audit: bool) -> Result<Outcome> {
    let ctx = request.ctx;
    let audit = audit && (answer.preview || answer.no_op);
    if audit {
        answer.meta.audit_operation_id = Some(request.record_id.clone());
    }
    let changes: Vec<_> = request.draft.changes().filter(|c| c.table == ITEMS.0).collect();
    if changes.is_empty() {
        answer.meta.operation_id = None;
    }
    let said = answer.suggestions.len();
    answer.suggestions.retain(|next| next.is_offered(ctx.session));
    let wrote = !changes.is_empty() && answer.error.is_none() && !answer.preview;
    if answer.suggestions.is_empty() && (wrote || said > 0) {
        answer.suggestions.extend(next_after(&request, &answer)?);
    }
    if answer.short && !answer.preview {
        let mut list = Changed::of(&request.draft, &changes)?;
        // The timeline only tells of what the other fields say.
        list.retain(|changed| !changed.field.starts_with("events"));
        let checkpoints = answer.result.contains_key("checkpoints_after");
        if checkpoints {
            list.retain(|changed| !said_by_checkpoints(&changed.field));
            // What became of the item is beside it; its step comes first.
            list.sort_by_key(|changed| !changed.field.starts_with("steps["));
        }
        let most = if checkpoints { MOST_BESIDE_CHECKPOINTS } else { MOST_CHANGED };
        let (changed, changed_left_off) = Changed::within(list, most);
        answer = answer.with(&WhatChanged { changed, changed_left_off });
    }
    let record = record::of(&request, intent, &answer);
    let mut reply = Reply::of(&answer::envelope(intent, &answer, ctx.now));
    reply.is_error = answer.error.is_some();
    reply.links = answer.links;
    let mut outcome = request.draft.into_outcome();
    // Focus is a pointer of the session, not something to undo.
    outcome.quiet = !outcome.changes.is_empty() && outcome.changes.iter().all(|c| c.table == FOCUS.0);
    outcome.audit = audit;
    outcome.record = record;
    outcome.reply = reply;
    Ok(outcome)
}
