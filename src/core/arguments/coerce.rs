//! Values that a host sent as strings: JSON of the wanted type inside a string is taken for that value.
//!
//! What somebody must mean word for word (`yes`, `force`, a typed name …) never is.

use serde_json::{Map, Value};

/// Consent is given in its own type or not at all.
const WORD_FOR_WORD: [&str; 7] =
    ["yes", "apply", "force", "confirmed", "takeover", "reviewed", "typed_value"];

pub fn unquote(schema: &Value, args: &mut Map<String, Value>) {
    let Some(known) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, value) in args {
        if let Some(schema) = known.get(name).filter(|_| !WORD_FOR_WORD.contains(&name.as_str())) {
            unquote_one(schema, value);
        }
    }
}

fn unquote_one(schema: &Value, value: &mut Value) {
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    if let Some(inner) = value.as_str().and_then(|text| inside(wanted, text)) {
        *value = inner;
    }
    match value {
        Value::Object(map) => unquote(schema, map),
        Value::Array(items) => {
            if let Some(of) = schema.get("items") {
                items.iter_mut().for_each(|item| unquote_one(of, item));
            }
        }
        _ => {}
    }
}

fn inside(wanted: &str, text: &str) -> Option<Value> {
    if !["array", "object", "integer", "number", "boolean"].contains(&wanted) {
        return None;
    }
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let fits = match wanted {
        "array" => value.is_array(),
        "object" => value.is_object(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => value.is_boolean(),
    };
    fits.then_some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_string_is_taken_for_what_it_holds_but_consent_is_not() {
        let schema = json!({"properties": {
            "limit": {"type": "integer"}, "steps": {"type": "array", "items": {"type": "object",
                "properties": {"n": {"type": "integer"}}}},
            "title": {"type": "string"}, "yes": {"type": "boolean"}, "dry_run": {"type": "boolean"}}});
        let mut args = json!({"limit": "5", "steps": "[{\"n\":\"3\"}]", "title": "7", "yes": "true",
            "dry_run": "true"});
        unquote(&schema, args.as_object_mut().unwrap());
        assert_eq!(
            args,
            json!({"limit": 5, "steps": [{"n": 3}], "title": "7", "yes": "true", "dry_run": true})
        );
        let mut args = json!({"limit": "five", "steps": "x", "dry_run": "yes"});
        unquote(&schema, args.as_object_mut().unwrap());
        assert_eq!(args, json!({"limit": "five", "steps": "x", "dry_run": "yes"}), "left to the check");
    }
}
