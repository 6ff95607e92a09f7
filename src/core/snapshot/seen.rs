//! What a tool may ask of the tree that its session works in, and what it is told.

use super::{FileChange, Skipped};

/// What is wanted of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeAsk {
    /// A look that records nothing.
    Look,
    /// A snapshot, with a name if it should have one.
    Take { label: Option<String> },
    /// A snapshot of what a restore is about to replace.
    BeforeRestore,
    /// Where it is, without a look.
    Root,
}

/// What a tree is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TreeSeen {
    pub root: String,
    /// The newest snapshot; 0 = there is none.
    pub number: u64,
    /// It was taken now.
    pub new: bool,
    /// What changed since the one before; after a mere look, since the newest.
    pub changes: Vec<FileChange>,
    pub operation: Option<String>,
    pub files: u64,
    pub skipped: Vec<Skipped>,
}
