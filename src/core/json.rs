//! JSON in the forms contracts ask for.

use serde_json::{Map, Value};

use super::Sha;

/// The same value with the keys of every object in alphabetical order.
pub fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    value.sort_all_objects();
    value
}

/// Digest of a call's arguments that does not depend on the order of keys.
pub fn digest(args: &Map<String, Value>) -> Sha {
    Sha::of(sorted(&Value::Object(args.clone())).to_string().as_bytes())
}

/// The JSON type of a value, for messages.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
