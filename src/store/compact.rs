//! Gives space back: the database is copied through a snapshot into a new file, which then takes its place.
//!
//! redb's own compaction wants the database to itself, readers included, for as long as it takes. A copy disturbs
//! nobody: it takes the place of the file only if nothing was written meanwhile, and is made anew otherwise. Both
//! files are locked while they change places, and readers go on with the old one until they are done.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use redb::{Database, ReadableTableMetadata, TableHandle};
use tempfile::NamedTempFile;

use super::base::Base;
use super::raw::{definition, sound, storage};
use super::{Snapshot, Store, Writer, backup, faults};
use crate::core::{Error, Result};

/// Copies that are made in the hope that nobody writes meanwhile.
const TRIES: usize = 3;
/// Below this size nobody misses what is free.
const SMALL: u64 = 4 * 1024 * 1024;
/// How often it is looked whether the last reader of a replaced file is gone.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How the name of a copy begins, as long as it has not taken its place.
const COPY: &str = ".packd-compact-";

/// Sizes of the file, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Compacted {
    pub before: u64,
    pub after: u64,
}

/// Something to be done between two transactions, told how many commits there were.
pub(super) type Wish = Box<dyn FnOnce(&Base, u64) + Send>;

impl Store {
    /// Whether more than half of the file is free. Reads every page, so it is for a thread that nobody waits for.
    pub fn is_mostly_free(&self) -> Result<bool> {
        let size = self.path().and_then(|path| std::fs::metadata(path).ok()).map_or(0, |meta| meta.len());
        Ok(size > SMALL && self.read()?.bytes_in_use()? < size / 2)
    }

    /// Copies the database and puts the copy in its place; `None` where there is no file, or where something was
    /// written during each attempt. With `wait` the last attempt is made while writers wait; readers never do.
    pub fn compact(&self, writer: &Writer, wait: bool) -> Result<Option<Compacted>> {
        let Some(path) = self.path() else { return Ok(None) };
        for _ in 0..TRIES {
            let seen = writer.stats.commits.load(Ordering::SeqCst);
            let copy = self.read()?.copy_beside(path)?;
            let take = move |base: &Base, commits: u64| match commits == seen {
                true => base.replace_by(copy).map(Some),
                false => Ok(None),
            };
            if let Some(done) = self.between(writer, take)? {
                return Ok(Some(done));
            }
        }
        if !wait {
            return Ok(None);
        }
        let (path, catalog) = (path.to_path_buf(), self.catalog.clone());
        self.between(writer, move |base, _| {
            let copy = Snapshot { shot: base.shot()?, catalog }.copy_beside(&path)?;
            base.replace_by(copy).map(Some)
        })
    }

    /// Has something done between two transactions of the writer.
    fn between<T: Send + 'static>(
        &self,
        writer: &Writer,
        what: impl FnOnce(&Base, u64) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tell, told) = sync_channel(1);
        self.base.wish(Box::new(move |base, commits| {
            let _ = tell.send(what(base, commits));
        }));
        // An empty job makes the writer begin.
        writer.submit(Box::new(|_| Box::new(|_| {})))?;
        answer(&told)
    }
}

fn answer<T>(told: &Receiver<Result<T>>) -> Result<T> {
    told.recv().unwrap_or_else(|_| Err(Error::internal("The writer ended before it could compact.")))
}

impl Snapshot {
    fn copy_beside(&self, path: &Path) -> Result<NamedTempFile> {
        let cannot = |e: std::io::Error| {
            let why = faults::error_of(e.kind(), &e.to_string());
            Error { message: format!("The database cannot be copied. {}", why.message), ..why }
        };
        let dir = path.parent().unwrap_or(Path::new("/"));
        // Mode 0600 from birth.
        let copy = tempfile::Builder::new().prefix(COPY).tempfile_in(dir).map_err(cannot)?;
        self.copy_tables(copy.reopen().map_err(cannot)?)?;
        copy.as_file().sync_all().map_err(cannot)?;
        Ok(copy)
    }

    /// Pages of every table, full or not.
    fn bytes_in_use(&self) -> Result<u64> {
        let mut sum = 0;
        for table in self.shot.txn.list_tables().map_err(storage)? {
            let stats = sound(table.name(), || {
                self.shot.txn.open_table(definition(table.name())).map_err(storage)?.stats().map_err(storage)
            })?;
            sum += stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes();
        }
        Ok(sum)
    }
}

/// Keeps a replaced database open until its last reader is gone; its file has no name any more.
pub(super) fn retire(old: Arc<Database>, readers: Arc<()>) {
    let wait = move || {
        while Arc::strong_count(&readers) > 1 {
            std::thread::sleep(LOOK_EVERY);
        }
        drop(old);
    };
    // Without a thread it is closed at once, and its readers are told to try again.
    let _ = std::thread::Builder::new().name("packd-retire".into()).spawn(wait);
}

/// Removes copies that a killed daemon left behind. Whoever has the database open is the only one who makes them.
pub(super) fn clear(path: &Path) {
    let entries = path.parent().and_then(|dir| std::fs::read_dir(dir).ok());
    for entry in entries.into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(COPY) {
            // What cannot be removed only takes space.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

pub(super) fn sizes(path: &Path, copy: &NamedTempFile) -> Compacted {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    Compacted { before: size(path), after: size(copy.path()) }
}

pub(super) fn rename(copy: NamedTempFile, path: &Path) -> Result<()> {
    let cannot = |e: std::io::Error| Error::io(format!("Cannot replace {}: {e}.", path.display()));
    copy.persist(path).map_err(|e| cannot(e.error))?;
    backup::sync_dir(path.parent().unwrap_or(Path::new("/"))).map_err(cannot)
}
