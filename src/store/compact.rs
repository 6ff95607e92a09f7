//! Gives space back: the database is copied into a new file, which then takes its place.
//!
//! redb's own compaction wants the database to itself, readers included, for as long as it takes. A copy of what the
//! last checkpoint left disturbs nobody: writers go on in the journal, which follows on the copy as it did on the
//! original, and readers go on with the old file until they are done. Only checkpoints wait, so a writer waits where
//! there is no room left above the database.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redb::Database;
use tempfile::NamedTempFile;

use super::ground::Ground;
use super::live::Live;
use super::raw::{Raw, RawWrite, Span, storage};
use super::tables::Tables;
use super::{Store, backup, builder, faults};
use crate::core::{Error, Result};

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

impl Store {
    /// Whether more than half of the file is free. Reads every page, so it is for a thread that nobody waits for.
    pub fn is_mostly_free(&self) -> Result<bool> {
        // What was dropped is free once the database knows of it.
        self.live.checkpoint_now()?;
        let size = self.path().and_then(|path| std::fs::metadata(path).ok()).map_or(0, |meta| meta.len());
        Ok(size > SMALL && self.live.base.ground()?.bytes_in_use()? < size / 2)
    }

    /// Copies the database and puts the copy in its place; `None` where there is no file.
    pub fn compact(&self) -> Result<Option<Compacted>> {
        self.live.compact()
    }
}

impl Live {
    fn compact(&self) -> Result<Option<Compacted>> {
        let Some(path) = self.base.path() else { return Ok(None) };
        // What waits above the database comes first, or it would be carried into pages that have just been packed.
        self.checkpoint_now()?;
        let _alone = self.alone();
        let copy = copy_beside(&self.base.ground()?, path)?;
        let done = self.base.replace_by(copy)?;
        self.layers_mut().ground = Ok(Arc::new(self.base.ground()?));
        Ok(Some(done))
    }
}

/// Everything as it is, the place in the journal included.
fn copy_beside(ground: &Ground, path: &Path) -> Result<NamedTempFile> {
    let cannot = |e: std::io::Error| {
        let why = faults::error_of(e.kind(), &e.to_string());
        Error { message: format!("The database cannot be copied. {}", why.message), ..why }
    };
    let dir = path.parent().unwrap_or(Path::new("/"));
    // Mode 0600 from birth.
    let copy = tempfile::Builder::new().prefix(COPY).tempfile_in(dir).map_err(cannot)?;
    let target = builder().create_file(copy.reopen().map_err(cannot)?).map_err(storage)?;
    for name in ground.table_names()? {
        let mut txn = target.begin_write().map_err(storage)?;
        txn.set_quick_repair(true);
        let to = Tables::of(&txn);
        let mut failed = None;
        ground.walk(&name, &Span::prefix(&[]), &mut |key, value| {
            failed = to.put(&name, key, value).err();
            failed.is_none()
        })?;
        if let Some(e) = failed {
            return Err(e);
        }
        drop(to);
        txn.commit().map_err(storage)?;
    }
    drop(target);
    copy.as_file().sync_all().map_err(cannot)?;
    Ok(copy)
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
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if [COPY, super::rewrite::COPY].iter().any(|begin| name.starts_with(begin)) {
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
