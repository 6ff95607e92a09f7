//! Copies of the database: made while it is in use, examined before they are trusted, put in its place.

use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{DatabaseError, ReadableDatabase};

use super::ground::Ground;
use super::raw::{Raw, RawWrite, Span, storage};
use super::tables::Tables;
use super::{Catalog, SCHEMA, Shot, Sizes, Snapshot, Store, builder, layout, open_error, slots, upgrade};
use crate::core::{Error, Kind, Result, Timestamp};

/// What a copy holds.
#[derive(Debug, Clone, Copy)]
pub struct Copied {
    pub bytes: u64,
    pub entries: u64,
}

impl Snapshot {
    /// Writes everything this snapshot sees into a new database file that only its owner can read.
    pub fn copy_to(&self, file: &Path, replace: bool) -> Result<Copied> {
        let exists = || {
            Error::new(Kind::State, "file_exists", format!("{} exists already.", file.display()))
                .hint("Choose another name, or use --force to replace it.")
        };
        if !replace && file.symlink_metadata().is_ok() {
            return Err(exists());
        }
        let dir = file.parent().unwrap_or(Path::new("/"));
        let cannot = |e: std::io::Error| {
            Error::io(format!("Cannot write the backup {}: {e}.", file.display()))
                .hint("Check that its directory exists and has free space.")
        };
        // Beside the file it becomes, so that a half-written copy never has its name; mode 0600 from birth.
        let temporary = tempfile::Builder::new().prefix(".packd-backup-").tempfile_in(dir).map_err(cannot)?;
        let entries = self.copy_tables(temporary.reopen().map_err(cannot)?)?;
        temporary.as_file().sync_all().map_err(cannot)?;
        let bytes = temporary.as_file().metadata().map_err(cannot)?.len();
        match replace {
            true => temporary.persist(file).map_err(|e| cannot(e.error))?,
            false => temporary.persist_noclobber(file).map_err(|e| match e.error.kind() {
                std::io::ErrorKind::AlreadyExists => exists(),
                _ => cannot(e.error),
            })?,
        };
        sync_dir(dir).map_err(cannot)?;
        Ok(Copied { bytes, entries })
    }

    fn copy_tables(&self, file: std::fs::File) -> Result<u64> {
        let target = builder().create_file(file).map_err(storage)?;
        let mut entries = 0;
        for name in self.shot.table_names()? {
            let txn = target.begin_write().map_err(storage)?;
            let to = Tables::of(&txn);
            let mut failed = None;
            self.shot.walk(&name, &Span::prefix(&[]), &mut |key, value| {
                entries += 1;
                failed = to.put(&name, key, value).err();
                failed.is_none()
            })?;
            if let Some(e) = failed {
                return Err(e);
            }
            // The slots beside the original are not those of the copy.
            if name == layout::META {
                to.put(&name, layout::JOURNAL_ID, &upgrade::new_id())?;
            }
            drop(to);
            txn.commit().map_err(storage)?;
        }
        Ok(entries)
    }
}

impl Store {
    /// Reads a whole file and says what is in it; an error if it is damaged, foreign or from a newer packd.
    ///
    /// May repair the file while looking, so it is given a copy, never somebody's only backup.
    pub fn examine(path: &Path, catalog: Catalog) -> Result<Sizes> {
        // The database library may panic over bytes that only look like a database.
        let looked = catch_unwind(AssertUnwindSafe(|| look(path, catalog)));
        looked.unwrap_or_else(|_| Err(damaged("it cannot be read")))
    }
}

fn look(path: &Path, catalog: Catalog) -> Result<Sizes> {
    let mut db = builder().open(path).map_err(|e| damaged(&e.to_string()))?;
    if !db.check_integrity().map_err(|e| damaged(&e.to_string()))? {
        return Err(damaged("its structure is broken"));
    }
    match upgrade::read(&db)?.schema {
        0 => return Err(damaged("it is a database of another program")),
        n if n > SCHEMA => return Err(super::future_schema(n)),
        _ => {}
    }
    let txn = db.begin_read().map_err(storage)?;
    let shot = Shot::alone(Ground::of(txn, Arc::default(), Arc::default()));
    let snapshot = Snapshot { shot, catalog: catalog.into() };
    if let Some(first) = snapshot.damaged_rows()?.first() {
        return Err(damaged(&format!("{}/{}: {}", first.table, first.key, first.why)));
    }
    snapshot.sizes()
}

fn damaged(why: &str) -> Error {
    Error::new(Kind::Io, "damaged_backup", format!("The file is not a usable backup: {why}."))
        .hint("Nothing was changed. Try another backup.")
}

/// Puts `new` in the place of `database` and keeps what was there under its name and the time, which is returned.
///
/// Holds the lock of the old database meanwhile, and there is no moment without a file under its name: a daemon
/// that starts now opens either of the two, never an empty third. No kept file ever replaces another. What waits in
/// the journal of the old database is carried into it first, so that what is kept is complete.
pub fn replace(database: &Path, new: &Path, catalog: Catalog, now: Timestamp) -> Result<Option<PathBuf>> {
    let beside = slots::FileSlots::beside(database);
    if database.exists() && beside.any() {
        match Store::open(database, catalog) {
            Ok(store) => store.live.settle(),
            Err(e) if e.code == "already_running" => return Err(e),
            // Nobody can tell what the journal of a damaged database means; it is kept beside it.
            Err(_) => {}
        }
    }
    let cannot = |e: std::io::Error| Error::io(format!("Cannot replace {}: {e}.", database.display()));
    // One that cannot be opened can be open nowhere else: it needs no lock.
    let held = match database.exists().then(|| builder().open(database)) {
        Some(Err(e @ DatabaseError::DatabaseAlreadyOpen)) => return Err(open_error(database, &e)),
        Some(Ok(db)) => Some(db),
        Some(Err(_)) | None => None,
    };
    let kept = database.exists().then(|| keep(database, now)).transpose().map_err(cannot)?;
    beside.set_all_aside("foreign").map_err(cannot)?;
    std::fs::rename(new, database).map_err(cannot)?;
    sync_dir(database.parent().unwrap_or(Path::new("/"))).map_err(cannot)?;
    drop(held);
    Ok(kept)
}

/// Gives a file a second name, `NAME.YYYYMMDD-HHMMSS`; a name that is taken means the next second's.
pub(super) fn keep(database: &Path, now: Timestamp) -> std::io::Result<PathBuf> {
    std::fs::set_permissions(database, std::fs::Permissions::from_mode(0o600))?;
    let mut at = now;
    loop {
        let mut name = database.as_os_str().to_os_string();
        name.push(format!(".{}", at.compact()));
        let kept = PathBuf::from(name);
        match std::fs::hard_link(database, &kept) {
            Ok(()) => return Ok(kept),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => at = at.plus_seconds(1),
            Err(e) => return Err(e),
        }
    }
}

pub(super) fn sync_dir(dir: &Path) -> std::io::Result<()> {
    std::fs::File::open(dir)?.sync_all()
}
