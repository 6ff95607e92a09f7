//! Operations as every client sees them: whole for persons' programs, without what says nothing for agents.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::core::{Ctx, Effect, Op, OpKind, OpStatus, Reply, Who};

/// Characters of a text that a lean reply keeps.
const CUT: usize = 200;
/// An agent's reply stays below this; the rest is one call further.
pub const ROOM: usize = 12 * 1024;
/// Said even where it is false.
const ALWAYS: [&str; 4] = ["has_more", "preview", "happened", "undoable"];

/// A call that goes on from here.
#[derive(Serialize)]
pub struct FollowingCall {
    tool: String,
    arguments: Map<String, Value>,
}

impl FollowingCall {
    pub fn to(tool: &str, arguments: &[(&str, &str)]) -> FollowingCall {
        let arguments =
            arguments.iter().map(|(name, value)| (name.to_string(), Value::from(*value))).collect();
        FollowingCall { tool: tool.to_string(), arguments }
    }

    /// The same call with one argument more.
    pub fn again(ctx: &Ctx, name: &str, value: impl Into<Value>) -> FollowingCall {
        let mut arguments = ctx.call.args.clone();
        arguments.insert(name.to_string(), value.into());
        FollowingCall { tool: ctx.call.tool.clone(), arguments }
    }
}

/// The reply in the form its reader can use: agents get nothing empty, nothing false and nothing they know already.
pub fn reply(ctx: &Ctx, full: bool, body: &impl Serialize) -> Reply {
    let reply = Reply::of(body);
    match reply.structured {
        Some(body) if !full && !ctx.session.is_cli() => Reply::json(lean(body)),
        _ => reply,
    }
}

fn lean(value: Value) -> Value {
    let Value::Object(fields) = value else { return value };
    let is_operation = fields.contains_key("operation_id") && fields.contains_key("workspace");
    let known = |name: &str, value: &Value| {
        is_operation && (name == "workspace" || (name == "kind" && value == "do"))
    };
    let mut out = Map::new();
    for (name, value) in fields {
        let says_nothing = match &value {
            Value::Null | Value::Bool(false) => !ALWAYS.contains(&name.as_str()),
            Value::Array(list) => list.is_empty() && name != "operations" && name != "changes",
            Value::Object(map) => map.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        if says_nothing || known(&name, &value) {
            continue;
        }
        let value = match (name.as_str(), value) {
            ("operations" | "undid" | "redid" | "reverted", Value::Array(list)) => {
                Value::Array(list.into_iter().map(lean).collect())
            }
            ("undid" | "redid" | "reverted", one) => lean(one),
            ("request" | "data", value) => bounded(shortened(value)),
            ("summary", value) => shortened(value),
            (_, value) => value,
        };
        out.insert(name, value);
    }
    Value::Object(out)
}

/// Bytes of what was asked for, or of what the log keeps beside the changes.
const ASIDE: usize = 1024;

/// The beginning of what is long even so; `full` shows all of it.
fn bounded(value: Value) -> Value {
    let text = value.to_string();
    if text.len() <= ASIDE {
        return value;
    }
    let head: String = text.chars().take(ASIDE / 2).collect();
    Value::from(format!("{head}… ({} characters)", text.chars().count()))
}

/// Long texts lose their end, and say how long they are.
fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > CUT => {
            let head: String = text.chars().take(CUT).collect();
            Value::from(format!("{head}… ({} characters)", text.chars().count()))
        }
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, shortened(value))).collect())
        }
        other => other,
    }
}

/// One record, without what it did.
#[derive(Serialize)]
pub struct RecordSummary<'a> {
    operation_id: &'a str,
    time: String,
    family: &'a str,
    tool: &'a str,
    summary: &'a str,
    targets: &'a [String],
    who: Author<'a>,
    workspace: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'a str>,
    status: OpStatus,
    undoable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_undoable_because: Option<&'a str>,
}

#[derive(Serialize)]
struct Author<'a> {
    client: &'a str,
    session: &'a str,
    /// What they had in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    /// The work tree they were in, where several share the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<&'a str>,
}

impl<'a> Author<'a> {
    fn of(who: &'a Who) -> Author<'a> {
        let (task, tree) = (who.task.as_deref(), who.tree.as_deref());
        Author { client: &who.client, session: &who.session, task, tree }
    }
}

impl<'a> RecordSummary<'a> {
    pub fn of(op: &'a Op) -> RecordSummary<'a> {
        let (kind, of) = match &op.kind {
            OpKind::Do => ("do", None),
            OpKind::Undo(id) => ("undo", Some(id)),
            OpKind::UndoAll(_) => ("undo_all", None),
            OpKind::Redo(id) => ("redo", Some(id)),
            OpKind::Revert(id) => ("revert", Some(id)),
        };
        RecordSummary {
            operation_id: &op.id,
            time: op.time.zulu(),
            family: &op.family,
            tool: &op.tool,
            summary: &op.summary,
            targets: &op.targets,
            who: Author::of(&op.who),
            workspace: &op.workspace,
            kind,
            of: of.map(String::as_str),
            status: op.status,
            undoable: op.status == OpStatus::Done && op.reversible(),
            not_undoable_because: op.irreversible.as_deref(),
        }
    }
}

/// A file that an operation wrote, or that taking it back will write.
#[derive(Serialize)]
pub struct TouchedFile {
    pub path: PathBuf,
    pub change: &'static str,
}

impl TouchedFile {
    pub fn of(effect: &Effect) -> TouchedFile {
        let change = match (&effect.before, &effect.after) {
            (None, Some(_)) => "create",
            (Some(_), None) => "delete",
            _ => "update",
        };
        TouchedFile { path: effect.full_path(), change }
    }
}
