//! A module's files in memory: content with its hash, executable bit and the layer it comes from.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::core::Sha;
use crate::core::world::Stat;

/// Bytes, their hash and what was made of them, shared instead of copied.
#[derive(Clone)]
pub struct HashedContent(Arc<Inner>);

pub struct Inner {
    pub bytes: Vec<u8>,
    pub sha: Sha,
    made: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl HashedContent {
    pub fn new(bytes: Vec<u8>) -> Self {
        let sha = Sha::of(&bytes);
        HashedContent(Arc::new(Inner { bytes, sha, made: OnceLock::new() }))
    }

    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// What `make` makes of the bytes, and of nothing else. It lives as long as the content, so a remembered file
    /// is parsed once; content that is read in two ways keeps the first.
    pub fn made<T: Any + Send + Sync>(&self, make: impl Fn(&[u8]) -> T) -> Arc<T> {
        let kept = self.made.get_or_init(|| Arc::new(make(&self.bytes)));
        kept.clone().downcast().unwrap_or_else(|_| Arc::new(make(&self.bytes)))
    }
}

impl Deref for HashedContent {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl std::fmt::Debug for HashedContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Content({})", self.sha)
    }
}

/// Where a file of a module comes from, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModuleLayer {
    Upstream,
    Global,
    Machine,
    Project,
}

impl ModuleLayer {
    pub fn as_str(self) -> &'static str {
        match self {
            ModuleLayer::Upstream => "upstream",
            ModuleLayer::Global => "global",
            ModuleLayer::Machine => "machine",
            ModuleLayer::Project => "project",
        }
    }
}

#[derive(Debug, Clone)]
pub struct TreeFile {
    pub content: HashedContent,
    pub exec: bool,
    pub layer: ModuleLayer,
    /// The file on disk that decided the content.
    pub origin: PathBuf,
}

impl TreeFile {
    pub fn new(stat: &Stat, content: HashedContent, layer: ModuleLayer, origin: PathBuf) -> Self {
        TreeFile { content, exec: stat.mode & 0o111 != 0, layer, origin }
    }
}

/// Relative path (with `/`) to file.
pub type ModuleTree = BTreeMap<Arc<str>, TreeFile>;

/// The hash a lock file records: path, hash and size of every file, in path order.
pub fn tree_hash(tree: &ModuleTree) -> Sha {
    let mut text = String::new();
    for (path, file) in tree {
        text.push_str(&format!("{path}\n{}\n{}\n", file.content.sha, file.content.bytes.len()));
    }
    Sha::of(text.as_bytes())
}
