//! What is forgotten, in numbers and ids: never the text itself.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::op;
use super::place;
use super::render::{Ink, Render};
use super::text::count;
use crate::store::{Digested, Forgotten, RowRef};

/// Ids that are listed before the rest is counted.
const LISTED: usize = 6;

#[derive(Default)]
pub struct WhereFound {
    pub database: Forgotten,
    pub copies: Vec<CopyFound>,
    pub files: Vec<PathBuf>,
}

/// An older copy of the database, and why it stays as it is.
pub struct CopyFound {
    pub path: PathBuf,
    pub left: Option<String>,
}

impl WhereFound {
    pub fn is_empty(&self) -> bool {
        self.database.is_empty() && self.files.is_empty() && self.copies.iter().all(|c| c.left.is_some())
    }

    pub fn is_left(&self) -> bool {
        self.copies.iter().any(|copy| copy.left.is_some())
    }
}

pub fn document(said: &str, found: &WhereFound, done: bool) -> Value {
    let ids = |list: &[Digested]| -> Vec<Value> {
        list.iter().map(|d| json!({"id": d.id, "number": d.number, "digest": d.digest})).collect()
    };
    let items = |list: &[RowRef]| -> Vec<Value> {
        list.iter().map(|i| json!({"table": i.table, "key": i.key})).collect()
    };
    let db = &found.database;
    let copies: Vec<Value> =
        found.copies.iter().map(|c| json!({"file": c.path, "left_because": c.left})).collect();
    json!({
        "what": said, "done": done, "operations": ids(&db.operations), "audit": ids(&db.audit),
        "rows": items(&db.rows), "images": db.images, "contents": db.contents, "stays": items(&db.stays),
        "copies": copies, "files": found.files,
    })
}

pub fn print(r: Render, said: &str, found: &WhereFound, words: &str) {
    r.prose(0, format!("{} {said}:", r.ink(Ink::Yellow, words)));
    let db = &found.database;
    let short = |list: &[Digested]| listed(list.iter().map(|d| op::short(&d.id).to_string()));
    if !db.operations.is_empty() {
        let n = count(db.operations.len() as u64, "operation");
        r.prose(4, format!("  in {n}: {}", short(&db.operations)));
    }
    if !db.audit.is_empty() {
        r.prose(4, format!("  in {}", count(db.audit.len() as u64, "audit record")));
    }
    if !db.rows.is_empty() {
        let names = listed(db.rows.iter().map(name));
        r.prose(4, format!("  as it is now, in {names}"));
    }
    if db.images > 0 {
        r.line(format!("  in {}", count(db.images, "earlier state")));
    }
    if db.contents > 0 {
        let n = count(db.contents, "kept file");
        r.prose(4, format!("  {n}, whose changes can then no longer be undone"));
    }
    for copy in &found.copies {
        let path = place::shown(&copy.path.to_string_lossy());
        match &copy.left {
            None => r.prose(4, format!("  in the older copy {path}")),
            Some(why) => r.prose(4, format!("  {} {path}: {why}", r.ink(Ink::Red, "left"))),
        }
    }
    for file in &found.files {
        r.prose(4, format!("  in {}", place::shown(&file.to_string_lossy())));
    }
    if !db.stays.is_empty() {
        let (ops, rows): (Vec<&RowRef>, Vec<&RowRef>) = db.stays.iter().partition(|i| i.table == "log");
        if !rows.is_empty() {
            let names = listed(rows.into_iter().map(name));
            r.prose(
                2,
                format!("What it wrote is still there now, in {names}. Change that first if it must go."),
            );
        }
        if !ops.is_empty() {
            let names = listed(ops.into_iter().map(|i| op::short(&i.key).to_string()));
            r.prose(2, format!("Later operations changed the same and may repeat it: {names}."));
        }
    }
    r.hint("That it happened, when and by whom stays, and a digest of what it was.");
}

/// The last part of a row's key is what people call it.
fn name(item: &RowRef) -> String {
    let last = item.key.trim_end_matches('/').rsplit('/').next().unwrap_or(&item.key);
    format!("{last} ({})", item.table.replace('_', " "))
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = names.collect();
    let more = all.len().saturating_sub(LISTED);
    let shown = all.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
