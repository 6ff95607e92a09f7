//! What the disk said when it failed: a storage backend that passes everything on and remembers failures.
//!
//! redb refuses everything after one failed call and no longer knows why; and a failed sync leaves pages of which
//! nobody can say whether they are on the disk. Both are known here, so that a store can be opened again in place.

use std::io;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{BackendError, StorageBackend};

use crate::core::{Error, Kind};

/// What is known of the last failure, and what the disk has not confirmed yet.
#[derive(Debug, Default)]
pub(super) struct DiskTrouble {
    /// Offset and length of every write since the last sync that succeeded.
    unsynced: Mutex<Vec<(u64, usize)>>,
    /// Its kind and its words; a full disk is told apart from a broken one by the kind.
    last: Mutex<Option<(io::ErrorKind, String)>>,
    sync_failed: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Only whole values are put under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DiskTrouble {
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(e) = &result {
            *locked(&self.last) = Some((e.kind(), e.to_string()));
        }
        result
    }

    /// The first cause of what redb reports, in the store's words.
    pub fn take(&self) -> Option<Error> {
        let (kind, words) = locked(&self.last).take()?;
        Some(error_of(kind, &words))
    }

    /// Writes again what was written before a sync that failed: the system may have dropped those pages from its
    /// list of what is to be written, so a later sync alone proves nothing about them.
    pub fn write_again(&self, backend: &dyn StorageBackend) -> io::Result<()> {
        if !self.sync_failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut unsynced = locked(&self.unsynced);
        let end = backend.len()?;
        for (offset, length) in unsynced.iter().filter(|(offset, length)| offset + *length as u64 <= end) {
            let mut bytes = vec![0; *length];
            backend.read(*offset, &mut bytes)?;
            backend.write(*offset, &bytes)?;
        }
        backend.sync_data()?;
        unsynced.clear();
        self.sync_failed.store(false, Ordering::Release);
        Ok(())
    }
}

/// A failure of the disk as an error of one call.
pub(super) fn error_of(kind: io::ErrorKind, words: &str) -> Error {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match kind {
        StorageFull | QuotaExceeded | FileTooLarge => Error::new(
            Kind::Io,
            "no_space",
            format!("There is no room on the disk of packd's database ({words})."),
        )
        .hint("Free some space and try again; packd goes on by itself."),
        ReadOnlyFilesystem => Error::io(format!("The disk of packd's database is read-only ({words})."))
            .hint("Make it writable again and try again; packd goes on by itself."),
        _ => Error::io(format!("The database could not be read or written: {words}."))
            .hint("Check the disk, then run `packd doctor`."),
    }
}

/// Any backend, with its failures noted.
#[derive(Debug)]
pub(super) struct Noted {
    pub inner: Arc<dyn StorageBackend>,
    pub trouble: Arc<DiskTrouble>,
}

impl StorageBackend for Noted {
    fn len(&self) -> io::Result<u64> {
        self.trouble.note(self.inner.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.trouble.note(self.inner.read(offset, out))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.trouble.note(self.inner.set_len(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        let synced = self.trouble.note(self.inner.sync_data());
        match &synced {
            // After a failure only writing again helps, whatever later syncs say.
            Ok(()) if self.trouble.sync_failed.load(Ordering::Acquire) => {}
            Ok(()) => locked(&self.trouble.unsynced).clear(),
            Err(_) => self.trouble.sync_failed.store(true, Ordering::Release),
        }
        synced
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        locked(&self.trouble.unsynced).push((offset, data.len()));
        self.trouble.note(self.inner.write(offset, data))
    }

    fn close(&self) -> io::Result<()> {
        self.inner.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.query_lock_range(start, end)
    }
}
