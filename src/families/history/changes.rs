//! Field changes as people and agents read them: what was made, what is gone, and each field with both sides.
//!
//! A long text that changed is shown as a diff, never twice; values are shown as they are stored.

use serde_json::{Map, Value, json};
use similar::TextDiff;

use crate::core::change::{Content, Packed, What};
use crate::core::{FieldChange, Key, RowChange};

/// Texts longer than this are shown as a diff, or cut.
const LONG: usize = 500;

pub fn shown(changes: &[RowChange]) -> Value {
    Value::Array(changes.iter().map(row).collect())
}

fn row(change: &RowChange) -> Value {
    let mut out = json!({"table": change.table, "key": key(&change.key)});
    match &change.what {
        What::Made(content) => out["made"] = whole(content),
        What::Gone(content) => out["gone"] = whole(content),
        What::Edited(fields) => out["edited"] = fields.iter().map(field).collect(),
    }
    out
}

fn key(key: &Key) -> String {
    let text = String::from_utf8_lossy(key.as_bytes()).replace('\0', "/");
    text.trim_end_matches('/').to_string()
}

fn whole(content: &Content) -> Value {
    let mut value = content.value.json();
    cut(&mut value);
    value
}

/// Long texts lose their end, and say how long they are.
fn cut(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().count() > LONG => {
            let head: String = text.chars().take(LONG).collect();
            *text = format!("{head}… ({} characters)", text.chars().count());
        }
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

fn field(change: &FieldChange) -> Value {
    let mut out = Map::new();
    out.insert("path".into(), json!(change.path));
    if change.moved.is_some() {
        out.insert("moved".into(), json!(true));
        return Value::Object(out);
    }
    let side = |side: &Option<Packed>| side.as_ref().map_or(Value::Null, Packed::json);
    let (before, after) = (side(&change.before), side(&change.after));
    match diff(&before, &after) {
        Some(diff) => drop(out.insert("diff".into(), json!(diff))),
        None => {
            for (name, mut value) in [("before", before), ("after", after)] {
                cut(&mut value);
                out.insert(name.into(), value);
            }
        }
    }
    Value::Object(out)
}

/// The difference of two texts of which one is long; a missing one counts as empty.
fn diff(before: &Value, after: &Value) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        _ => None,
    };
    let (before, after) = (text(before)?, text(after)?);
    if before.chars().count().max(after.chars().count()) <= LONG {
        return None;
    }
    let diff = TextDiff::from_lines(&before, &after);
    Some(diff.unified_diff().context_radius(2).to_string())
}
