//! The key of a file everywhere in the family: its target and its absolute path.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

/// Ordered by target, then by the bytes of the path, as plans are; comparing paths part by part is far slower.
#[derive(Debug, Clone)]
pub struct TargetFile {
    pub target: &'static str,
    pub path: Arc<Path>,
}

impl TargetFile {
    pub fn new(target: &'static str, path: impl Into<Arc<Path>>) -> Self {
        TargetFile { target, path: path.into() }
    }

    /// In the same directory, for the same target.
    pub fn is_beside(&self, other: &TargetFile) -> bool {
        let (mine, theirs) = (self.path.parent(), other.path.parent());
        self.target == other.target && mine.map(Path::as_os_str) == theirs.map(Path::as_os_str)
    }

    fn key(&self) -> (&str, &[u8]) {
        (self.target, self.path.as_os_str().as_encoded_bytes())
    }
}

impl Ord for TargetFile {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for TargetFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TargetFile {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for TargetFile {}
