//! Field changes as people and agents read them: what was made, what is gone, and each field with both sides.
//!
//! A long text that changed is shown as a diff, never twice; values are shown as they are stored.

use serde::Serialize;
use serde_json::Value;
use similar::TextDiff;

use crate::core::change::{Packed, RowContent, What};
use crate::core::{FieldChange, Key, RowChange};

/// Texts longer than this are shown as a diff, or cut.
const LONG: usize = 500;

#[derive(Serialize)]
pub struct ShownRow {
    table: String,
    key: String,
    #[serde(flatten)]
    what: ShownWhat,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ShownWhat {
    Made(Value),
    Gone(Value),
    Edited(Vec<ShownField>),
}

#[derive(Serialize)]
struct ShownField {
    path: String,
    #[serde(flatten)]
    how: ShownEdit,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownEdit {
    Moved { moved: bool },
    Diff { diff: String },
    Sides { before: Value, after: Value },
}

pub fn shown<'a>(changes: impl Iterator<Item = &'a RowChange>) -> Vec<ShownRow> {
    changes.map(row).collect()
}

fn row(change: &RowChange) -> ShownRow {
    let what = match &change.what {
        What::Made(content) => ShownWhat::Made(whole(content)),
        What::Gone(content) => ShownWhat::Gone(whole(content)),
        What::Edited(fields) => ShownWhat::Edited(fields.iter().map(field).collect()),
    };
    ShownRow { table: change.table.to_string(), key: key(&change.key), what }
}

fn key(key: &Key) -> String {
    let text = String::from_utf8_lossy(key.as_bytes()).replace('\0', "/");
    text.trim_end_matches('/').to_string()
}

fn whole(content: &RowContent) -> Value {
    cut(content.value.json())
}

/// Long texts lose their end, and say how long they are.
fn cut(mut value: Value) -> Value {
    match &mut value {
        Value::String(text) if text.chars().count() > LONG => {
            let head: String = text.chars().take(LONG).collect();
            *text = format!("{head}… ({} characters)", text.chars().count());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = cut(item.take())),
        Value::Object(fields) => fields.values_mut().for_each(|field| *field = cut(field.take())),
        _ => {}
    }
    value
}

fn field(change: &FieldChange) -> ShownField {
    let path = change.path.clone();
    if change.moved.is_some() {
        return ShownField { path, how: ShownEdit::Moved { moved: true } };
    }
    let side = |side: &Option<Packed>| side.as_ref().map_or(Value::Null, Packed::json);
    let (before, after) = (side(&change.before), side(&change.after));
    let how = match diff(&before, &after) {
        Some(diff) => ShownEdit::Diff { diff },
        None => ShownEdit::Sides { before: cut(before), after: cut(after) },
    };
    ShownField { path, how }
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
