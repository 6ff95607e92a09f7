//! Directories of a tree that are more than a way to files: those that packd keeps for itself, and those that came with
//! the files of an operation.

use std::path::{Path, PathBuf};

use super::index::TreeIndex;
use crate::core::SessionInfo;
use crate::core::effect::MadeDir;
use crate::core::snapshot::FileChange;
use crate::engine::Shared;
use crate::engine::mirror::moments::directories;

/// Clocks that stamp files run a little behind the one that tells the time.
pub const GRAIN: i64 = 10_000;

/// What packd keeps below a tree for itself, by where it lies in it: its home, and the files of mirrored rows, whose
/// history is the rows'.
pub fn own_directories(shared: &Shared, root: &Path, session: &SessionInfo) -> Vec<PathBuf> {
    let home = shared.snapshots.dir.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let below = |dir: PathBuf| {
        let dir = dir.canonicalize().unwrap_or(dir);
        dir.strip_prefix(root).map(Path::to_path_buf).ok()
    };
    home.into_iter().chain(directories(shared, session)).filter_map(below).collect()
}

/// Directories that came with these files, also in the place of one that had come so before: an undo that empties them
/// takes them away, too. `came` tells of a directory whether it is known for that.
pub fn made_directories(
    root: &Path,
    changes: &[FileChange],
    index: &TreeIndex,
    came: &dyn Fn(&str) -> bool,
) -> Vec<(String, MadeDir)> {
    use std::os::unix::fs::MetadataExt;
    let mut out: Vec<(String, MadeDir)> = Vec::new();
    let since = index.looked.micros() - GRAIN;
    for change in changes.iter().filter(|change| change.verb() != "deleted") {
        for dir in Path::new(&change.path).ancestors().skip(1) {
            let Some(name) = dir.to_str().filter(|name| !name.is_empty()) else { break };
            let full = root.join(name);
            let path = full.to_string_lossy().into_owned();
            if index.has_below(name) && !came(&path) {
                break;
            }
            let Ok(meta) = std::fs::symlink_metadata(&full) else { break };
            let born = meta.created().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
            let young =
                born.is_some_and(|born| i64::try_from(born.as_micros()).is_ok_and(|born| born >= since));
            if !young || out.iter().any(|(known, _)| *known == path) {
                break;
            }
            out.push((path, MadeDir { device: meta.dev(), inode: meta.ino() }));
        }
    }
    out
}
