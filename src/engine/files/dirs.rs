//! The directories that effects work in: open one after the other, flushed together at the end.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::core::{Effect, Result};
use crate::engine::files::reach::{failed_at, open_parent};
use crate::engine::files::staging::side_by_side;

/// The directory used last, kept open, and all that still have to be flushed.
///
/// Few descriptors are held, so that the number of directories does not matter.
#[derive(Default)]
pub(super) struct UnflushedDirs {
    last: Option<(PathBuf, Arc<OwnedFd>)>,
    /// With whether it is a root, which alone may be reached by a link.
    unflushed: BTreeSet<(PathBuf, bool)>,
}

impl UnflushedDirs {
    pub fn open(&mut self, effect: &Effect, create: bool) -> Result<Option<(Arc<OwnedFd>, OsString)>> {
        let path = effect.full_path();
        let parent = path.parent().unwrap_or(&path);
        let known = self.last.take().filter(|(dir, fd)| dir == parent && fd_is_current(fd));
        let last = match known {
            Some(known) => known,
            None => match open_parent(effect, create)? {
                Some((fd, _)) => (parent.to_path_buf(), Arc::new(fd)),
                None => return Ok(None),
            },
        };
        let fd = last.1.clone();
        self.last = Some(last);
        Ok(Some((fd, path.file_name().map(OsStr::to_os_string).unwrap_or_default())))
    }

    pub fn flush(&mut self) -> Result<()> {
        self.last = None;
        let dirs = std::mem::take(&mut self.unflushed).into_iter().collect();
        side_by_side(dirs, |(dir, is_root): (PathBuf, bool)| {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let flags = if is_root { flags } else { flags | OFlags::NOFOLLOW };
            match rustix::fs::open(&dir, flags, Mode::empty()) {
                Ok(fd) => rustix::fs::fsync(&fd).map_err(|e| failed_at("flush the directory", &dir, e)),
                // Removed again because it became empty, and perhaps a file or a link by now; its parent is in the list
                // as well.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(()),
                Err(e) => Err(failed_at("flush the directory", &dir, e)),
            }
        })
        .into_iter()
        .collect()
    }

    /// Remembers that the names in an effect's directory, and in those above it, may be new.
    pub fn touched(&mut self, effect: &Effect) {
        for dir in effect.full_path().ancestors().skip(1) {
            let is_root = dir == effect.root;
            if !dir.starts_with(&effect.root) || !self.unflushed.insert((dir.to_path_buf(), is_root)) {
                return;
            }
        }
    }
}

/// A directory that was removed while it was open no longer has a name.
fn fd_is_current(fd: &OwnedFd) -> bool {
    rustix::fs::fstat(fd).is_ok_and(|stat| stat.st_nlink > 0)
}
