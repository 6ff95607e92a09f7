//! What an operation does outside the database, as data: planned first, carried out by the engine afterwards.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Sha;

/// A file's content (as a blob) and permission bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileImage {
    pub sha: Sha,
    pub mode: u32,
}

/// One file below a declared root goes from `before` to `after`; `None` means "no file".
///
/// Carried out only if the file is still `before`, never through a symlink, as temporary file + fsync +
/// rename. The inverse effect has the two sides swapped, which is all undo needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    pub root: PathBuf,
    /// Relative to `root`, without `..`.
    pub path: PathBuf,
    pub before: Option<FileImage>,
    pub after: Option<FileImage>,
}

impl Effect {
    #[must_use]
    pub fn inverse(&self) -> Effect {
        Effect {
            root: self.root.clone(),
            path: self.path.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }

    pub fn full_path(&self) -> PathBuf {
        self.root.join(&self.path)
    }
}
