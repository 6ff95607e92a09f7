//! Where the journal lies: three slots that are found, made, removed and set aside.
//!
//! Knows files and their identity, not what stands in them. Behind the trait, tests put disks that fail.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use redb::StorageBackend;
use redb::backends::{FileBackend, InMemoryBackend};

use super::backup::sync_dir;
use crate::core::Timestamp;

/// One generation is being written, one is on its way into the database, and one is free for a new beginning.
pub const SLOTS: usize = 3;

/// The bytes of one slot. `sync_data` is the moment at which what was written counts.
pub type Slot = Arc<dyn StorageBackend>;

pub trait Slots: Send + Sync {
    /// The slot of this number, if there is one.
    fn find(&self, number: usize) -> io::Result<Option<Slot>>;
    /// An empty slot whose name survives a power loss.
    fn make(&self, number: usize) -> io::Result<Slot>;
    /// Removes a slot whose records are all in the database.
    fn remove(&self, number: usize) -> io::Result<()>;
    /// Keeps a slot under a name that nobody looks for; says which.
    fn set_aside(&self, number: usize, why: &str) -> io::Result<String>;
    /// False if somebody removed or replaced the slot since it was found or made.
    fn is_same(&self, number: usize) -> bool;
}

/// Files beside the database, mode 0600.
pub(super) struct FileSlots {
    database: PathBuf,
    /// Device and inode of what was found or made.
    seen: Mutex<[Option<(u64, u64)>; SLOTS]>,
}

impl FileSlots {
    pub fn beside(database: &Path) -> FileSlots {
        FileSlots { database: database.to_path_buf(), seen: Mutex::default() }
    }

    /// `journal.0` beside `packd.redb`; beside a database of another name, that name stands before it.
    pub fn path(&self, number: usize) -> PathBuf {
        let name = self.database.file_name().unwrap_or_default();
        let mut slot = std::ffi::OsString::new();
        if name != "packd.redb" {
            slot.push(name);
            slot.push(".");
        }
        slot.push(format!("journal.{number}"));
        self.database.with_file_name(slot)
    }

    /// Whether there is anything beside the database.
    pub fn any(&self) -> bool {
        (0..SLOTS).any(|number| self.path(number).symlink_metadata().is_ok())
    }

    pub fn set_all_aside(&self, why: &str) -> io::Result<()> {
        let there = (0..SLOTS).filter(|number| self.path(*number).symlink_metadata().is_ok());
        there.into_iter().try_for_each(|number| self.set_aside(number, why).map(drop))
    }

    fn dir(&self) -> &Path {
        self.database.parent().unwrap_or(Path::new("/"))
    }

    fn remember(&self, number: usize, identity: Option<(u64, u64)>) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)[number] = identity;
    }

    fn opened(&self, number: usize, file: File) -> io::Result<Slot> {
        let meta = file.metadata()?;
        self.remember(number, Some((meta.dev(), meta.ino())));
        Ok(Arc::new(FileBackend::new(file).map_err(|e| io::Error::other(e.to_string()))?))
    }
}

impl Slots for FileSlots {
    fn find(&self, number: usize) -> io::Result<Option<Slot>> {
        let path = self.path(number);
        // Neither a directory nor a pipe under that name is a slot, and a link leads who knows where.
        let mut how = OpenOptions::new();
        how.read(true).write(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
        match how.open(&path) {
            Ok(file) if file.metadata()?.is_file() => self.opened(number, file).map(Some),
            Ok(_) => Err(io::Error::other(format!("{} is not a file", path.display()))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(io::Error::new(e.kind(), format!("{}: {e}", path.display()))),
        }
    }

    fn make(&self, number: usize) -> io::Result<Slot> {
        let mut how = OpenOptions::new();
        let file = how.read(true).write(true).create_new(true).mode(0o600).open(self.path(number))?;
        sync_dir(self.dir())?;
        self.opened(number, file)
    }

    fn remove(&self, number: usize) -> io::Result<()> {
        self.remember(number, None);
        match std::fs::remove_file(self.path(number)) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    fn set_aside(&self, number: usize, why: &str) -> io::Result<String> {
        self.remember(number, None);
        let path = self.path(number);
        let mut at = Timestamp(jiff::Timestamp::now().as_microsecond());
        loop {
            let mut name = path.as_os_str().to_os_string();
            name.push(format!(".{why}-{}", at.compact()));
            let kept = PathBuf::from(name);
            match std::fs::hard_link(&path, &kept) {
                Ok(()) => {
                    std::fs::remove_file(&path)?;
                    sync_dir(self.dir())?;
                    return Ok(kept.display().to_string());
                }
                Err(e) if e.kind() == ErrorKind::AlreadyExists => at = at.plus_seconds(1),
                Err(e) => return Err(e),
            }
        }
    }

    fn is_same(&self, number: usize) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner)[number];
        seen.is_none_or(|seen| std::fs::metadata(self.path(number)).is_ok_and(|m| (m.dev(), m.ino()) == seen))
    }
}

/// Slots that end with the process, for stores that do.
#[derive(Default)]
pub(super) struct MemorySlots(Mutex<[Option<Slot>; SLOTS]>);

impl MemorySlots {
    fn at<T>(&self, look: impl FnOnce(&mut [Option<Slot>; SLOTS]) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Slots for MemorySlots {
    fn find(&self, number: usize) -> io::Result<Option<Slot>> {
        Ok(self.at(|slots| slots[number].clone()))
    }

    fn make(&self, number: usize) -> io::Result<Slot> {
        let slot: Slot = Arc::new(InMemoryBackend::new());
        self.at(|slots| slots[number] = Some(Arc::clone(&slot)));
        Ok(slot)
    }

    fn remove(&self, number: usize) -> io::Result<()> {
        self.at(|slots| slots[number] = None);
        Ok(())
    }

    fn set_aside(&self, number: usize, why: &str) -> io::Result<String> {
        self.remove(number)?;
        Ok(format!("memory.{why}"))
    }

    fn is_same(&self, _: usize) -> bool {
        true
    }
}
