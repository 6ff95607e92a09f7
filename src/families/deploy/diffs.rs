//! The text of a plan: unified diffs per file, within what a client can take.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::plan::{DeployPlan, PlannedChange, PlannedOp};
use super::reply::{posix, shown};
use super::state::{DeployState, FileState};
use super::target_file::TargetFile;
use crate::core::Ctx;
use crate::core::diff::{Diff, DiffRoom};

/// One entry per change, with the diff where both sides are text.
pub fn files(ctx: &Ctx, seen: &DeployState, plan: &DeployPlan, warnings: &mut Vec<String>) -> Value {
    // A person's terminal has room for more than a model.
    let mut room = if ctx.session.is_cli() { DiffRoom::default() } else { DiffRoom::of(REVIEWED) };
    let mut left_out = 0usize;
    let mut out = Vec::new();
    for change in plan.changes.iter().take(super::reply::MAX_LISTED) {
        let Some(known) = seen.files.get(&change.at) else { continue };
        let TargetFile { target, path } = &change.at;
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
            .push(format!("preview diff omitted for {left_out} more files: the answer would be too long; 'target' narrows it"));
    }
    Value::Array(out)
}

/// The diff of a created or updated file; what is deleted is not shown.
fn unified(known: &FileState, change: &PlannedChange, rel: &str, room: &mut DiffRoom) -> Diff {
    let Some(output) = known.wanted.as_ref().filter(|_| change.op != PlannedOp::Delete) else {
        return Diff::NotText;
    };
    let before = known.now.as_ref().map(|file| file.content.bytes.as_slice());
    room.beginning(rel, before, Some(&output.content.bytes))
}

/// Bytes of diffs that a review carries.
const REVIEWED: usize = 5 * 1024;

#[derive(Serialize)]
struct TextOf<'a> {
    path: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    unified: Option<String>,
    /// Why there is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'static str>,
}

/// The text of every change, as far as a review has room for it; `diff` has the rest.
pub fn texts(state: &DeployState, plan: &DeployPlan) -> Value {
    let mut room = DiffRoom::of(REVIEWED);
    let mut out = Vec::new();
    for change in plan.changes.iter().take(super::reply::MAX_LISTED) {
        let Some(known) = state.files.get(&change.at) else { continue };
        let path: &Path = &change.at.path;
        let name = shown(Path::new(path.file_name().unwrap_or_default()));
        let (unified, left_out) = match unified(known, change, &name, &mut room) {
            Diff::Text(text) => (Some(text), None),
            Diff::TooLong(_) | Diff::NoRoom => (None, Some("too long; call diff")),
            Diff::NotText if change.op == PlannedOp::Delete => (None, Some("deleted")),
            Diff::NotText => (None, Some("not text")),
        };
        out.push(TextOf { path, unified, left_out });
        if out.len() >= 20 {
            break;
        }
    }
    super::errors::details(&out)
}
