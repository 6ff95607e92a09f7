//! The family's error: what kind, which code, in words, and what to do next.

use serde::Serialize;
use serde_json::Value;

use super::tools::redo::Redo;
use super::tools::revert::Revert;
use super::tools::undo::Undo;
use crate::core::ctx::ErrorCtx;
use crate::core::{Error, Kind, Reply, Tool};

#[derive(Serialize)]
struct Body<'a> {
    error: bool,
    kind: &'static str,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Value>,
}

pub fn render(error: &Error, ctx: &ErrorCtx) -> Reply {
    // Undo and redo choose the operation themselves; whoever names one means the tool that takes a name.
    let names_one = error.details.as_ref().is_some_and(|details| details["field"] == "operation_id");
    let takes_none = [Undo::NAME, Redo::NAME].contains(&ctx.tool);
    let by_name = format!("{} takes back the operation with this id.", Revert::NAME);
    Reply::of(&Body {
        error: true,
        kind: kind_word(error.kind),
        code: &error.code,
        message: &error.message,
        hint: if names_one && takes_none { Some(&by_name) } else { error.hint.as_deref() },
        details: error.details.as_deref(),
    })
    .error()
}

pub fn invalid(message: impl Into<String>) -> Error {
    Error::invalid("invalid_arguments", message)
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
