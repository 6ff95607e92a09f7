//! One operation with everything it changed: rows field by field, files line by line.

use serde::Deserialize;
use serde_json::Value;

use super::op::Op;
use super::place;
use super::render::{Ink, Render};
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Shown {
    #[serde(flatten)]
    pub op: Op,
    pub targets: Vec<String>,
    pub changes: Option<Vec<Change>>,
    pub effects: Vec<File>,
    pub effects_total: Option<u64>,
}

/// A row: made, gone, or edited field by field. Older daemons send both sides whole.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Change {
    table: String,
    key: String,
    made: Option<Value>,
    gone: Option<Value>,
    edited: Option<Vec<Edit>>,
    before: Value,
    after: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Edit {
    path: Value,
    before: Value,
    after: Value,
    diff: Option<String>,
    /// Only its place among its neighbours changed.
    moved: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct File {
    pub path: String,
    pub change: String,
    mode: Option<Modes>,
    diff: Option<String>,
    diff_omitted: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Modes {
    before: String,
    after: String,
}

pub fn print(r: Render, shown: &Shown) {
    let op = &shown.op;
    r.prose(0, r.ink(Ink::Bold, op.said()));
    let field = |name: &str, value: String| r.field(name, 9, value);
    field("when", r.when(&op.time));
    field("by", op.by().to_string());
    field("project", place::project(&op.workspace));
    field("id", op.operation_id.clone());
    field("tool", op.tool.clone());
    field("back", back(r, op));
    for change in shown.changes.iter().flatten() {
        row(r, change);
    }
    shown.effects.iter().for_each(|one| file(r, one));
    let more = shown.effects_total.unwrap_or(0).saturating_sub(shown.effects.len() as u64);
    if more > 0 {
        r.hint(format!("… and {}", count(more, "more file")));
    }
}

/// Whether and how it can be taken back.
fn back(r: Render, op: &Op) -> String {
    match (op.status.as_str(), op.undoable) {
        ("undone", _) => r.ink(Ink::Dim, "was taken back"),
        ("needs_attention", _) => r.ink(Ink::Red, "needs attention: look at the files below"),
        ("pending", _) => r.ink(Ink::Yellow, "still under way"),
        (_, true) => format!("`packd revert {}` takes it back", op.short()),
        _ => op.not_undoable_because.clone().unwrap_or_else(|| "cannot be taken back".into()),
    }
}

fn row(r: Render, change: &Change) {
    // A key begins with the project, which is said above.
    let key = change.key.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = format!("{} {key}", change.table);
    let head = |verb: &str, ink: Ink| {
        r.line("");
        r.line(format!("{} {}", r.ink(ink, verb), r.ink(Ink::Bold, &name)));
    };
    match change {
        Change { made: Some(value), .. } => {
            head("made", Ink::Green);
            diff(r, &Value::Null, value);
        }
        Change { gone: Some(value), .. } => {
            head("gone", Ink::Red);
            diff(r, value, &Value::Null);
        }
        Change { edited: Some(edits), .. } => {
            head("edited", Ink::Yellow);
            edits.iter().for_each(|one| edit(r, one));
        }
        Change { before, after, .. } => {
            let (before, after) = (&before["value"], &after["value"]);
            match (before.is_null(), after.is_null()) {
                (true, _) => head("made", Ink::Green),
                (_, true) => head("gone", Ink::Red),
                _ => head("edited", Ink::Yellow),
            }
            diff(r, before, after);
        }
    }
}

fn edit(r: Render, edit: &Edit) {
    let path = match &edit.path {
        Value::String(path) => path.clone(),
        Value::Array(parts) => parts
            .iter()
            .map(|p| p.as_str().map_or(p.to_string(), str::to_string))
            .collect::<Vec<_>>()
            .join("."),
        other => other.to_string(),
    };
    if edit.moved {
        return r.line(format!("  {path}  moved"));
    }
    if let Some(diff) = &edit.diff {
        r.line(format!("  {path}"));
        return r.unified(diff);
    }
    r.line(format!("  {path}"));
    diff(r, &edit.before, &edit.after);
}

/// The two sides line by line: a text as its lines, anything else as pretty JSON.
fn diff(r: Render, before: &Value, after: &Value) {
    let pretty = |v: &Value| match v {
        Value::Null => String::new(),
        Value::String(text) => text.trim_end_matches('\n').to_string() + "\n",
        v => serde_json::to_string_pretty(v).unwrap_or_default() + "\n",
    };
    let (before, after) = (pretty(before), pretty(after));
    let diff = similar::TextDiff::from_lines(before.as_str(), after.as_str());
    for group in diff.grouped_ops(2) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.to_string();
            let line = line.trim_end_matches('\n');
            r.line(match change.tag() {
                similar::ChangeTag::Delete => r.ink(Ink::Red, format!("  - {line}")),
                similar::ChangeTag::Insert => r.ink(Ink::Green, format!("  + {line}")),
                similar::ChangeTag::Equal => format!("    {line}"),
            });
        }
    }
}

fn file(r: Render, file: &File) {
    let mode = match &file.mode {
        Some(Modes { before, after }) => format!("  mode {before} to {after}"),
        None => String::new(),
    };
    r.line("");
    r.line(format!("{} {}{mode}", verb(r, &file.change), r.ink(Ink::Bold, r.path(&file.path))));
    r.unified(file.diff.as_deref().unwrap_or_default());
    if let Some(why) = &file.diff_omitted {
        r.hint(why);
    }
}

/// What happens to a file, by its colour.
pub fn verb(r: Render, change: &str) -> String {
    match change {
        "create" => r.ink(Ink::Green, change),
        "delete" => r.ink(Ink::Red, change),
        other => r.ink(Ink::Yellow, other),
    }
}
