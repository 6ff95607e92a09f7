//! `tasks_batch`: several intents in order, in one draft, as one operation; atomic or up to the first failure.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Error, Given, Needs, Result};

use super::super::answer::{IntentAnswer, OperationLine, envelope, object, of_error};
use super::super::args::{self, Common, Flag, MAX_LIST, OneOrMany, text};
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::Intent;
use super::super::log;
use super::super::model::Object;
use super::super::path::Path;
use super::super::pipeline;
use super::super::reply;
use super::super::request::IntentRequest;
use super::super::suggest;
use super::super::target::IntentTarget;

pub struct TasksBatch;

const MAX_DEPTH: usize = 8;
/// Intents that take no default target.
const UNTARGETED: [&str; 4] = ["context", "storage", "history", "templates_list"];
/// Items that a short reply shows after all operations.
const ITEMS_SHOWN: usize = 5;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksBatchArgs {
    #[serde(flatten)]
    common: Common,
    operations: Given<Vec<Object>>,
    atomic: Flag,
}

/// What the pipeline has to know of an operation before its own tool reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    intent: Given<String>,
    task: Given<String>,
    plan: Given<String>,
    task_id: Given<String>,
    plan_id: Given<String>,
    paths: Given<OneOrMany>,
}

/// What the whole passes on to operations that do not say it themselves.
#[derive(Serialize)]
struct Defaults<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_target_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict_targeting: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict_writes: Option<bool>,
}

#[derive(Serialize)]
struct OnePath<'a> {
    path: &'a str,
}

#[derive(Serialize)]
struct AtOperation {
    operation_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Serialize)]
struct TooMany {
    max: usize,
}

#[derive(Serialize)]
struct BatchReply {
    total: usize,
    completed: usize,
    results: Vec<Object>,
    latest_id: Option<String>,
    operation_ids: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<reply::ItemShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolled_back: Option<bool>,
}

impl Intent for TasksBatch {
    type Args = TasksBatchArgs;
    const TOOL: &'static str = "tasks_batch";
    const LOOKS: Needs = Needs::World;

    fn common(args: &TasksBatchArgs) -> &Common {
        &args.common
    }

    fn previews(args: &TasksBatchArgs) -> bool {
        args.common.dry_run.on()
    }

    /// Only confirmations have witnesses.
    fn looks(args: &TasksBatchArgs) -> Needs {
        let confirms = |op: &Object| {
            let head = head(op);
            ["verify", "close_step", "done", "batch"].contains(&text(&head.intent).unwrap_or_default())
        };
        let any = args.operations.get().is_some_and(|list| list.iter().any(confirms));
        if any { Needs::World } else { Needs::Rows }
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksBatchArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        if request.depth >= MAX_DEPTH {
            return Err(fail("INVALID_OPERATIONS", "Batches are nested too deep."));
        }
        expected(request, &args.common)?;
        let compact = args.common.compact();
        let atomic = args.atomic.on();
        let operations = unfold(args)?;
        let total = operations.len();
        request.unfolded += total;
        if request.unfolded > MAX_LIST {
            return Err(too_many());
        }
        let first = request.nested_ids.len();
        let whole = (request.draft.snapshot(), request.targets.clone());
        request.depth += 1;
        let (results, completed, failure) = run(request, operations, compact);
        request.depth -= 1;
        if failure.is_some() && atomic {
            request.draft.restore(whole.0);
            request.targets = whole.1;
            request.nested_ids.truncate(first);
        }
        let operation_ids = request.nested_ids[first..].to_vec();
        let kept = !operation_ids.is_empty() && !request.preview;
        let latest_id = if kept { Some(request.record_id.clone()) } else { log::latest_id(request)? };
        let rolled_back = failure.as_ref().map(|_| atomic);
        let items = if compact && kept { items(request)? } else { Vec::new() };
        let written = !operation_ids.is_empty();
        let result = BatchReply { total, completed, results, latest_id, operation_ids, items, rolled_back };
        let mut answer = IntentAnswer::new(&result).short(compact && request.depth == 0);
        if written && request.depth == 0 {
            answer.meta.operation_id = Some(request.record_id.clone()).filter(|_| !request.preview);
        }
        match failure {
            None => Ok(answer),
            Some(error) if atomic || !written => Err(error.result(result)),
            Some(error) => {
                answer.meta.operation_id = Some(request.record_id.clone());
                answer.error = Some(error);
                Ok(answer)
            }
        }
    }
}

/// A revision is checked once, before anything happens.
fn expected(request: &IntentRequest, common: &Common) -> Result<()> {
    let Some(expected) = common.revision()? else { return Ok(()) };
    let Some(id) = args::id(&common.task, "task", "INVALID_TASK")? else {
        return Err(fail("MISSING_TASK_FOR_EXPECTED_REVISION", "'expected_revision' needs 'task'.")
            .hint("Name the task the revision belongs to."));
    };
    if request.preview { Ok(()) } else { pipeline::check_revision(request, id, expected) }
}

