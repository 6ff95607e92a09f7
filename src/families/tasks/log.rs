//! The shared operation log, narrowed to tasks and told in the contract's words. Records are never deleted, so a cursor
//! works for ever.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::op::Stream;
use crate::core::view::LogQuery;
use crate::core::{Given, Key, Op, OpKind, OpStatus, Result, View, past};

use super::FAMILY;
use super::args::{self, Flag, OneOrMany, WholeNumber, said, text};
use super::errors::{EnvelopeParts, fail};
use super::file;
use super::intent::intent_of;
use super::model::{Object, TaskItem};
use super::request::IntentRequest;
use super::rows::ITEMS;

const MOST: i64 = 500;

/// The filters that history and delta take.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TaskLogArgs {
    pub limit: Given<WholeNumber>,
    pub stream: Given<String>,
    pub intents: Given<OneOrMany>,
    pub paths: Given<OneOrMany>,
}

impl TaskLogArgs {
    /// Filters of the log have no index, and a long page is many rows.
    pub fn scans(&self) -> bool {
        self.limit.get().is_some_and(|n| n.0 > 50) || self.intents.is_sent() || self.paths.is_sent()
    }

    pub fn limit(&self, default: i64) -> Result<usize> {
        let n = args::number(&self.limit, "limit", 0, i64::MAX, "INVALID_LIMIT")?.unwrap_or(default);
        Ok(n.min(MOST) as usize)
    }
}

/// Where a delta begins and how much of each record it shows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SliceArgs {
    pub since: Given<String>,
    pub since_operation_id: Given<String>,
    pub since_id: Given<String>,
    pub include_undone: Flag,
    pub include_details: Flag,
    pub include_snapshot: Flag,
}

/// What is wanted of the log, checked.
pub struct TaskLogQuery {
    stream: Stream,
    task: Option<String>,
    intents: Vec<String>,
    paths: Vec<String>,
}

/// The filters as a reply repeats them.
#[derive(Serialize)]
pub struct WantedShown {
    stream: &'static str,
    task: Option<String>,
    intents: Option<Vec<String>>,
    paths: Option<Vec<String>>,
}

impl TaskLogQuery {
    pub fn of(filters: &TaskLogArgs, task: &Given<String>) -> Result<TaskLogQuery> {
        let stream = match text(&filters.stream).map(str::to_lowercase).as_deref() {
            None if !filters.stream.is_sent() => Stream::Ops,
            Some("ops") => Stream::Ops,
            Some("audit") => Stream::Audit,
            _ => {
                let message = format!("'stream' is {}; it must be ops or audit.", said(&filters.stream));
                return Err(fail("INVALID_STREAM", message).hint("Use ops or audit."));
            }
        };
        Ok(TaskLogQuery {
            stream,
            task: args::id(task, "task", "INVALID_TASK")?.map(str::to_string),
            intents: args::words(&filters.intents, "intents", "INVALID_FILTER")?.unwrap_or_default(),
            paths: args::words(&filters.paths, "paths", "INVALID_FILTER")?.unwrap_or_default(),
        })
    }

    /// Everything about one item.
    pub fn of_item(id: &str) -> TaskLogQuery {
        TaskLogQuery {
            stream: Stream::Ops,
            task: Some(id.to_string()),
            intents: Vec::new(),
            paths: Vec::new(),
        }
    }

    pub fn query(&self, workspace: &str, limit: usize) -> LogQuery {
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

    pub fn shown(&self) -> WantedShown {
        let or_null = |list: &Vec<String>| Some(list.clone()).filter(|list| !list.is_empty());
        WantedShown {
            stream: stream_name(self.stream),
            task: self.task.clone(),
            intents: or_null(&self.intents),
            paths: or_null(&self.paths),
        }
    }
}

fn stream_name(stream: Stream) -> &'static str {
    if stream == Stream::Audit { "audit" } else { "ops" }
}

/// What could be undone or redone now.
#[derive(Serialize)]
pub struct Ways {
    pub can_undo: bool,
    pub can_redo: bool,
}

pub fn ways(request: &IntentRequest) -> Result<Ways> {
    let (log, workspace) = (request.view().log(), request.workspace());
    Ok(Ways {
        can_undo: log.newest_live(workspace, Some(FAMILY))?.is_some(),
        can_redo: log.newest_undone(workspace, Some(FAMILY))?.is_some(),
    })
}

fn newest_id(request: &IntentRequest, stream: Stream) -> Result<Option<String>> {
    let wanted = TaskLogQuery { stream, task: None, intents: Vec::new(), paths: Vec::new() };
    let query = LogQuery { newest_first: true, ..wanted.query(request.workspace(), 1) };
    Ok(request.view().log().ops(&query)?.ops.first().map(|op| op.id.clone()))
}

/// The newest operation of the workspace's tasks.
pub fn latest_id(request: &IntentRequest) -> Result<Option<String>> {
    newest_id(request, Stream::Ops)
}

/// Stood for the operation's own id in replies that the first release stored.
const OWN_ID: &str = "@op-id@";

/// Such a reply with the id in its place.
fn named(value: &Value, id: &str) -> Value {
    match value {
        Value::String(text) if text == OWN_ID => id.into(),
        Value::Array(items) => items.iter().map(|item| named(item, id)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), named(value, id))).collect())
        }
        other => other.clone(),
    }
}

pub fn task_id(op: &Op) -> Option<String> {
    let kept = op.data.get("task_id").and_then(Value::as_str).map(str::to_string);
    kept.or_else(|| op.targets.first().cloned())
}

