//! A module's files in memory: content with its hash, executable bit and the layer it comes from.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::core::Sha;

/// Bytes and their hash, shared instead of copied.
#[derive(Debug, Clone)]
pub struct Content {
    pub bytes: Arc<Vec<u8>>,
    pub sha: Sha,
}

impl Content {
    pub fn new(bytes: Vec<u8>) -> Self {
        let sha = Sha::of(&bytes);
        Content { bytes: Arc::new(bytes), sha }
    }

    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }
}

/// Where a file of a module comes from, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    Upstream,
    Global,
    Machine,
    Project,
}

impl Layer {
    pub fn as_str(self) -> &'static str {
        match self {
            Layer::Upstream => "upstream",
            Layer::Global => "global",
            Layer::Machine => "machine",
            Layer::Project => "project",
        }
    }
}

#[derive(Debug, Clone)]
pub struct TreeFile {
    pub content: Content,
    pub exec: bool,
    pub layer: Layer,
    /// The file on disk that decided the content.
    pub origin: PathBuf,
}

/// Relative path (with `/`) to file.
pub type Tree = BTreeMap<String, TreeFile>;

/// The hash a lock file records: path, hash and size of every file, in path order.
pub fn tree_hash(tree: &Tree) -> Sha {
    let mut text = String::new();
    for (path, file) in tree {
        text.push_str(&format!("{path}\n{}\n{}\n", file.content.sha, file.content.bytes.len()));
    }
    Sha::of(text.as_bytes())
}
