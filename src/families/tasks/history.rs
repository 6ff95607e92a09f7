//! history, delta, undo and redo: the shared operation log, narrowed to tasks and told in the contract's
//! words. Records are never deleted, so a cursor works for ever.

use serde_json::{Value, json};

use crate::core::history::{self as log, Scope, Step};
use crate::core::op::Stream;
use crate::core::outcome::{self, OP_ID};
use crate::core::view::LogQuery;
use crate::core::{Ctx, Error, Key, Op, OpKind, OpStatus, Outcome, Reply, Result, View, past};

use super::FAMILY;
use super::args::{self, flag, text};
use super::envelope;
use super::fail::{Envelope, detail, fail};
use super::file;
use super::model::{Item, Object};
use super::run::{Answer, Run};
use super::store::ITEMS;

const MOST: i64 = 500;

/// The filters that history and delta share, as asked for.
struct Wanted {
    stream: Stream,
    task: Option<String>,
    intents: Vec<String>,
    paths: Vec<String>,
}

impl Wanted {
    fn parse(request: &Object) -> Result<Wanted> {
        let stream = match text(request, "stream").map(str::to_lowercase).as_deref() {
            None if !args::has(request, "stream") => Stream::Ops,
            Some("ops") => Stream::Ops,
            Some("audit") => Stream::Audit,
            _ => {
                let message = format!("'stream' is {}; it must be ops or audit.", request["stream"]);
                return Err(fail("INVALID_STREAM", message).hint("Use ops or audit."));
            }
        };
        Ok(Wanted {
            stream,
            task: args::id(request, "task", "INVALID_TASK")?.map(str::to_string),
            intents: args::list(request, "intents", "INVALID_FILTER")?.unwrap_or_default(),
            paths: args::list(request, "paths", "INVALID_FILTER")?.unwrap_or_default(),
        })
    }

    fn stream_name(&self) -> &'static str {
        if self.stream == Stream::Audit { "audit" } else { "ops" }
    }

    fn query(&self, workspace: &str, limit: usize) -> LogQuery {
        LogQuery {
            stream: self.stream,
            workspace: Some(workspace.to_string()),
            family: Some(FAMILY.to_string()),
            tools: self.intents.iter().map(|i| format!("tasks_{i}")).collect(),
            target: self.task.clone(),
            paths: self.paths.clone(),
            include_undone: true,
            limit,
            ..LogQuery::default()
        }
    }

    /// The filters as a reply repeats them.
    fn shown(&self) -> Value {
        let or_null = |list: &Vec<String>| if list.is_empty() { Value::Null } else { json!(list) };
        json!({"stream": self.stream_name(), "task": self.task, "intents": or_null(&self.intents),
            "paths": or_null(&self.paths)})
    }
}

fn limit(request: &Object, default: i64) -> Result<usize> {
    let n = args::number(request, "limit", 0, i64::MAX, "INVALID_LIMIT")?.unwrap_or(default);
    Ok(n.min(MOST) as usize)
}

fn can_undo(view: &dyn View, workspace: &str) -> Result<bool> {
    Ok(view.log().newest_live(workspace, Some(FAMILY))?.is_some())
}

fn can_redo(view: &dyn View, workspace: &str) -> Result<bool> {
    Ok(view.log().newest_undone(workspace, Some(FAMILY))?.is_some())
}

fn newest_id(run: &Run, stream: Stream) -> Result<Option<String>> {
    let wanted = Wanted { stream, task: None, intents: Vec::new(), paths: Vec::new() };
    let query = LogQuery { newest_first: true, ..wanted.query(run.workspace(), 1) };
    Ok(run.view().log().ops(&query)?.ops.first().map(|op| op.id.clone()))
}

/// The newest operation of the workspace's tasks.
pub fn latest_id(run: &Run) -> Result<Option<String>> {
    newest_id(run, Stream::Ops)
}

/// Replies stored by the first release name their own operation by a mark.
fn named(value: &Value, id: &str) -> Value {
    let mut value = value.clone();
    outcome::fill(&mut value, OP_ID, Some(id));
    value
}

fn task_id(op: &Op) -> Option<String> {
    op.data["task_id"].as_str().map(str::to_string).or_else(|| op.targets.first().cloned())
}

/// One record, short.
fn summary(op: &Op) -> Value {
    let task = task_id(op);
    let file = task.as_ref().map(|id| format!("{id}.task"));
    let intent = op.tool.strip_prefix("tasks_").unwrap_or(&op.tool);
    let mut out = json!({"id": op.id, "timestamp": op.time.micros() as f64 / 1e6, "intent": intent,
        "task_id": task, "stream": if op.stream == Stream::Audit { "audit" } else { "ops" },
        "effect": if op.stream == Stream::Audit { "read" } else { "write" }, "task_file": file,
        "undone": op.status == OpStatus::Undone, "has_result": op.data.get("result").is_some(),
        "summary": op.summary, "client": op.who.client});
    if let OpKind::Undo(of) | OpKind::Redo(of) | OpKind::Revert(of) = &op.kind {
        out["of"] = json!(of);
    }
    out
}

