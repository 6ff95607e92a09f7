//! The history family: what was done, and taking it back, for every other family.

mod at;
mod changes;
mod theirs;

use serde_json::{Map, Value, json};

use crate::core::change::path;
use crate::core::ctx::{ErrorCtx, Gathered};
use crate::core::diff::{Diff, Room};
use crate::core::history::{self, Scope, Step};
use crate::core::op::Stream;
use crate::core::view::{LogPage, LogQuery};
use crate::core::{
    Call, Ctx, Error, Family, FileImage, Kind, Op, OpKind, OpStatus, Outcome, Reply, Result, SessionInfo,
    World, redact,
};

pub struct History;

const PAGE: usize = 20;
const MAX_PAGE: usize = 500;
/// Records looked at for one page: a filter that fits few of them is followed up with the cursor.
const STEP: usize = 2000;
/// A longer page, or one whose records must be read whole, is made where no other client waits.
const SHORT_PAGE: u64 = 50;
/// Files of one operation that are shown.
const MAX_FILES: usize = 500;

impl Family for History {
    fn name(&self) -> &'static str {
        "history"
    }

    /// Diffs may take a while, so they are made where nobody else waits.
    fn wants_world(&self, call: &Call, _session: &SessionInfo) -> bool {
        call.tool == "history_show"
    }

    fn scans(&self, call: &Call) -> bool {
        // One filter is a list of its own; of two, one is compared record by record.
        let filters =
            ["tool", "session", "client", "target"].iter().filter(|f| call.text(f).is_some()).count();
        let long = call.number("limit").is_some_and(|n| n > SHORT_PAGE);
        ["history_list", "history_delta"].contains(&call.tool.as_str())
            && (long || filters > 1 || call.text("path").is_some() || call.flag("all_workspaces"))
    }

    fn prepare(&self, ctx: &Ctx, _world: &dyn World) -> Result<Gathered> {
        let op = shown(ctx)?;
        let mut room = Room::default();
        let files: Vec<Value> =
            op.effects.iter().take(MAX_FILES).map(|e| file(ctx, e, &mut room)).collect::<Result<_>>()?;
        Ok(Box::new(files))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        match ctx.call.tool.as_str() {
            "history_list" => list(ctx),
            "history_delta" => delta(ctx),
            "history_show" if ctx.call.flag("at") => at::show(ctx, &shown(ctx)?),
            "history_show" => show(ctx),
            "history_undo" if theirs::meant(ctx) => theirs::take_back(ctx),
            "history_undo" => take_back(
                ctx,
                history::undo(ctx, &scope(ctx), ctx.call.text("expected_operation_id"))?,
                "undid",
            ),
            "history_redo" => take_back(
                ctx,
                history::redo(ctx, &scope(ctx), ctx.call.text("expected_operation_id"))?,
                "redid",
            ),
            "history_revert" => {
                let id = ctx.call.text("operation_id").unwrap_or_default();
                take_back(ctx, history::revert(ctx, id)?, "reverted")
            }
            other => Err(Error::internal(format!("The history family has no tool {other}."))),
        }
    }

    fn writes_files(&self, _call: &Call) -> bool {
        true
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        let mut body = json!({"error": true, "kind": kind_word(error.kind), "code": error.code, "message": error.message});
        if let Some(hint) = &error.hint {
            body["hint"] = json!(hint);
        }
        if let Some(details) = &error.details {
            body["details"] = (**details).clone();
        }
        Reply::json(body).error()
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Invalid => "validation",
        Kind::NotFound => "not_found",
        Kind::Conflict => "conflict",
        Kind::State => "invalid_state",
        Kind::Denied => "denied",
        Kind::Io => "io_error",
        Kind::Migration => "migration_required",
        Kind::Internal => "internal",
    }
}

fn scope(ctx: &Ctx) -> Scope {
    Scope {
        workspace: ctx.session.workspace.clone(),
        family: ctx.call.text("family").map(str::to_string),
        target: ctx.call.text("target").map(str::to_string),
    }
}

/// What other workspaces did is for the person whose they are; an agent sees the one it works in.
fn everywhere(ctx: &Ctx) -> Result<bool> {
    let asked = ctx.call.flag("all_workspaces");
    if asked && !ctx.session.is_cli() {
        let message = "'all_workspaces' is for persons; an agent sees the workspace it works in.";
        return Err(Error::new(Kind::Denied, "other_workspaces", message)
            .hint("Leave it out. A person may run `packd history --all`."));
    }
    Ok(asked)
}

/// May this session see the record?
fn visible(ctx: &Ctx, op: &Op) -> bool {
    op.workspace == ctx.session.workspace || ctx.session.is_cli()
}

