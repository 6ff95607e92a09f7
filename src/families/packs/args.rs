//! How arguments are read: leniently where the contract is lenient, strictly where it is strict.
//!
//! Strings are trimmed and blank or wrongly typed ones count as absent; required integers of a wrong type are
//! reported as missing; paging numbers of a wrong type are ignored.

use serde_json::Value;

use crate::core::{Call, Result};

use super::errors::{invalid, required};
use super::model::Status;

/// The `action` argument; absent or not a string means the default.
pub fn action<'a>(call: &'a Call, default: &'a str) -> &'a str {
    call.args.get("action").and_then(Value::as_str).unwrap_or(default)
}

pub fn text(call: &Call, field: &str) -> Option<String> {
    call.text(field).map(str::to_string)
}

pub fn need_text(call: &Call, field: &str) -> Result<String> {
    text(call, field).ok_or_else(|| required(field))
}

pub fn need_number(call: &Call, field: &str) -> Result<u64> {
    call.number(field).ok_or_else(|| required(field))
}

/// A count or position; anything that is none is ignored.
pub fn size(call: &Call, field: &str) -> Option<usize> {
    call.number(field).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// The pack a call is about: `id`, else `name`; each may hold either.
pub fn identifier(call: &Call) -> Option<&str> {
    call.text("id").or_else(|| call.text("name"))
}

pub fn need_identifier(call: &Call) -> Result<String> {
    identifier(call).map(str::to_string).ok_or_else(|| invalid("id or name required"))
}

pub fn status(call: &Call) -> Result<Option<Status>> {
    call.text("status").map(Status::parse).transpose()
}

/// `tags`, if the key is there; then it must be an array of non-blank strings.
pub fn tags(call: &Call) -> Result<Option<Vec<String>>> {
    let Some(value) = call.args.get("tags") else { return Ok(None) };
    let items = value.as_array().ok_or_else(|| invalid("'tags' must be an array of strings"))?;
    let tag = |item: &Value| {
        let text = item.as_str().map(str::trim).filter(|t| !t.is_empty());
        text.map(str::to_string).ok_or_else(|| invalid("'tags' must contain only non-empty strings"))
    };
    items.iter().map(tag).collect::<Result<_>>().map(Some)
}

/// An integer that may be left out, but not be anything else.
pub fn strict_number(call: &Call, field: &str) -> Result<Option<u64>> {
    match call.args.get(field) {
        None => Ok(None),
        Some(value) => {
            value.as_u64().map(Some).ok_or_else(|| invalid(format!("'{field}' must be an integer")))
        }
    }
}

/// Fields that look right but are not; their mere presence is refused.
pub fn refuse_aliases(call: &Call, aliases: &[(&str, &str)]) -> Result<()> {
    match aliases.iter().find(|(wrong, _)| call.has(wrong)) {
        Some((wrong, right)) => Err(invalid(format!("'{wrong}' is not supported; use '{right}' instead"))),
        None => Ok(()),
    }
}