/// One record with request and reply.
fn full(op: &Op) -> Value {
    let mut out = summary(op);
    let mut data = op.request.clone();
    data["intent"] = out["intent"].clone();
    if let Some(filled) = op.data["filled"].as_object() {
        for (key, value) in filled {
            data[key] = value.clone();
        }
    }
    out["data"] = data;
    let stored = op.stream == Stream::Ops;
    out["snapshot_id"] = json!(stored.then(|| format!("{}:before", op.id)));
    out["after_snapshot_id"] = json!(stored.then(|| format!("{}:after", op.id)));
    out["result"] = op.data.get("result").map_or(Value::Null, |r| named(r, &op.id));
    out
}

/// The item an operation was about, before and after, as file text.
fn snapshot(view: &dyn View, op: &Op) -> Result<Value> {
    let mut out = json!({"before_id": format!("{}:before", op.id), "after_id": format!("{}:after", op.id),
        "before": null, "after": null});
    let Some(changes) = view.log().changes(op)? else { return Ok(out) };
    let wanted = task_id(op);
    let own = |key: &Key| {
        let mut parts = key.parts();
        parts.text();
        wanted.is_none() || parts.text() == wanted
    };
    for change in changes.iter().filter(|c| c.table == ITEMS.0 && own(&c.key)) {
        let sides = match past::around(view, ITEMS, &change.key, op) {
            Ok(sides) => sides,
            // Later changes that are no longer kept stand between now and then.
            Err(e) if e.code == "collected" => None,
            Err(e) => return Err(e),
        };
        let Some((before, after)) = sides else { continue };
        for (name, side) in [("before", before), ("after", after)] {
            if let Some(row) = side {
                let item: Item = row.decode(ITEMS, &change.key)?;
                out[name] = json!(file::encode(&item, row.rev)?);
            }
        }
    }
    Ok(out)
}

pub fn history(run: &mut Run, request: &Object) -> Result<Answer> {
    let wanted = Wanted::parse(request)?;
    let limit = limit(request, 20)?;
    let query = LogQuery { newest_first: true, ..wanted.query(run.workspace(), limit) };
    let mut ops = if limit == 0 { Vec::new() } else { run.view().log().ops(&query)?.ops };
    ops.reverse();
    let mut result = wanted.shown();
    result["operations"] = json!(ops.iter().map(full).collect::<Vec<_>>());
    result["can_undo"] = json!(can_undo(run.view(), run.workspace())?);
    result["can_redo"] = json!(can_redo(run.view(), run.workspace())?);
    Ok(Answer::new(result))
}

/// Where a `since` cursor stands in its stream.
fn position(run: &Run, request: &Object, stream: Stream) -> Result<Option<(String, u64)>> {
    let names = ["since", "since_operation_id", "since_id"];
    let Some(id) = names.iter().find_map(|k| text(request, k)) else { return Ok(None) };
    let found = run.view().log().op(id)?;
    let found = found.filter(|op| op.stream == stream && op.workspace == run.workspace());
    let op = found.ok_or_else(|| {
        fail("SINCE_NOT_FOUND", format!("'{id}' is not an operation of this stream and workspace."))
            .hint("Use meta.operation_id (or meta.audit_operation_id with stream=audit) of an earlier reply.")
            .result(json!({"since": id}))
    })?;
    Ok(Some((id.to_string(), op.seq)))
}

/// A delta: after the cursor oldest first; without one from the start, or newest first for a cold start.
fn slice(run: &Run, request: &Object, wanted: &Wanted, limit: usize, cold: bool) -> Result<Value> {
    let since = position(run, request, wanted.stream)?;
    let details = flag(request, "include_details", false);
    let snapshots = flag(request, "include_snapshot", false);
    let query = LogQuery {
        after: since.as_ref().map(|(_, seq)| *seq),
        newest_first: cold && since.is_none(),
        include_undone: flag(request, "include_undone", true),
        ..wanted.query(run.workspace(), limit.max(1))
    };
    let page = run.view().log().ops(&query)?;
    let more = page.has_more || (limit == 0 && !page.ops.is_empty());
    let mut shown = Vec::new();
    for op in page.ops.iter().take(limit) {
        let mut out = if details { full(op) } else { summary(op) };
        if snapshots {
            out["snapshot"] = snapshot(run.view(), op)?;
        }
        shown.push(out);
    }
    let mut result = wanted.shown();
    result["since"] = json!(since.map(|(id, _)| id));
    result["latest_id"] = json!(newest_id(run, wanted.stream)?);
    result["include_details"] = json!(details);
    result["include_snapshot"] = json!(snapshots);
    result["order"] = json!(if query.newest_first { "newest_first" } else { "oldest_first" });
    result["operations"] = json!(shown);
    result["has_more"] = json!(more);
    result["can_undo"] = json!(can_undo(run.view(), run.workspace())?);
    result["can_redo"] = json!(can_redo(run.view(), run.workspace())?);
    Ok(result)
}