fn query(ctx: &Ctx) -> Result<LogQuery> {
    let call = ctx.call;
    let scope = scope(ctx);
    let everywhere = everywhere(ctx)?;
    let limit = call.number("limit").map_or(PAGE, |n| usize::try_from(n).unwrap_or(MAX_PAGE));
    Ok(LogQuery {
        stream: if call.text("stream") == Some("audit") { Stream::Audit } else { Stream::Ops },
        workspace: (!everywhere).then_some(scope.workspace),
        family: scope.family,
        tools: call.text("tool").map(str::to_string).into_iter().collect(),
        target: scope.target,
        session: call.text("session").map(str::to_string),
        client: call.text("client").map(str::to_string),
        field: call.text("path").map(field).transpose()?,
        include_undone: true,
        limit: limit.clamp(1, MAX_PAGE),
        step: Some(STEP),
        ..LogQuery::default()
    })
}

/// A path of a field, as `history_show` writes it.
fn field(text: &str) -> Result<String> {
    match path::parse(text).filter(|segments| !segments.is_empty()) {
        Some(_) => Ok(text.to_string()),
        None => Err(Error::invalid(
            "invalid_arguments",
            format!("'path' is not the path of a field: {text}"),
        )
        .hint(
            "Write it as history_show does, for example steps[STEP-1A2B0000].title or sections[entry].refs.",
        )),
    }
}

/// The record a cursor names; a cursor never expires because no record is ever deleted.
fn cursor(ctx: &Ctx, stream: Stream, id: &str) -> Result<u64> {
    let found = ctx.view.log().op(id)?.filter(|op| op.stream == stream && visible(ctx, op));
    found.map(|op| op.seq).ok_or_else(|| {
        Error::new(Kind::NotFound, "cursor_not_found", format!("{id} is not an operation of this stream."))
            .hint("Use an operation_id of the same stream, or leave the cursor out.")
    })
}

/// The cursor of the next page. A page ends after [`STEP`] records whatever was found among them, so the last one
/// looked at need not be one that is shown.
fn next_id(ctx: &Ctx, query: &LogQuery, page: &LogPage) -> Result<Option<String>> {
    match page.next.filter(|_| page.has_more) {
        Some(seq) => Ok(ctx.view.log().op_at(query.stream, seq)?.map(|op| op.id)),
        None => Ok(None),
    }
}

fn list(ctx: &Ctx) -> Result<Outcome> {
    let mut query = query(ctx)?;
    query.newest_first = true;
    if let Some(id) = ctx.call.text("before") {
        query.before = Some(cursor(ctx, query.stream, id)?);
    }
    let page = ctx.view.log().ops(&query)?;
    let next = next_id(ctx, &query, &page)?;
    let ops: Vec<_> = page.ops.iter().map(summary).collect();
    Ok(Outcome::reply(Reply::json(
        json!({"operations": ops, "has_more": page.has_more, "next_before": next}),
    )))
}

fn delta(ctx: &Ctx) -> Result<Outcome> {
    let mut query = query(ctx)?;
    if let Some(id) = ctx.call.text("since") {
        query.after = Some(cursor(ctx, query.stream, id)?);
    }
    let page = ctx.view.log().ops(&query)?;
    let latest = match next_id(ctx, &query, &page)? {
        Some(next) => Some(next),
        None => page.ops.last().map(|op| op.id.clone()).or(ctx.call.text("since").map(str::to_string)),
    };
    let ops: Vec<_> = page.ops.iter().map(summary).collect();
    Ok(Outcome::reply(Reply::json(
        json!({"operations": ops, "has_more": page.has_more, "latest_id": latest}),
    )))
}

/// The operation a call of `history_show` means.
fn shown(ctx: &Ctx) -> Result<Op> {
    match (ctx.call.text("operation_id"), ctx.call.text("request_key")) {
        (Some(id), _) => match ctx.view.log().op(id)?.filter(|op| visible(ctx, op)) {
            Some(op) => Ok(op),
            None => history::find(ctx, id),
        },
        (None, Some(key)) => match ctx.view.log().op_by_request(key)?.filter(|op| visible(ctx, op)) {
            Some(op) => Ok(op),
            None => {
                let message = format!("No operation was stored for the request {key}: it did not happen.");
                Err(Error::not_found(message)
                    .hint("It is safe to send the request again.")
                    .details(json!({"request_key": key, "happened": false})))
            }
        },
        (None, None) => {
            Err(Error::invalid("invalid_arguments", "Either 'operation_id' or 'request_key' is required.")
                .hint("history_list shows operation ids."))
        }
    }
}

