//! The world as one call sees it: the real one, with this caller's progress and cancellation.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::call::{CancelFlag, Progress, ProgressSink};
use super::locks::Locks;
use crate::core::world::{Command, FileKind, Output, ReadError, Stat};
use crate::core::{Result, World};

/// The world of one call: the real one, with this caller's progress and cancellation.
pub(super) struct CallWorld {
    pub inner: Arc<dyn World>,
    pub cancel: CancelFlag,
    pub progress: Option<ProgressSink>,
    /// Held until the files are written.
    pub locks: Locks,
}

impl CallWorld {
    /// Without anybody who listens or cancels.
    pub fn quiet(inner: Arc<dyn World>) -> Self {
        CallWorld { inner, cancel: CancelFlag::default(), progress: None, locks: Locks::default() }
    }
}

impl World for CallWorld {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        self.inner.read(path, limit)
    }
    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        self.inner.load(path, limit)
    }
    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        self.inner.stat(path)
    }
    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        self.inner.stat_all(dir, names)
    }
    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        self.inner.list(dir)
    }
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.inner.canonical(path)
    }
    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.inner.read_link(path)
    }
    fn run(&self, command: &Command) -> Result<Output> {
        self.inner.run_while(command, &|| !self.cancel.is_set())
    }
    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        self.inner.fetch(url, limit)
    }
    fn host_name(&self) -> String {
        self.inner.host_name()
    }
    fn lock(&self, dir: &Path) -> Result<()> {
        self.locks.take(dir)
    }
    fn progress(&self, fraction: f64, message: &str) {
        if let Some(sink) = &self.progress {
            sink(Progress { progress: fraction, total: Some(1.0), message: message.to_string() });
        }
    }
    fn cancelled(&self) -> bool {
        self.cancel.is_set()
    }
}
