//! What an operation does outside the database, as data: planned first, carried out by the engine afterwards.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Sha, Table};

/// Path of a directory that packd made → [`MadeDir`].
pub const MADE: Table = Table("made_dirs");

/// Which directory it was; all zero while it is being made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeDir {
    pub device: u64,
    pub inode: u64,
}

/// The code of a refusal to write what a family keeps for itself, or below packd's own directory.
pub const RESERVED: &str = "reserved_target";

/// A file that no call writes but those of the family that keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedFile {
    /// Absolute, or relative to whatever root is written to.
    pub path: PathBuf,
    /// What it is, in the middle of a sentence.
    pub what: String,
}

/// The file type in a mode, and the type of a link: the content of a link is where it points.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// A file's content (as a blob) and permission bits; or a link.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct FileImage {
    pub sha: Sha,
    pub mode: u32,
    /// Where the content is kept if not in the store: the object of this id, in the objects of its tree's snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

impl FileImage {
    pub fn new(sha: Sha, mode: u32) -> FileImage {
        FileImage { sha, mode, object: None }
    }

    /// A symbolic link to `target`.
    pub fn link(target: &[u8]) -> FileImage {
        FileImage::new(Sha::of(target), LINK)
    }

    pub fn is_link(&self) -> bool {
        self.mode & TYPE == LINK
    }
}

/// What the file is; where its content is kept does not matter.
impl PartialEq for FileImage {
    fn eq(&self, other: &FileImage) -> bool {
        self.sha == other.sha && self.mode == other.mode
    }
}

/// One file below a declared root goes from `before` to `after`; `None` means "no file".
///
/// Carried out only if the file is still `before`, never through a symlink, as temporary file + fsync +
/// rename. The inverse effect has the two sides swapped, which is all undo needs; what is kept has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    pub root: PathBuf,
    /// Relative to `root`, without `..`.
    pub path: PathBuf,
    pub before: Option<FileImage>,
    pub after: Option<FileImage>,
    /// Created once and never taken back: others may come to depend on it, and alone it does nothing. Whatever
    /// file has the name already will do, since the name says what is in it (an object of git's).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
}

impl Effect {
    #[must_use]
    pub fn inverse(&self) -> Effect {
        if self.kept {
            return self.clone();
        }
        Effect {
            root: self.root.clone(),
            path: self.path.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
            kept: false,
        }
    }

    pub fn full_path(&self) -> PathBuf {
        self.root.join(&self.path)
    }
}
