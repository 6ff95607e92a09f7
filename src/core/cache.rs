//! What families may want from a cache of outside things: a repository elsewhere, as a directory at one commit.
//!
//! Families only say what they want; the engine asks remotes, clones, locks, limits and collects.

use std::path::PathBuf;

/// The code of the error for what is not in the cache while nobody may be asked for it.
pub const NOT_CACHED: &str = "not_cached";
/// The remote has no such branch or tag.
pub const NO_SUCH_REF: &str = "no_such_ref";
/// There is no git to ask with.
pub const NO_GIT: &str = "git_missing";
/// Git failed; `details.stderr` has what it said.
pub const GIT_FAILED: &str = "git_failed";

/// A repository elsewhere at one commit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PinnedCheckout {
    pub url: String,
    pub at: Revision,
    /// The branch or tag the commit is likely to be on: fetching that alone is tried first.
    pub hint: Option<String>,
    /// Where a contract says that such checkouts lie, as `SHELF/<sha256 of the url>/<commit>`; else they lie in the
    /// engine's own directory.
    pub shelf: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Revision {
    Commit(String),
    /// Full names, the best first; the remote is asked which of them it has.
    Refs(Vec<String>),
}

impl Revision {
    /// What people call it.
    pub fn shown(&self) -> String {
        match self {
            Revision::Commit(id) => id.get(..12).unwrap_or(id).to_string(),
            Revision::Refs(names) => names.first().map_or("?", |n| n.rsplit('/').next().unwrap_or(n)).into(),
        }
    }
}

/// A checkout that is there. Its files are the user's own; nothing in it was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    pub dir: PathBuf,
    pub commit: String,
}

pub fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}