pub fn delta(run: &mut Run, request: &Object) -> Result<Answer> {
    let wanted = Wanted::parse(request)?;
    let limit = limit(request, 50)?;
    Ok(Answer::new(slice(run, request, &wanted, limit, false)?))
}

/// The delta of a context pack: one item's operations, the newest first when there is no cursor.
pub fn pack_delta(run: &Run, request: &Object, id: &str, limit: usize) -> Result<Value> {
    let wanted =
        Wanted { stream: Stream::Ops, task: Some(id.to_string()), intents: Vec::new(), paths: Vec::new() };
    slice(run, request, &wanted, limit, true)
}

/// Is there another operation to act on besides this one?
fn another(ctx: &Ctx, op: &Op, undone: bool) -> Result<bool> {
    let mut query = LogQuery {
        workspace: Some(ctx.session.workspace.clone()),
        family: Some(FAMILY.to_string()),
        include_undone: undone,
        limit: 4,
        newest_first: !undone,
        after: undone.then_some(op.seq),
        before: (!undone).then_some(op.seq),
        ..LogQuery::default()
    };
    let status = if undone { OpStatus::Undone } else { OpStatus::Done };
    loop {
        let page = ctx.view.log().ops(&query)?;
        if page.ops.iter().any(|o| o.status == status && o.reversible()) {
            return Ok(true);
        }
        let Some(last) = page.ops.last().filter(|_| page.has_more) else { return Ok(false) };
        if undone {
            query.after = Some(last.seq);
        } else {
            query.before = Some(last.seq);
        }
    }
}

/// tasks_undo and tasks_redo: the shared mechanism inside this family, answered with the envelope.
pub fn take_back(ctx: &Ctx, intent: &str) -> Result<Outcome> {
    let undo = intent == "undo";
    let scope =
        Scope { workspace: ctx.session.workspace.clone(), family: Some(FAMILY.to_string()), target: None };
    let expected = ctx.call.text("expected_operation_id");
    let moved = if undo { log::undo(ctx, &scope, expected) } else { log::redo(ctx, &scope, expected) };
    let Step { op, mut outcome } = moved.map_err(|e| in_our_words(e, undo))?;
    if let Some(kind) = &outcome.kind {
        let draft = log::preview(ctx.view, &outcome)?;
        super::parents::check_restore(kind, &draft).map_err(|e| in_our_words(e, undo))?;
    }
    let other = another(ctx, &op, !undo)?;
    let mut shown = full(&op);
    shown["undone"] = json!(undo);
    let mut result = json!({});
    result[if undo { "undone_operation" } else { "redone_operation" }] = shown;
    result["can_undo"] = json!(if undo { other } else { true });
    result["can_redo"] = json!(if undo { true } else { other });
    let mut answer = Answer::new(result);
    let task = task_id(&op);
    if let Some(id) = &task {
        answer.context.insert("task_id".into(), json!(id));
    }
    let preview = ctx.call.preview || flag(&ctx.call.args, "dry_run", false);
    if preview {
        answer.result.insert("dry_run".into(), json!(true));
        outcome = Outcome::default();
    } else {
        answer.meta.insert("operation_id".into(), json!(OP_ID));
        outcome.record.data = json!({"intent": intent, "task_id": task, "operation_id": op.id});
    }
    outcome.reply = Reply::json(envelope::of(intent, &answer, ctx.now));
    Ok(outcome)
}

/// The contract knows one code for everything that keeps an undo from happening.
fn in_our_words(error: Error, undo: bool) -> Error {
    let stays = ["nothing_to_undo", "nothing_to_redo", "io_error", "internal", "unexpected_operation"];
    let details = error.details.as_deref().cloned().unwrap_or_else(|| json!({}));
    let code = match stays.contains(&error.code.as_str()) {
        true => error.code.to_uppercase(),
        false if undo => "UNDO_FAILED".to_string(),
        false => "REDO_FAILED".to_string(),
    };
    let known = !detail(&error, "result").is_null();
    let error = Error { code, ..error };
    if known { error } else { error.result(details) }
}
