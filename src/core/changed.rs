//! What a write answers with: the field changes of its operation, short enough for a reply.
//!
//! The one place that turns changed rows into `changed` entries, for every family. It uses the same comparison as the
//! log, so a reply and `history_show` never tell different stories. What follows from other fields (progress) or only
//! tells of the change itself (its time) is left out: a reply has those in places of their own. Values lose their end at
//! [`CUT`] characters; the log keeps them whole.

use serde::Serialize;
use serde_json::Value;

use super::change::{FieldChange, Packed, Seed, What, path};
use super::shape::{Field, Shape};
use super::{Change, Key, Result, RowChange, View};

/// Characters of a value that a reply shows.
pub const CUT: usize = 200;

/// One field before and after, or a row that came or went.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Changed {
    /// The row it belongs to, where an operation changed several: the last part of its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Its path in the row; absent for a row that came or went. An element of a list that only grows is `list[]`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub moved: bool,
}

impl Changed {
    /// The entries of an operation's changes, in the order of the rows and their fields.
    pub fn of(view: &dyn View, changes: &[Change]) -> Result<Vec<Changed>> {
        let several = changes.len() > 1;
        let mut out = Vec::new();
        for change in changes {
            let shape = view.shape(view.table(&change.table)?);
            if shape.is_aside() {
                continue;
            }
            // Identities of new list elements are made when the operation is stored; none of these leaves this file.
            let (row, _) = RowChange::between(&shape, change, &mut Seed::new(""));
            let of = last_part(&change.key);
            match row.what {
                What::Made(_) => out.push(Changed { of, made: true, ..Changed::default() }),
                What::Gone(_) => out.push(Changed { of, gone: true, ..Changed::default() }),
                What::Edited(fields) => {
                    let of = of.filter(|_| several);
                    out.extend(fields.iter().filter_map(|field| entry(shape.shape, field, of.as_ref())));
                }
            }
        }
        Ok(out)
    }

    /// As many entries as fit into so many bytes of JSON, at least one, and how many were left off.
    pub fn within(mut list: Vec<Changed>, bytes: usize) -> (Vec<Changed>, usize) {
        let mut used = 2;
        let fits = |entry: &Changed| {
            used += serde_json::to_string(entry).map_or(0, |text| text.len() + 1);
            used <= bytes
        };
        let keep = list.iter().map(fits).take_while(|fits| *fits).count().max(1).min(list.len());
        let left = list.len() - keep;
        list.truncate(keep);
        (list, left)
    }
}

fn entry(shape: &Shape, change: &FieldChange, of: Option<&String>) -> Option<Changed> {
    let field = match kind(shape, &change.path) {
        Some(Field::Derived | Field::Ambient) => return None,
        // Its element is known by a number that means nothing to a reader.
        Some(Field::Log) => match change.path.rfind('[') {
            Some(end) if change.path.ends_with(']') => format!("{}[]", &change.path[..end]),
            _ => change.path.clone(),
        },
        _ => change.path.clone(),
    };
    let side = |side: &Option<Packed>| side.as_ref().map(|value| cut(value.json()));
    Some(Changed {
        of: of.cloned(),
        field,
        before: side(&change.before),
        after: side(&change.after),
        moved: change.moved.is_some(),
        ..Changed::default()
    })
}

/// What the last field of a path is to its history.
fn kind(mut shape: &Shape, at: &str) -> Option<Field> {
    let mut last = None;
    for segment in path::parse(at)? {
        last = shape.field(&segment.field);
        if let Some(Field::Keyed(_, inner) | Field::Nested(inner)) = last {
            shape = inner;
        }
    }
    last
}

/// A text without its end, and how long it was; anything else that is long as the beginning of its JSON.
pub fn cut(value: Value) -> Value {
    let text = match value {
        Value::String(text) => text,
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            if text.chars().count() <= CUT {
                return value;
            }
            text
        }
        other => return other,
    };
    let long = text.chars().count();
    if long <= CUT {
        return Value::String(text);
    }
    let head: String = text.chars().take(CUT).collect();
    Value::String(format!("{head}… ({long} characters)"))
}

/// The last text of a key: the id of what the row is about.
fn last_part(key: &Key) -> Option<String> {
    let mut parts = key.parts();
    std::iter::from_fn(|| parts.text()).last()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    static STEP: Shape = Shape(&[("notes", Field::Log)]);
    static ROW: Shape =
        Shape(&[("progress", Field::Derived), ("at", Field::Ambient), ("steps", Field::Keyed("id", &STEP))]);

    fn entries(before: Value, after: Value) -> Vec<Changed> {
        let image = |value: Value| crate::core::Image {
            rev: 1,
            value: crate::core::row::encode(&value).unwrap(),
            marks: Vec::new(),
        };
        let table = super::super::TableShape::of::<Value>(crate::core::Table("t"), &ROW);
        let change = Change {
            table: "t".into(),
            key: Key::of("w").text("ROW-1"),
            before: Some(image(before)),
            after: Some(image(after)),
        };
        let (row, _) = RowChange::between(&table, &change, &mut Seed::new(""));
        let What::Edited(fields) = row.what else { panic!("edited") };
        fields.iter().filter_map(|field| entry(&ROW, field, None)).collect()
    }

    #[test]
    fn what_follows_from_the_rest_is_left_out_and_new_elements_have_no_made_up_names() {
        let list = entries(
            json!({"title": "a", "progress": 0, "at": 1, "steps": [{"id": "S1", "notes": ["x"]}]}),
            json!({"title": "b", "progress": 5, "at": 2, "steps": [{"id": "S1", "notes": ["x", "y"]}]}),
        );
        assert_eq!(
            json!(list),
            json!([{"field": "title", "before": "a", "after": "b"},
                {"field": "steps[S1].notes[]", "after": "y"}])
        );
    }

    #[test]
    fn values_and_lists_of_them_are_cut() {
        let long = "ü".repeat(300);
        let list = entries(json!({"a": "x", "b": [1]}), json!({"a": long, "b": vec![1; 300]}));
        let text = list[0].after.as_ref().and_then(Value::as_str).unwrap();
        assert!(text.ends_with("… (300 characters)") && text.chars().count() < 230, "{text}");
        assert!(list[1].after.as_ref().unwrap().is_string(), "JSON that is too long is shown as text");
        let (kept, left) = Changed::within(list, 100);
        assert_eq!((kept.len(), left), (1, 1), "at least one is shown");
    }
}
