//! The text of a plan: unified diffs per file, within what a client can take.

use std::path::Path;

use serde_json::{Value, json};

use super::envelope::{posix, shown};
use super::plan::{Change, Op, Plan};
use super::seen::{Known, Seen};
use super::spot::Spot;
use crate::core::diff::{Diff, Room};

/// One entry per change, with the diff where both sides are text.
pub fn files(seen: &Seen, plan: &Plan, warnings: &mut Vec<String>) -> Value {
    let mut room = Room::default();
    let mut left_out = 0usize;
    let mut out = Vec::new();
    for change in plan.changes.iter().take(super::envelope::MAX_LISTED) {
        let Some(known) = seen.files.get(&change.spot) else { continue };
        let Spot { target, path } = &change.spot;
        let root = known.root.map_or(Path::new(""), |i| seen.roots[i].root.path.as_path());
        let rel = shown(path.strip_prefix(root).unwrap_or(path));
        let root = shown(root);
        let hash = |sha: &Option<crate::core::Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        let mut file = json!({
            "target": target, "root": root, "root_posix": posix(&root), "path": rel, "path_posix": posix(&rel),
            "op": change.op.as_str(), "before_hash": hash(&change.before), "after_hash": hash(&change.after),
        });
        match unified(known, change, &posix(&rel), &mut room) {
            Diff::Text(text) => file["unified"] = json!(text),
            Diff::TooLong(n) => warnings.push(format!("preview diff omitted for {rel}: it has {n} bytes")),
            Diff::NoRoom => left_out += 1,
            Diff::NotText => {}
        }
        out.push(file);
    }
    if left_out > 0 {
        warnings
            .push(format!("preview diff omitted for {left_out} more files: the answer would be too long"));
    }
    Value::Array(out)
}

/// The diff of a created or updated file; what is deleted is not shown.
fn unified(known: &Known, change: &Change, rel: &str, room: &mut Room) -> Diff {
    let Some(output) = known.wanted.as_ref().filter(|_| change.op != Op::Delete) else {
        return Diff::NotText;
    };
    let before = known.now.as_ref().map(|file| file.content.bytes.as_slice());
    room.unified(rel, before, Some(&output.content.bytes))
}
