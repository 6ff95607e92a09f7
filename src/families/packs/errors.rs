//! The errors of the packs contract: kinds, codes and the prefix each message starts with.

use serde_json::{Map, Value, json};

use crate::core::ctx::ErrorCtx;
use crate::core::json::sorted;
use crate::core::{Error, Kind, Reply};

pub fn invalid(what: impl std::fmt::Display) -> Error {
    Error::invalid("invalid_data", format!("invalid data: {what}"))
}

pub fn required(field: &str) -> Error {
    invalid(format!("'{field}' is required"))
}

pub fn ttl_required(what: &str) -> Error {
    Error::invalid("ttl_required", format!("ttl required: {what}"))
}

pub fn not_found(what: impl std::fmt::Display) -> Error {
    Error::not_found(format!("not found: {what}"))
}

pub fn conflict(what: impl std::fmt::Display) -> Error {
    Error::new(Kind::Conflict, "conflict", format!("conflict: {what}"))
}

pub fn revision_conflict(expected: u64, actual: u64) -> Error {
    let message = format!("revision conflict: expected {expected}, actual {actual}");
    Error::new(Kind::Conflict, "revision_conflict", message)
        .hint(format!("Read what changed, then send it again with expected_revision {actual}."))
        .details(json!({"actual_revision": actual, "expected_revision": expected}))
}

pub fn state(what: impl std::fmt::Display) -> Error {
    Error::new(Kind::State, "invalid_state", format!("invalid state: {what}"))
}

pub fn io(what: impl std::fmt::Display) -> Error {
    Error::io(what.to_string())
}

pub fn migration(what: impl std::fmt::Display) -> Error {
    Error::new(Kind::Migration, "migration_required", format!("schema migration required: {what}"))
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Invalid => "validation",
        Kind::NotFound => "not_found",
        Kind::Conflict => "conflict",
        Kind::State | Kind::Denied => "invalid_state",
        Kind::Io | Kind::Internal => "io_error",
        Kind::Migration => "migration_required",
    }
}

/// The contract's error object as text, and the same object beside it.
pub fn render(error: &Error, ctx: &ErrorCtx) -> Reply {
    let mut out = Map::new();
    out.insert("code".into(), json!(error.code));
    if let Some(details) = &error.details {
        out.insert("details".into(), sorted(details));
    }
    out.insert("error".into(), json!(true));
    if let Some(hint) = &error.hint {
        out.insert("hint".into(), json!(hint));
    }
    out.insert("kind".into(), json!(kind_word(error.kind)));
    out.insert("message".into(), json!(error.message));
    out.insert("request_id".into(), ctx.call.map_or(Value::Null, |c| c.request_id.clone()));
    // A field that nobody knows is often why another one is missing.
    if let Some(call) = ctx.call.filter(|call| !call.warnings.is_empty()) {
        out.insert("warnings".into(), json!(call.warnings));
    }
    Reply::json(Value::Object(out)).error()
}