fn show(ctx: &Ctx) -> Result<Outcome> {
    let op = shown(ctx)?;
    let mut body = summary(&op);
    body["happened"] = json!(true);
    body["request"] = op.request.clone();
    if !op.trace.is_null() {
        body["trace"] = op.trace.clone();
    }
    body["data"] = op.data.clone();
    body["effects"] = json!(ctx.prepared::<Vec<Value>>()?);
    if op.effects.len() > MAX_FILES {
        body["effects_total"] = json!(op.effects.len());
    }
    body["changes"] = match ctx.view.log().changes(&op)? {
        Some(changes) => changes::shown(&changes),
        None => Value::Null,
    };
    Ok(Outcome::reply(Reply::json(body)))
}

fn take_back(ctx: &Ctx, step: Step, verb: &str) -> Result<Outcome> {
    let Step { op, mut outcome } = step;
    let touched: Vec<_> = outcome.changes.iter().map(|c| json!({"table": c.table})).collect();
    let files: Vec<_> = outcome.effects.iter().filter(|e| !e.kept).map(effect).collect();
    let steps: Vec<_> = outcome.steps.iter().map(|s| s.label.as_str()).collect();
    let outside = !files.is_empty() || !steps.is_empty();
    let needs_yes = outside && !ctx.call.flag("yes");
    let body = json!({
        verb: summary(&op),
        "operation_id": if needs_yes { Value::Null } else { json!(crate::core::outcome::OP_ID) },
        "rows": touched.len(),
        "files": files,
        "steps": steps,
        "preview": needs_yes || ctx.call.preview,
        "next": if needs_yes { json!("This changes files. Look at them, then call again with yes=true.") } else { Value::Null },
    });
    outcome.shown_first = needs_yes;
    outcome.reply = Reply::json(body);
    Ok(outcome)
}

/// One record as every client sees it.
pub fn summary(op: &Op) -> Value {
    let (kind, of) = match &op.kind {
        OpKind::Do => ("do", None),
        OpKind::Undo(id) => ("undo", Some(id)),
        OpKind::UndoAll(_) => ("undo_all", None),
        OpKind::Redo(id) => ("redo", Some(id)),
        OpKind::Revert(id) => ("revert", Some(id)),
    };
    let undoable = op.status == OpStatus::Done && op.reversible();
    let mut out = Map::new();
    out.insert("operation_id".into(), json!(op.id));
    out.insert("time".into(), json!(op.time.zulu()));
    out.insert("family".into(), json!(op.family));
    out.insert("tool".into(), json!(op.tool));
    out.insert("summary".into(), json!(op.summary));
    out.insert("targets".into(), json!(op.targets));
    out.insert("who".into(), json!({"client": op.who.client, "session": op.who.session}));
    out.insert("workspace".into(), json!(op.workspace));
    out.insert("kind".into(), json!(kind));
    if let Some(of) = of {
        out.insert("of".into(), json!(of));
    }
    out.insert("status".into(), json!(op.status));
    out.insert("undoable".into(), json!(undoable));
    if let Some(why) = &op.irreversible {
        out.insert("not_undoable_because".into(), json!(why));
    }
    Value::Object(out)
}

fn effect(effect: &crate::core::Effect) -> Value {
    let verb = match (&effect.before, &effect.after) {
        (None, Some(_)) => "create",
        (Some(_), None) => "delete",
        _ => "update",
    };
    json!({"path": effect.full_path(), "change": verb})
}

/// The same with what became of the content, as far as it is kept, is text and has room.
fn file(ctx: &Ctx, file: &crate::core::Effect, room: &mut Room) -> Result<Value> {
    let mut out = effect(file);
    let mode = |image: &Option<FileImage>| image.as_ref().map(|i| format!("{:o}", i.mode));
    if let (Some(before), Some(after)) = (mode(&file.before), mode(&file.after))
        && before != after
    {
        out["mode"] = json!({"before": before, "after": after});
    }
    let mut kept = true;
    let mut side = |image: &Option<FileImage>| -> Result<Option<Vec<u8>>> {
        let Some(image) = image else { return Ok(None) };
        let bytes = ctx.view.blob(&image.sha)?;
        kept &= bytes.is_some();
        Ok(bytes)
    };
    let (before, after) = (side(&file.before)?, side(&file.after)?);
    let name = file.path.to_string_lossy();
    let note = match kept.then(|| room.unified(&name, before.as_deref(), after.as_deref())) {
        Some(Diff::Text(text)) => {
            // Configuration of others may stand beside what was changed.
            out["diff"] = json!(redact::text(&text).0);
            return Ok(out);
        }
        Some(Diff::TooLong(_) | Diff::NoRoom) => "The diff is too long to be shown here.",
        Some(Diff::NotText) => "It is not text.",
        None => "Its content is no longer kept.",
    };
    out["diff_omitted"] = json!(note);
    Ok(out)
}
