//! `packd repair`: a new database with everything that can be read of a damaged one.
//!
//! Rows come from their pages, or else from the images in the log; indexes are computed anew. The damaged file is
//! only read, and kept as it is. What is lost is listed by its key, or by the keys it lay between. What waits in the
//! journal stays there: the next start replays it over the repaired database as it would have over the old one.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use redb::Database;

use super::pages::Pages;
use super::raw::{self, RawWrite};
use super::rebuild::Rebuild;
use super::slots::FileSlots;
use super::tables::Tables;
use super::{Catalog, backup, builder, layout, recover, upgrade};
use crate::core::{Error, Kind, Result, Row, Timestamp, row};

/// Something that is gone, or that was brought back from the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRef {
    pub table: String,
    pub key: String,
}

/// What a repair did.
#[derive(Debug, Default)]
pub struct Repaired {
    /// What was wrong; empty = nothing was, and nothing was done.
    pub damage: Vec<String>,
    pub kept: Option<PathBuf>,
    pub rows: u64,
    pub operations: u64,
    pub restored: Vec<RowRef>,
    /// Rows of pages that are not as they were written, which still make sense and have no image to compare with.
    pub doubtful: Vec<RowRef>,
    pub lost: Vec<RowRef>,
}

/// Looks at every page of a file that nobody has open: one sentence for each table that is damaged.
pub fn survey(path: &Path, catalog: &Catalog) -> Result<Vec<String>> {
    let alone = lock(path)?;
    let pages = Pages::open(path).map_err(|e| unreadable(path, &e))?;
    let mut damage = damage_of(&pages, catalog);
    // redb takes a lock of its own.
    drop(alone);
    if damage.is_empty() && !super::Store::check_file(path)? {
        damage.push("the list of free pages was wrong and has been mended".into());
    }
    if damage.is_empty() {
        let open = || builder().open(path).map_err(|e| super::open_error(path, &e));
        let stamp = upgrade::read(&super::base::patiently(open)?)?;
        let left = recover::look(&FileSlots::beside(path), stamp.id.unwrap_or_default(), stamp.version)?;
        if left.unreached > 0 {
            damage.push(format!("journal: {} of its records cannot be reached", left.unreached));
        }
    }
    Ok(damage)
}

/// A database that has forgotten which journal is its own takes the one beside it: what waits there was acknowledged.
fn adopt_journal(db: &Database, path: &Path) -> Result<()> {
    if upgrade::read(db)?.id.is_some() {
        return Ok(());
    }
    let (id, version) = recover::owner(&FileSlots::beside(path))?.unwrap_or((upgrade::new_id(), 0));
    let txn = db.begin_write().map_err(raw::storage)?;
    let tables = Tables::of(&txn);
    tables.put(layout::META, layout::JOURNAL_ID, &id)?;
    tables.put(layout::META, layout::JOURNAL, &version.to_be_bytes())?;
    drop(tables);
    txn.commit().map_err(raw::storage)
}

/// Replaces a damaged database by a new one; a sound one is left alone.
pub fn repair(path: &Path, catalog: &Catalog, now: Timestamp) -> Result<Repaired> {
    let _alone = lock(path)?;
    let pages = Pages::open(path).map_err(|e| unreadable(path, &e))?;
    let damage = damage_of(&pages, catalog);
    if damage.is_empty() && opens(path)? {
        return Ok(Repaired::default());
    }
    if pages.tables.is_empty() {
        return Err(Error::new(
            Kind::Io,
            "damaged",
            format!("Nothing can be read of {}; it was left as it is.", path.display()),
        )
        .hint("Bring a backup back with `packd restore`, or move the file away to begin anew."));
    }
    let cannot = |e: std::io::Error| Error::io(format!("Cannot write beside {}: {e}.", path.display()));
    let dir = path.parent().unwrap_or(Path::new("/"));
    let new = tempfile::Builder::new().prefix(".packd-repair-").tempfile_in(dir).map_err(cannot)?;
    let db = builder().create_file(new.reopen().map_err(cannot)?).map_err(raw::storage)?;
    let mut done = Rebuild::new(&pages, catalog, &db).run(now)?;
    adopt_journal(&db, path)?;
    drop(db);
    new.as_file().sync_all().map_err(cannot)?;
    done.kept = Some(backup::keep(path, now).map_err(cannot)?);
    new.persist(path).map_err(|e| cannot(e.error))?;
    backup::sync_dir(dir).map_err(cannot)?;
    done.damage = match damage.is_empty() {
        true => vec!["redb cannot open it".into()],
        false => damage,
    };
    Ok(done)
}

fn lock(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|e| unreadable(path, &e))?;
    hold(&file, path)?;
    Ok(file)
}

/// Takes the lock of a database that is not open as one.
pub(super) fn hold(file: &File, path: &Path) -> Result<()> {
    super::base::patiently(|| match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::new(
            Kind::State,
            "already_running",
            format!("A packd daemon has the database {} open.", path.display()),
        )
        .hint("Stop it with `packd stop` (close editors that start it again), then try again.")),
        // A file system without locks has no daemon that could hold one.
        _ => Ok(()),
    })
}

fn unreadable(path: &Path, e: &std::io::Error) -> Error {
    Error::new(Kind::Io, "damaged", format!("The database {} cannot be read: {e}.", path.display()))
        .hint("Bring a backup back with `packd restore`.")
}

/// Whether redb opens a copy of it: the pages of its own tables are not looked at here.
fn opens(path: &Path) -> Result<bool> {
    let cannot = |e: std::io::Error| Error::io(format!("Cannot copy {}: {e}.", path.display()));
    let dir = path.parent().unwrap_or(Path::new("/"));
    let copy = tempfile::Builder::new().prefix(".packd-repair-").tempfile_in(dir).map_err(cannot)?;
    std::fs::copy(path, copy.path()).map_err(cannot)?;
    Ok(super::Store::check_file(copy.path()).unwrap_or(false))
}

fn damage_of(pages: &Pages, catalog: &Catalog) -> Vec<String> {
    let mut out: Vec<String> = pages.trouble.iter().cloned().collect();
    for (name, tree) in &pages.tables {
        let mut garbled = 0u64;
        let rows = catalog.tables.iter().any(|t| t.0 == name);
        let found = pages.walk(tree, &mut |entry| {
            garbled += u64::from(rows && entry.sound && readable(entry.value).is_none());
        });
        if found.bad > 0 {
            out.push(format!("table {name}: {} of its pages cannot be trusted", found.bad));
        } else if garbled > 0 {
            out.push(format!("table {name}: {garbled} of its rows cannot be read"));
        } else if found.sound < tree.length {
            out.push(format!("table {name}: {} of its entries are missing", tree.length - found.sound));
        }
    }
    out
}

/// A row that decodes as far as this packd can tell.
pub(super) fn readable(value: &[u8]) -> Option<Row> {
    let row = layout::decode_row(value).ok()?;
    row::decode::<serde::de::IgnoredAny>(&row.value).ok()?;
    Some(row)
}

pub(super) fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(key).replace('\0', "/")
}
