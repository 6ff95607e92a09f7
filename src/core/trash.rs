//! What goes to the trash, as data: which directories, and what git must be able to find again when they come back.
//!
//! An entry is named by the operation that made it. Moving, keeping and bringing back is the engine's business.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// So long an entry is kept.
pub const DAYS: i64 = 30;

/// What previews and explanations say about something that goes to the trash.
pub const FINAL: &str =
    "Final after 30 days in the trash; until then history_undo brings everything back as it was.";

/// Directories on their way to the trash, as one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discard {
    /// The operation it belongs to, which names the entry.
    pub entry: String,
    /// What it is of, as its family calls it.
    #[serde(rename = "ecosystem")]
    pub subject: String,
    /// Every path must be strictly below this.
    pub root: PathBuf,
    pub paths: Vec<PathBuf>,
    /// Whose commits and index are kept apart, too.
    pub checkouts: Vec<KeptCheckout>,
    /// Deleted once everything is moved, and brought back with it.
    pub branches: Vec<Branch>,
    /// The user's home directory, for git.
    pub home: PathBuf,
}

/// One checkout, with a name that is good for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCheckout {
    pub name: String,
    pub dir: PathBuf,
}

/// A branch of a repository that itself stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    pub repo: PathBuf,
    pub name: String,
}

/// A checkout that must hold nothing that exists only there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    pub name: String,
    pub dir: PathBuf,
    /// Paths that others answer for.
    pub skip: Vec<PathBuf>,
    /// The branch of a linked worktree; `None` = a clone.
    pub own: Option<String>,
    pub home: PathBuf,
}
