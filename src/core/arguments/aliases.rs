//! Words that our own replies use, accepted where they are asked for: each is one line here.
//!
//! A word is taken for another only where the schema has that other one and not the word itself, and the other one was
//! not sent as well.

use serde_json::{Map, Value};

/// (what may be sent, what the schema calls it), in the order in which they are tried.
const ALIASES: &[(&str, &str)] =
    &[("task_id", "task"), ("plan_id", "plan"), ("pack_id", "id"), ("pack", "name")];

pub fn rename(schema: &Value, args: &mut Map<String, Value>) {
    let Some(known) = schema.get("properties").and_then(Value::as_object) else { return };
    for (word, name) in ALIASES {
        let fits = !known.contains_key(*word) && known.contains_key(*name) && !args.contains_key(*name);
        if fits && let Some(value) = args.shift_remove(*word) {
            args.insert((*name).to_string(), value);
        }
    }
}
