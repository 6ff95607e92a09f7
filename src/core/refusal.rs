//! An error as a reply, for families whose contract names no other form: what kind, which code, in words, and what to
//! do next.

use serde::Serialize;
use serde_json::Value;

use super::{Error, Kind, Reply};

#[derive(Serialize)]
struct Refusal<'a> {
    error: bool,
    kind: &'static str,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Value>,
}

pub fn render(error: &Error) -> Reply {
    Reply::of(&Refusal {
        error: true,
        kind: kind_word(error.kind),
        code: &error.code,
        message: &error.message,
        hint: error.hint.as_deref(),
        details: error.details.as_deref(),
    })
    .error()
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