/// Runs the operations up to the first failure: their lines, how many succeeded, and what went wrong.
fn run(
    request: &mut IntentRequest,
    operations: Vec<Object>,
    compact: bool,
) -> (Vec<Object>, usize, Option<Error>) {
    let (mut results, mut completed) = (Vec::new(), 0);
    let now = request.ctx.now;
    for op in operations {
        let before = (request.draft.snapshot(), request.targets.clone(), request.nested_ids.len());
        let intent = head(&op).intent.get().map(|s| s.trim().to_string()).unwrap_or_default();
        let done = match intent.as_str() {
            "" => Err(fail("MISSING_INTENT", "An operation does not say its 'intent'.")
                .hint("An operation is {\"intent\":\"note\", …}: the name of its tool without tasks_, and its fields.")),
            name => pipeline::nested(request, name, op),
        };
        match done {
            Ok(answer) => {
                let line = OperationLine::of(&intent, &answer);
                let reads = answer.meta.operation_id.is_none() && !answer.no_op && !answer.preview;
                let brief = compact && answer.error.is_none() && !reads;
                results.push(if brief { object(&line) } else { envelope(&intent, &answer, now) });
                match answer.error {
                    Some(error) => return (results, completed, Some(error)),
                    None => completed += 1,
                }
            }
            Err(error) => {
                request.draft.restore(before.0);
                request.targets = before.1;
                request.nested_ids.truncate(before.2);
                results.push(of_error(&intent, &error, now));
                return (results, completed, Some(error));
            }
        }
    }
    (results, completed, None)
}

/// Where the items stand after everything.
fn items(request: &IntentRequest) -> Result<Vec<reply::ItemShown>> {
    let mut out = Vec::new();
    for id in request.targets.iter().take(ITEMS_SHOWN) {
        out.extend(request.load(id)?.map(|loaded| reply::item(&loaded.item, loaded.rev, true)));
    }
    Ok(out)
}

fn head(op: &Object) -> Head {
    // Every member takes whatever was sent.
    Head::deserialize(Value::Object(op.clone())).unwrap_or_default()
}

/// One operation is one undo and one commit; batches in a batch do not make it longer than one may be.
fn too_many() -> Error {
    let message = format!("The batch unfolds to more than {MAX_LIST} operations.");
    fail("TOO_MANY_OPERATIONS_AFTER_EXPANSION", message).result(TooMany { max: MAX_LIST })
}

/// The operations with defaults filled in and `paths` unfolded.
fn unfold(args: &TasksBatchArgs) -> Result<Vec<Object>> {
    let list = match &args.operations {
        Given::Absent => {
            return Err(fail("MISSING_OPERATIONS", "'operations' is required: what to do, in order."));
        }
        Given::Is(list) if list.is_empty() => {
            return Err(fail("MISSING_OPERATIONS", "'operations' must not be empty."));
        }
        Given::Is(list) => list,
        Given::Wrong(Value::Array(list)) => {
            let i = list.iter().position(|v| !v.is_object()).unwrap_or_default();
            return Err(fail("INVALID_OPERATIONS", format!("operations[{i}] must be an object."))
                .result(AtOperation { operation_index: i, path: None }));
        }
        Given::Wrong(_) => return Err(fail("INVALID_OPERATIONS", "'operations' must be a list.")),
    };
    let mut out = Vec::new();
    for (i, op) in list.iter().enumerate() {
        let head = head(op);
        let op = with_defaults(&args.common, &head, op);
        let intent = text(&head.intent).unwrap_or_default();
        // For history and delta `paths` is a filter of their own.
        if !head.paths.is_sent() || ["history", "delta"].contains(&intent) {
            out.push(op);
        } else {
            let mut op = op;
            op.shift_remove("paths");
            for path in args::words(&head.paths, "paths", "INVALID_PATH")?.unwrap_or_default() {
                if Path::parse(&path).is_none() {
                    return Err(fail("INVALID_PATH", format!("'{path}' is not a path."))
                        .result(AtOperation { operation_index: i, path: Some(path) }));
                }
                let mut one = op.clone();
                one.extend(object(&OnePath { path: &path }));
                out.push(one);
            }
        }
        if out.len() > MAX_LIST {
            return Err(too_many());
        }
    }
    Ok(out)
}

fn with_defaults(common: &Common, head: &Head, op: &Object) -> Object {
    let named = [&head.task, &head.plan, &head.task_id, &head.plan_id].iter().any(|given| given.is_sent());
    let intent = text(&head.intent).unwrap_or_default();
    let task = common.task.get().filter(|_| !named && !UNTARGETED.contains(&intent));
    let flag = |flag: Flag| flag.is_sent().then(|| flag.on());
    let text = |given: &'_ Given<String>| given.get().cloned();
    let (id, alias, kind) =
        (text(&common.expected_target_id), text(&common.expected_target), text(&common.expected_kind));
    let guarded = intent != "batch" && !UNTARGETED.contains(&intent);
    let defaults = Defaults {
        task: task.map(String::as_str),
        expected_target_id: id.as_deref().filter(|_| guarded),
        expected_target: alias.as_deref().filter(|_| guarded),
        expected_kind: kind.as_deref().filter(|_| guarded),
        strict_targeting: flag(common.strict_targeting),
        strict_writes: flag(common.strict_writes),
    };
    let mut out = op.clone();
    let schema = suggest::declared(&format!("tasks_{intent}")).map(|declared| &*declared.schema);
    let takes = |key: &str| schema.is_some_and(|schema| schema["properties"].get(key).is_some());
    for (key, value) in object(&defaults) {
        if takes(&key) && out.get(&key).is_none_or(Value::is_null) {
            out.insert(key, value);
        }
    }
    out
}
