//! Reading arguments the lenient way the contract asks for: blank counts as absent, booleans may be words.

use serde_json::Value;

use crate::core::json::type_name;
use crate::core::{Error, Result};

use super::fail::fail;
use super::model::Object;

pub const MAX_TITLE: usize = 500;
pub const MAX_LIST: usize = 200;

/// A non-blank string, trimmed.
pub fn text<'a>(args: &'a Object, key: &str) -> Option<&'a str> {
    args.get(key).and_then(Value::as_str).map(str::trim).filter(|s| !s.is_empty())
}

/// Present and not null.
pub fn has(args: &Object, key: &str) -> bool {
    args.get(key).is_some_and(|v| !v.is_null())
}

/// A boolean, a number, or one of the usual words; anything else is the default.
pub fn flag(args: &Object, key: &str, default: bool) -> bool {
    match args.get(key) {
        Some(Value::Bool(b)) => *b,
        Some(Value::Number(n)) => n.as_f64() != Some(0.0),
        Some(Value::String(s)) => match s.trim().to_lowercase().as_str() {
            "0" | "false" | "no" | "off" => false,
            "1" | "true" | "yes" | "on" => true,
            _ => default,
        },
        _ => default,
    }
}

/// Is this the text of an id a request may carry?
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// An id argument; `None` when absent, `code` when it is none.
pub fn id<'a>(args: &'a Object, key: &str, code: &str) -> Result<Option<&'a str>> {
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) if s.trim().is_empty() => Ok(None),
        Some(Value::String(s)) if is_id(s.trim()) => Ok(Some(s.trim())),
        Some(other) => Err(fail(code, format!("'{key}' is {other}, which is not an id."))
            .hint("Ids look like TASK-001, PLAN-001, STEP-0A1B2C3D or NODE-0A1B2C3D.")),
    }
}

/// A list of strings, trimmed, blanks dropped; one string counts as a list of one.
pub fn strings(value: &Value, what: &str, code: &str) -> Result<Vec<String>> {
    let items = match value {
        Value::String(s) => std::slice::from_ref(value).iter().filter(|_| !s.is_empty()).collect::<Vec<_>>(),
        Value::Array(items) => items.iter().collect(),
        other => {
            let got = type_name(other);
            return Err(fail(code, format!("'{what}' must be a list of strings, but is {got}.")));
        }
    };
    if items.len() > MAX_LIST {
        return Err(fail(code, format!("'{what}' has {} entries; at most {MAX_LIST}.", items.len())));
    }
    let mut out = Vec::new();
    for item in items {
        match item {
            Value::String(s) if s.trim().is_empty() => {}
            Value::String(s) => out.push(s.trim().to_string()),
            other => {
                let got = type_name(other);
                return Err(fail(code, format!("'{what}' must hold strings only, but has {got}.")));
            }
        }
    }
    Ok(out)
}

/// A list argument; `None` when absent.
pub fn list(args: &Object, key: &str, code: &str) -> Result<Option<Vec<String>>> {
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => strings(value, key, code).map(Some),
    }
}

/// A free text argument, kept as it is; `None` when absent.
pub fn prose(args: &Object, key: &str, code: &str) -> Result<Option<String>> {
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s.clone())),
        Some(other) => Err(fail(code, format!("'{key}' must be a string, but is {}.", type_name(other)))),
    }
}

/// A title: there, not blank, not too long.
pub fn title(args: &Object) -> Result<String> {
    match args.get("title") {
        None | Some(Value::Null) => Err(fail("MISSING_TITLE", "'title' is required.")),
        Some(Value::String(s)) if s.trim().is_empty() => {
            Err(fail("MISSING_TITLE", "'title' must not be blank."))
        }
        Some(Value::String(s)) if s.trim().chars().count() > MAX_TITLE => {
            Err(fail("INVALID_TITLE", format!("A title has at most {MAX_TITLE} characters.")))
        }
        Some(Value::String(s)) => Ok(s.trim().to_string()),
        Some(other) => {
            Err(fail("INVALID_TITLE", format!("'title' must be a string, but is {}.", type_name(other))))
        }
    }
}

/// A whole number, or its text.
pub fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(n) => n.as_i64(),
        Value::String(s) => s.trim().parse().ok(),
        _ => None,
    }
}

/// A whole number in a range; `None` when absent.
pub fn number(args: &Object, key: &str, low: i64, high: i64, code: &str) -> Result<Option<i64>> {
    let wrong = |value: &Value| -> Error {
        fail(code, format!("'{key}' is {value}; it must be a whole number from {low} to {high}."))
    };
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let n = integer(value).filter(|n| (low..=high).contains(n)).ok_or_else(|| wrong(value))?;
            Ok(Some(n))
        }
    }
}

/// LOW, MEDIUM or HIGH in any case; `None` when absent.
pub fn priority(args: &Object) -> Result<Option<String>> {
    match args.get("priority") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let name = value.as_str().map(|s| s.trim().to_uppercase()).unwrap_or_default();
            if super::model::PRIORITIES.contains(&name.as_str()) {
                Ok(Some(name))
            } else {
                let message = format!("'priority' is {value}; it must be LOW, MEDIUM or HIGH.");
                Err(fail("INVALID_PRIORITY", message))
            }
        }
    }
}

/// TODO, ACTIVE or DONE in any case; `None` when absent.
pub fn status(args: &Object, key: &str) -> Result<Option<super::model::Status>> {
    match args.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let found = value.as_str().and_then(super::model::Status::parse);
            let message = || format!("'{key}' is {value}; it must be TODO, ACTIVE or DONE.");
            found.map(Some).ok_or_else(|| fail("INVALID_STATUS", message()))
        }
    }
}
