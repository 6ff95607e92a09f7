//! Snapshots of a work tree as words: what a tree's file was, who was at work when it changed, what that makes of an
//! operation. Rows and rules only.
//!
//! A tree's snapshots are one line of states. Between two neighbours stands what changed, both sides of it, so that
//! any state is reached from the present one by walking back. How files are listed, read and kept is the engine's.

mod changes;
mod exclude;
mod seen;
mod trace;
mod window;

use serde::{Deserialize, Serialize};

use super::{FileImage, Key, Table, Timestamp, Who};

pub use changes::{FileChange, LostFile, Operation, Side, joined, restoring, reversed};
pub use exclude::Patterns;
pub use seen::{TreeAsk, TreeSeen};
pub use trace::{LineOrigin, trace};
pub use window::{Doer, HookAsk, Phase, Window, doers, expire, known, turn};

/// The family whose operations they are.
pub const FAMILY: &str = "snapshots";
/// What takes one when asked; what changed outside any tool is recorded under it, too.
pub const TAKE: &str = "snap_take";
/// The client of whatever changed while no tool call was known to be under way.
pub const OUTSIDE: &str = "outside";

/// Root of a tree → [`TreeRow`].
pub const TREES: Table = Table("snap_trees");
/// Root of a tree, number → [`SnapshotRow`].
pub const SNAPSHOTS: Table = Table("snap_states");

/// Larger files are listed, not stored.
pub const MAX_FILE: u64 = 32 << 20;
/// A tree of more files is not looked at unasked.
pub const MAX_FILES: usize = 100_000;

/// What is known of a work tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TreeRow {
    /// The number of its last snapshot.
    pub last: u64,
    /// Every operation up to this one was heeded: what packd wrote itself is nobody else's.
    pub heeded: u64,
    /// Where its contents are kept, below the directory of all of them.
    pub store: String,
    #[serde(default)]
    pub windows: Vec<Window>,
    /// Too large for automatic snapshots, as of then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<Off>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Off {
    pub files: u64,
    pub since: Timestamp,
}

/// One state of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SnapshotRow {
    pub number: u64,
    pub time: Timestamp,
    /// Who asked for it.
    pub by: Who,
    pub why: Why,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many files the tree had.
    pub files: u64,
    /// The files that are listed, not stored.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// What became of the state before; nothing is known before the first.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// The operation that these changes are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Finished after its hook had gone: what changed since the hook began is not in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// Why a snapshot was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// The first look at a tree.
    First,
    Asked,
    Before,
    After,
    /// Before a restore, so that nothing it replaces is lost.
    Restore,
}

/// A file that is listed, not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub path: String,
    pub because: String,
}

impl SnapshotRow {
    pub fn name(&self) -> String {
        name(self.number)
    }
}

/// What people and agents call the snapshot of this number.
pub fn name(number: u64) -> String {
    format!("sn-{number}")
}

/// The number in a name.
pub fn number(name: &str) -> Option<u64> {
    name.trim().strip_prefix("sn-")?.parse().ok().filter(|n| *n > 0)
}

pub fn tree_key(root: &str) -> Key {
    Key::of(root)
}

pub fn key(root: &str, number: u64) -> Key {
    Key::of(root).number(number)
}

/// A file as it is now, where it is kept.
pub type HeldFile = Option<FileImage>;
