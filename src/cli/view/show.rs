//! One operation with everything it changed: rows field by field, files line by line.

use serde::Deserialize;
use serde_json::Value;
use similar::ChangeTag;

use super::op::OpView;
use super::place;
use super::render::{Ink, Render};
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct WholeOpView {
    #[serde(flatten)]
    pub op: OpView,
    pub targets: Vec<String>,
    pub changes: Option<Vec<ChangeView>>,
    pub effects: Vec<FileChangeView>,
    pub effects_total: Option<u64>,
    /// What an audit record tells besides.
    pub data: Value,
}

/// A row: made, gone, or edited field by field. Older daemons send both sides whole.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangeView {
    pub table: String,
    pub key: String,
    pub made: Option<Value>,
    pub gone: Option<Value>,
    pub edited: Option<Vec<EditView>>,
    pub before: Value,
    pub after: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EditView {
    pub path: Value,
    pub before: Value,
    pub after: Value,
    pub diff: Option<String>,
    /// Only its place among its neighbours changed.
    pub moved: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FileChangeView {
    pub path: String,
    pub change: String,
    pub mode: Option<FileModesView>,
    pub diff: Option<String>,
    pub diff_omitted: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FileModesView {
    pub before: String,
    pub after: String,
}

pub fn print(r: Render, shown: &WholeOpView) {
    let op = &shown.op;
    r.prose(0, r.ink(Ink::Bold, op.said()));
    let field = |name: &str, value: String| r.field(name, 9, value);
    field("when", r.when(&op.time));
    field("by", op.by().to_string());
    field("project", place::project(&op.workspace));
    op.who.tree.iter().for_each(|tree| field("tree", place::project(tree)));
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
fn back(r: Render, op: &OpView) -> String {
    match (op.status.as_str(), op.undoable) {
        ("undone", _) => r.ink(Ink::Dim, "was taken back"),
        ("needs_attention", _) => r.ink(Ink::Red, "needs attention: look at the files below"),
        ("pending", _) => r.ink(Ink::Yellow, "still under way"),
        (_, true) => format!("`packd revert {}` takes it back", op.short()),
        _ => op.not_undoable_because.clone().unwrap_or_else(|| "cannot be taken back".into()),
    }
}

fn row(r: Render, change: &ChangeView) {
    let name = change.named();
    let head = |verb: &str, ink: Ink| {
        r.line("");
        r.line(format!("{} {}", r.ink(ink, verb), r.ink(Ink::Bold, &name)));
    };
    match change {
        ChangeView { made: Some(value), .. } => {
            head("made", Ink::Green);
            diff(r, &Value::Null, value);
        }
        ChangeView { gone: Some(value), .. } => {
            head("gone", Ink::Red);
            diff(r, value, &Value::Null);
        }
        ChangeView { edited: Some(edits), .. } => {
            head("edited", Ink::Yellow);
            edits.iter().for_each(|one| edit(r, one));
        }
        ChangeView { before, after, .. } => {
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

fn edit(r: Render, edit: &EditView) {
    let path = edit.named();
    // When it was changed is said above.
    if ["updated", "updated_at"].contains(&path.as_str()) {
        return;
    }
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

fn diff(r: Render, before: &Value, after: &Value) {
    for (tag, line) in sides(before, after) {
        r.line(match tag {
            ChangeTag::Delete => r.ink(Ink::Red, format!("  - {line}")),
            ChangeTag::Insert => r.ink(Ink::Green, format!("  + {line}")),
            ChangeTag::Equal => format!("    {line}"),
        });
    }
}

/// The two sides line by line: a text as its lines, anything else as pretty JSON.
pub fn sides(before: &Value, after: &Value) -> Vec<(ChangeTag, String)> {
    let pretty = |v: &Value| match v {
        Value::Null => String::new(),
        Value::String(text) => text.trim_end_matches('\n').to_string() + "\n",
        v => serde_json::to_string_pretty(v).unwrap_or_default() + "\n",
    };
    let (before, after) = (pretty(before), pretty(after));
    let diff = similar::TextDiff::from_lines(before.as_str(), after.as_str());
    let mut out = Vec::new();
    for group in diff.grouped_ops(2) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            out.push((change.tag(), change.to_string().trim_end_matches('\n').to_string()));
        }
    }
    out
}

impl ChangeView {
    /// Its table and its own name: a key begins with the project, which is said elsewhere.
    pub fn named(&self) -> String {
        let key = self.key.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        format!("{} {key}", self.table)
    }
}

impl EditView {
    /// The path of the field.
    pub fn named(&self) -> String {
        match &self.path {
            Value::String(path) => path.clone(),
            Value::Array(parts) => parts
                .iter()
                .map(|p| p.as_str().map_or(p.to_string(), str::to_string))
                .collect::<Vec<_>>()
                .join("."),
            other => other.to_string(),
        }
    }
}

fn file(r: Render, file: &FileChangeView) {
    let mode = match &file.mode {
        Some(FileModesView { before, after }) => format!("  mode {before} to {after}"),
        None => String::new(),
    };
    r.line("");
    r.prose(7, format!("{} {}{mode}", verb(r, &file.change), r.ink(Ink::Bold, r.path(&file.path))));
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
