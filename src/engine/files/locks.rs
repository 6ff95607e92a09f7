//! Locks on directories that other programs share: taken while preparing, let go when the files are written.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use tokio::sync::OwnedMutexGuard;

use crate::core::{Error, Kind, Result};
use crate::engine::files::reserved::Reserved;
use crate::engine::request::ProgressSink;

const PATIENCE: Duration = Duration::from_secs(10);

/// The directories one call holds. The kernel lets them go with the last copy, also after a crash.
#[derive(Clone, Default)]
pub struct Locks(Arc<Mutex<Vec<OwnedFd>>>);

/// What keeps others away while files are written: other calls, and other programs.
pub struct WriteLocks {
    /// The turn of the family, from before it looked at the world.
    pub _turn: OwnedMutexGuard<()>,
    pub _calls: OwnedMutexGuard<()>,
    pub _programs: Locks,
    /// Who is told how far the writing is.
    pub progress: Option<ProgressSink>,
    /// What is not to be written.
    pub reserved: Arc<Reserved>,
}

impl Locks {
    pub fn take(&self, dir: &Path) -> Result<()> {
        let told = |e: Errno| Error::io(format!("Cannot lock {}: {e}.", dir.display()));
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = match rustix::fs::open(dir, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(()),
            Err(e) => return Err(told(e)),
        };
        let deadline = Instant::now() + PATIENCE;
        loop {
            match rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::WOULDBLOCK) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(Errno::WOULDBLOCK) => return Err(busy(dir)),
                // Some network file systems have no locks; comparing files before writing still holds there.
                Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(()),
                Err(e) => return Err(told(e)),
            }
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fd);
        Ok(())
    }
}

fn busy(dir: &Path) -> Error {
    Error::new(Kind::Conflict, "locked", format!("Another program keeps {} locked.", dir.display()))
        .hint("Try again when it is done. Nothing was changed.")
}
