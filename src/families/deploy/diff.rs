//! The text of a plan: unified diffs per file, within what a client can take.

use std::path::Path;

use serde_json::{Value, json};
use similar::TextDiff;

use super::envelope::{posix, shown};
use super::plan::{Change, Op, Plan};
use super::seen::{Known, Seen};
use super::spot::Spot;

const MAX_ONE: usize = 100 * 1024;
const MAX_ALL: usize = 512 * 1024;

/// One entry per change, with the diff where both sides are text.
pub fn files(seen: &Seen, plan: &Plan, warnings: &mut Vec<String>) -> Value {
    let mut room = MAX_ALL;
    let mut left_out = 0usize;
    let mut out = Vec::new();
    for change in plan.changes.iter().take(super::envelope::MAX_LISTED) {
        let Some(known) = seen.files.get(&change.spot) else { continue };
        let Spot { target, path } = &change.spot;
        let root = known.root.map(|i| seen.roots[i].root.path.as_path()).unwrap_or(Path::new(""));
        let rel = shown(path.strip_prefix(root).unwrap_or(path));
        let root = shown(root);
        let hash = |sha: &Option<crate::core::Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        let mut file = json!({
            "target": target, "root": root, "root_posix": posix(&root), "path": rel, "path_posix": posix(&rel),
            "op": change.op.as_str(), "before_hash": hash(&change.before), "after_hash": hash(&change.after),
        });
        match unified(known, change, &posix(&rel)) {
            Some(text) if text.len() > MAX_ONE => {
                warnings.push(format!("preview diff omitted for {rel}: it has {} bytes", text.len()));
            }
            Some(text) if text.len() > room => left_out += 1,
            Some(text) => {
                room -= text.len();
                file["unified"] = json!(text);
            }
            None => {}
        }
        out.push(file);
    }
    if left_out > 0 {
        warnings
            .push(format!("preview diff omitted for {left_out} more files: the answer would be too long"));
    }
    Value::Array(out)
}

/// The diff of a created or updated text file; a missing file counts as empty.
fn unified(known: &Known, change: &Change, rel: &str) -> Option<String> {
    if change.op == Op::Delete {
        return None;
    }
    let after = known.wanted.as_ref()?.content.text()?;
    let before = match &known.now {
        Some(file) => file.content.text()?,
        None => "",
    };
    let diff = TextDiff::from_lines(before, after);
    Some(diff.unified_diff().header(&format!("a/{rel}"), &format!("b/{rel}")).to_string())
}
