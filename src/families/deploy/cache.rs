//! File contents remembered between calls, by everything the system tells about an untouched file.
//!
//! A file changed within the clock's grain of being read could keep its stamp, so content is only
//! remembered once the file has been quiet for a while: a remembered answer is never an old one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::tree::Content;
use crate::core::world::{FileKind, ReadError, Stat};
use crate::core::{Result, Timestamp, World};

/// Larger files are refused: agent configuration is text.
pub const MAX_FILE: u64 = 32 * 1024 * 1024;
const MAX_CACHED: usize = 48 * 1024 * 1024;
/// Coarser than any file system's clock.
const QUIET_MICROS: i128 = 2_000_000;

#[derive(Default)]
pub struct FileCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    files: HashMap<PathBuf, (Stat, Content)>,
    bytes: usize,
}

impl FileCache {
    /// Reads a regular file, from memory if nothing about it changed. The stat is of the file itself.
    pub fn read(
        &self,
        world: &dyn World,
        now: Timestamp,
        path: &Path,
    ) -> Result<std::result::Result<(Stat, Content), ReadError>> {
        let Some(stat) = world.stat(path)? else { return Ok(Err(ReadError::Missing)) };
        if stat.kind != FileKind::File {
            return Ok(Err(ReadError::NotAFile(stat.kind)));
        }
        if let Some((_, content)) = self.kept().files.get(path).filter(|(known, _)| *known == stat) {
            return Ok(Ok((stat, content.clone())));
        }
        let content = match world.read(path, MAX_FILE) {
            Ok(bytes) => Content::new(bytes),
            Err(e) => return Ok(Err(e)),
        };
        let quiet = i128::from(now.micros()) - stat.mtime.max(stat.ctime) / 1000 > QUIET_MICROS;
        if quiet && world.stat(path)?.as_ref() == Some(&stat) {
            self.keep(path, &stat, &content);
        }
        Ok(Ok((stat, content)))
    }

    fn keep(&self, path: &Path, stat: &Stat, content: &Content) {
        let mut kept = self.kept();
        if kept.bytes + content.bytes.len() > MAX_CACHED {
            *kept = Kept::default();
        }
        kept.bytes += content.bytes.len();
        if let Some((_, old)) = kept.files.insert(path.to_path_buf(), (stat.clone(), content.clone())) {
            kept.bytes -= old.bytes.len();
        }
    }

    /// A panic while holding the lock cannot leave half an entry behind.
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
