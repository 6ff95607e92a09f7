//! Reading what a method's params hold, with answers that name the field.

use serde_json::{Map, Value};

use super::fault::RpcFault;
use crate::core::json::type_name;

/// A string that must be there and must not be empty.
pub fn text<'a>(params: &'a Map<String, Value>, name: &str) -> Result<&'a str, RpcFault> {
    match params.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        Some(Value::String(_)) => Err(RpcFault::params(format!("'{name}' must not be empty."))),
        Some(other) => {
            Err(RpcFault::params(format!("'{name}' must be a string, but is {}.", type_name(other))))
        }
        None => Err(RpcFault::params(format!("'{name}' is required."))),
    }
}

/// Takes an object out; absent counts as empty.
pub fn take_object(params: &mut Map<String, Value>, name: &str) -> Result<Map<String, Value>, RpcFault> {
    match params.get_mut(name).map(Value::take) {
        None => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(other) => {
            Err(RpcFault::params(format!("'{name}' must be an object, but is {}.", type_name(&other))))
        }
    }
}

/// What hosts put into `_meta` to find a request again; kept short, since it is stored.
const TRACES: [&str; 6] =
    ["traceparent", "tracestate", "claudecode/toolUseId", "threadId", "callId", "turnId"];
const TRACE_MAX: usize = 256;

pub fn trace(params: &Map<String, Value>) -> Value {
    let Some(Value::Object(meta)) = params.get("_meta") else { return Value::Null };
    let found = TRACES.iter().filter_map(|name| Some((name.to_string(), meta.get(*name)?)));
    let short = found.filter(|(_, v)| v.as_str().is_some_and(|t| t.len() <= TRACE_MAX));
    let kept: Map<String, Value> = short.map(|(name, v)| (name, v.clone())).collect();
    if kept.is_empty() { Value::Null } else { Value::Object(kept) }
}

/// The cursor of a list; `null` counts as absent.
pub fn cursor(params: &Map<String, Value>) -> Result<Option<&str>, RpcFault> {
    match params.get("cursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor)),
        Some(_) => Err(bad_cursor()),
    }
}

/// For lists that are always one page, every cursor is a wrong one.
pub fn no_cursor(params: &Map<String, Value>) -> Result<(), RpcFault> {
    cursor(params)?.map_or(Ok(()), |_| Err(bad_cursor()))
}

pub fn bad_cursor() -> RpcFault {
    RpcFault::params("The cursor is not one this server gave out. Start again without a cursor.")
}
