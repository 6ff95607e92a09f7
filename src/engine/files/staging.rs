//! New contents on their way to their files: written beside them and flushed, several at once, then put in place.
//!
//! A staged file that is not put in place removes itself; whatever a crash leaves is found by its name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::core::{Effect, FileImage, Result};
use crate::engine::files::reach::failed;

/// Temporary names begin so; recovery removes whatever a crash left under such a name.
pub const TEMPORARY: &str = ".packd-tmp-";

/// Flushing waits for the disk; a few at a time share one write of the file system's journal. For fewer than
/// that, starting threads takes as long as it saves.
const AT_ONCE: usize = 4;

/// A whole, flushed file under a temporary name, in the directory it is meant for.
pub(in crate::engine) struct StagedFile {
    dir: Arc<OwnedFd>,
    name: OsString,
    /// The temporary name is gone.
    used: bool,
}

/// Whether a staged file got its name.
pub(in crate::engine) enum Put {
    Done,
    /// Another file appeared there since the check.
    Taken,
}

/// What a staged file is made of.
pub(in crate::engine) struct StagedContent<'a> {
    pub dir: Arc<OwnedFd>,
    pub effect: &'a Effect,
    pub image: &'a FileImage,
    pub bytes: Vec<u8>,
}

impl StagedFile {
    pub fn write(content: &StagedContent) -> Result<StagedFile> {
        let StagedContent { dir, effect, image, bytes } = content;
        let name = OsString::from(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
        if image.is_link() {
            rustix::fs::symlinkat(OsStr::from_bytes(bytes), dir, &name)
                .map_err(|e| failed("create a link beside", effect, e))?;
            return Ok(StagedFile { dir: dir.clone(), name, used: false });
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(dir, &name, flags, Mode::from_raw_mode(0o600))
            .map_err(|e| failed("create a file beside", effect, e))?;
        // From here on the name is removed again if anything fails.
        let staged = StagedFile { dir: dir.clone(), name, used: false };
        let mut file = File::from(fd);
        file.write_all(bytes).map_err(|e| failed("write", effect, e))?;
        rustix::fs::fchmod(&file, Mode::from_raw_mode(image.mode as rustix::fs::RawMode))
            .map_err(|e| failed("set the mode of", effect, e))?;
        file.sync_all().map_err(|e| failed("flush", effect, e))?;
        Ok(staged)
    }

    /// A new file must not replace one that appeared since the check, so it is linked, not renamed, into place.
    pub fn put(mut self, name: &OsStr, effect: &Effect) -> Result<Put> {
        if effect.before.is_none() {
            match rustix::fs::linkat(&self.dir, &self.name, &self.dir, name, AtFlags::empty()) {
                Ok(()) => {
                    rustix::fs::unlinkat(&self.dir, &self.name, AtFlags::empty())
                        .map_err(|e| failed("tidy up beside", effect, e))?;
                    self.used = true;
                    return Ok(Put::Done);
                }
                Err(Errno::EXIST) => return Ok(Put::Taken),
                // This file system has no links.
                Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS | Errno::MLINK) => {}
                Err(e) => return Err(failed("put in place", effect, e)),
            }
        }
        rustix::fs::renameat(&self.dir, &self.name, &self.dir, name)
            .map_err(|e| failed("put in place", effect, e))?;
        self.used = true;
        Ok(Put::Done)
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.used {
            let _ = rustix::fs::unlinkat(&self.dir, &self.name, AtFlags::empty());
        }
    }
}

/// Runs `work` on every item, a few at once; results in the order of the items.
pub(in crate::engine) fn side_by_side<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if items.len() < AT_ONCE {
        return items.into_iter().map(work).collect();
    }
    let threads = items.len().min(AT_ONCE);
    let waiting = Mutex::new(items.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    let lane = || {
        loop {
            // A poisoned lock means that `work` panicked on another thread, which the scope passes on.
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((at, item)) = next else { return };
            let result = work(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without a further thread the others do its share.
            let _ = std::thread::Builder::new().name("packd-files".into()).spawn_scoped(scope, lane);
        }
        lane();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
