//! File contents remembered between calls, by everything the system tells about an untouched file.
//!
//! A file changed within the clock's grain of being read could keep its stamp, so content is only
//! remembered once the file has been quiet for a while: a remembered answer is never an old one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::tree::HashedContent;
use crate::core::world::{FileKind, ReadError, Stat};
use crate::core::{Result, Timestamp, World};

/// Larger files are refused: agent configuration is text.
pub const MAX_FILE: u64 = 32 * 1024 * 1024;
const MAX_CACHED: usize = 48 * 1024 * 1024;

#[derive(Default)]
pub struct FileMemory(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// By the bytes of the path: comparing paths part by part is slow.
    files: HashMap<OsString, Remembered>,
    bytes: usize,
}

#[derive(Clone)]
struct Remembered {
    /// What an untouched file still has; `None` = the file was too new to tell.
    stat: Option<Stat>,
    content: HashedContent,
}

impl FileMemory {
    /// Reads a regular file, from memory if nothing about it changed. The stat is of the file itself; a caller
    /// that has just taken it passes it on.
    pub fn read(
        &self,
        world: &dyn World,
        now: Timestamp,
        path: &Path,
        just_seen: Option<Stat>,
    ) -> Result<std::result::Result<(Stat, HashedContent), ReadError>> {
        let known = self.kept().files.get(path.as_os_str()).cloned();
        if let Some(Remembered { stat: Some(stat), content }) = &known {
            let present = match just_seen {
                Some(stat) => Some(stat),
                None => world.stat(path)?,
            };
            match present {
                None => return Ok(Err(ReadError::Missing)),
                Some(present) if present == *stat => return Ok(Ok((present, content.clone()))),
                Some(present) if present.kind != FileKind::File => {
                    return Ok(Err(ReadError::NotAFile(present.kind)));
                }
                Some(_) => {}
            }
        }
        let (stat, mut content) = match world.load(path, MAX_FILE) {
            Ok((stat, bytes)) => (stat, HashedContent::new(bytes)),
            Err(e) => return Ok(Err(e)),
        };
        // Touched but not changed: what was made of the content still holds.
        if let Some(same) = known.map(|k| k.content).filter(|known| known.sha == content.sha) {
            content = same;
        }
        // A change since the stat gives the file another one, so what is kept under this one is never wrong.
        let trusted = stat.settled(now).then(|| stat.clone());
        self.keep(path, Remembered { stat: trusted, content: content.clone() });
        Ok(Ok((stat, content)))
    }

    /// Whether a stat could tell that a file is untouched.
    pub fn trusts(&self, path: &Path) -> bool {
        self.kept().files.get(path.as_os_str()).is_some_and(|known| known.stat.is_some())
    }

    fn keep(&self, path: &Path, new: Remembered) {
        let mut kept = self.kept();
        if kept.bytes + new.content.bytes.len() > MAX_CACHED {
            *kept = Kept::default();
        }
        kept.bytes += new.content.bytes.len();
        let old = match kept.files.get_mut(path.as_os_str()) {
            Some(entry) => Some(std::mem::replace(entry, new)),
            None => kept.files.insert(path.as_os_str().to_os_string(), new),
        };
        kept.bytes -= old.map_or(0, |old| old.content.bytes.len());
    }

    /// A panic while holding the lock cannot leave half an entry behind.
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