/// One record: short, or with request and reply.
#[derive(Debug, Clone, Serialize)]
pub struct OpShown {
    id: String,
    timestamp: f64,
    intent: String,
    task_id: Option<String>,
    stream: &'static str,
    effect: &'static str,
    task_file: Option<String>,
    pub undone: bool,
    has_result: bool,
    summary: String,
    client: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    #[serde(flatten)]
    more: Option<OpDetails>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<Sides>,
}

#[derive(Debug, Clone, Serialize)]
struct OpDetails {
    data: Object,
    snapshot_id: Option<String>,
    after_snapshot_id: Option<String>,
    result: Value,
}

/// The item an operation was about, before and after, as file text.
#[derive(Debug, Clone, Default, Serialize)]
struct Sides {
    before_id: String,
    after_id: String,
    before: Option<String>,
    after: Option<String>,
}

impl OpShown {
    /// One record, short.
    pub fn summary(op: &Op) -> OpShown {
        let task_id = task_id(op);
        let of = match &op.kind {
            OpKind::Undo(of) | OpKind::Redo(of) | OpKind::Revert(of) => Some(of.clone()),
            _ => None,
        };
        OpShown {
            id: op.id.clone(),
            timestamp: op.time.micros() as f64 / 1e6,
            intent: intent_of(&op.tool).to_string(),
            task_file: task_id.as_ref().map(|id| format!("{id}.task")),
            task_id,
            stream: stream_name(op.stream),
            effect: if op.stream == Stream::Audit { "read" } else { "write" },
            undone: op.status == OpStatus::Undone,
            has_result: op.data.get("result").is_some(),
            summary: op.summary.clone(),
            client: op.who.client.clone(),
            of,
            more: None,
            snapshot: None,
        }
    }

    /// One record with request and reply.
    pub fn full(op: &Op) -> OpShown {
        let mut out = OpShown::summary(op);
        let mut data = op.request.as_object().cloned().unwrap_or_default();
        data.insert("intent".into(), out.intent.clone().into());
        data.extend(op.data.get("filled").and_then(Value::as_object).cloned().unwrap_or_default());
        let stored = op.stream == Stream::Ops;
        out.more = Some(OpDetails {
            data,
            snapshot_id: stored.then(|| format!("{}:before", op.id)),
            after_snapshot_id: stored.then(|| format!("{}:after", op.id)),
            result: op.data.get("result").map_or(Value::Null, |r| named(r, &op.id)),
        });
        out
    }
}

fn sides(view: &dyn View, op: &Op) -> Result<Sides> {
    let mut out = Sides {
        before_id: format!("{}:before", op.id),
        after_id: format!("{}:after", op.id),
        ..Sides::default()
    };
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
        for (side, row) in [(&mut out.before, before), (&mut out.after, after)] {
            if let Some(row) = row {
                let item: TaskItem = row.decode(ITEMS, &change.key)?;
                *side = Some(file::encode(&item, row.rev)?);
            }
        }
    }
    Ok(out)
}

#[derive(Serialize)]
struct NoSince<'a> {
    since: &'a str,
}

/// Where a `since` cursor stands in its stream.
fn position(request: &IntentRequest, slice: &SliceArgs, stream: Stream) -> Result<Option<(String, u64)>> {
    let names = [&slice.since, &slice.since_operation_id, &slice.since_id];
    let Some(id) = names.into_iter().find_map(text) else { return Ok(None) };
    let found = request.view().log().op(id)?;
    let found = found.filter(|op| op.stream == stream && op.workspace == request.workspace());
    let op = found.ok_or_else(|| {
        fail("SINCE_NOT_FOUND", format!("'{id}' is not an operation of this stream and workspace."))
            .hint("Use meta.operation_id (or meta.audit_operation_id with stream=audit) of an earlier reply.")
            .result(NoSince { since: id })
    })?;
    Ok(Some((id.to_string(), op.seq)))
}

#[derive(Serialize)]
pub struct Slice {
    #[serde(flatten)]
    wanted: WantedShown,
    since: Option<String>,
    latest_id: Option<String>,
    include_details: bool,
    include_snapshot: bool,
    order: &'static str,
    operations: Vec<OpShown>,
    has_more: bool,
    #[serde(flatten)]
    ways: Ways,
}

/// A delta: after the cursor oldest first; without one from the start, or newest first for a cold start.
pub fn slice(
    request: &IntentRequest,
    args: &SliceArgs,
    wanted: &TaskLogQuery,
    limit: usize,
    cold: bool,
) -> Result<Slice> {
    let since = position(request, args, wanted.stream)?;
    let (details, snapshots) = (args.include_details.on(), args.include_snapshot.on());
    let query = LogQuery {
        after: since.as_ref().map(|(_, seq)| *seq),
        newest_first: cold && since.is_none(),
        include_undone: args.include_undone.or(true),
        ..wanted.query(request.workspace(), limit.max(1))
    };
    let page = request.view().log().ops(&query)?;
    let has_more = page.has_more || (limit == 0 && !page.ops.is_empty());
    let mut operations = Vec::new();
    for op in page.ops.iter().take(limit) {
        let mut out = if details { OpShown::full(op) } else { OpShown::summary(op) };
        if snapshots {
            out.snapshot = Some(sides(request.view(), op)?);
        }
        operations.push(out);
    }
    Ok(Slice {
        wanted: wanted.shown(),
        since: since.map(|(id, _)| id),
        latest_id: newest_id(request, wanted.stream)?,
        include_details: details,
        include_snapshot: snapshots,
        order: if query.newest_first { "newest_first" } else { "oldest_first" },
        operations,
        has_more,
        ways: ways(request)?,
    })
}
