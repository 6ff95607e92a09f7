//! What a database says about itself, and how one of an earlier schema becomes one of this.
//!
//! The file of schema 1 is kept whole under a dated name before anything is written into it: an older packd must
//! not open a database whose journal it cannot see, so it refuses schema 2.

use std::fs::File;
use std::path::{Path, PathBuf};

use redb::{Database, ReadableDatabase};

use super::backup::sync_dir;
use super::ground::Ground;
use super::raw::{self, Raw, RawWrite, Span};
use super::record::DatabaseId;
use super::tables::Tables;
use super::{Catalog, INDEXES, SCHEMA, faults, layout};
use crate::core::{Error, Key, Kind, Result, Timestamp};

/// In `meta`: the indexes that every row has its entries in.
const INDEXED: &[u8] = b"indexes";

/// The entries of `meta` that the store itself needs.
pub(super) struct StoreMeta {
    /// 0 = none.
    pub schema: u64,
    pub secret: Vec<u8>,
    pub id: Option<DatabaseId>,
    pub version: u64,
    indexes: u64,
}

impl StoreMeta {
    /// Rows may be missing from an index that this packd has.
    pub fn lacks_indexes(&self) -> bool {
        self.indexes < INDEXES
    }
}

pub(super) fn read(db: &Database) -> Result<StoreMeta> {
    let txn = db.begin_read().map_err(raw::storage)?;
    let ground = Ground::of(txn, Default::default(), Default::default());
    let id = ground.get(layout::META, layout::JOURNAL_ID)?;
    Ok(StoreMeta {
        schema: ground.number(layout::META, b"schema")?,
        secret: ground.get(layout::META, b"secret")?.unwrap_or_default(),
        id: id.and_then(|id| id.try_into().ok()),
        version: ground.number(layout::META, layout::JOURNAL)?,
        indexes: ground.number(layout::META, INDEXED)?,
    })
}

/// Marks a database as one of ours and of this schema; an unmarked one with anything in it is somebody else's.
pub(super) fn stamp(db: &Database) -> Result<StoreMeta> {
    let found = read(db)?;
    if found.schema == 0 {
        let txn = db.begin_read().map_err(raw::storage)?;
        if txn.list_tables().map_err(raw::storage)?.next().is_some() {
            return Err(Error::io("The file is a database of another program.")
                .hint("Move it away, or bring a backup back with `packd restore`."));
        }
    }
    let secret = if found.secret.is_empty() { super::new_secret() } else { found.secret };
    let mut stamp = StoreMeta { schema: SCHEMA, secret, id: Some(found.id.unwrap_or_else(new_id)), ..found };
    let mut txn = db.begin_write().map_err(raw::storage)?;
    txn.set_quick_repair(true);
    let tables = Tables::of(&txn);
    tables.put(layout::META, b"schema", &stamp.schema.to_be_bytes())?;
    tables.put(layout::META, b"secret", &stamp.secret)?;
    tables.put(layout::META, layout::JOURNAL_ID, &stamp.id.unwrap_or_default())?;
    if found.schema == 0 {
        super::tally::begin(&tables)?;
        super::words::begin(&tables)?;
        indexed(&tables)?;
        stamp.indexes = INDEXES;
    }
    drop(tables);
    txn.commit().map_err(raw::storage)?;
    Ok(stamp)
}

/// Says of a database that every row has its entries in every index.
pub(super) fn indexed(to: &impl RawWrite) -> Result<()> {
    to.put(layout::META, INDEXED, &INDEXES.to_be_bytes())
}

/// Gives the rows of an older packd their entries in the indexes that it did not have, all or none. This comes before
/// anything of the journal: whoever changes a row takes it out of every index it should be in.
pub(super) fn index(db: &Database, catalog: &Catalog) -> Result<()> {
    let mut txn = db.begin_write().map_err(raw::storage)?;
    txn.set_quick_repair(true);
    let tables = Tables::of(&txn);
    for table in &catalog.tables {
        let mut failed = None;
        tables.walk(table.0, &Span::prefix(&[]), &mut |key, value| {
            let Ok(row) = layout::decode_row(value) else { return true };
            let entries = catalog.entries_of(*table, &Key::from_bytes(key), &row);
            failed = entries.iter().try_for_each(|entry| super::derive::enter(&tables, entry)).err();
            failed.is_none()
        })?;
        failed.map_or(Ok(()), Err)?;
    }
    indexed(&tables)?;
    drop(tables);
    txn.commit().map_err(raw::storage)
}

pub(super) fn new_id() -> DatabaseId {
    *uuid::Uuid::new_v4().as_bytes()
}

/// Copies a database of schema 1 to `NAME.schema1-YYYYMMDD-HHMMSS`, mode 0600. Without room for that nothing changes.
pub(super) fn keep(path: &Path) -> Result<PathBuf> {
    let cannot = |e: std::io::Error| {
        let reason = faults::error_of(e.kind(), &e.to_string());
        Error {
            message: format!(
                "The database {} was written by an earlier packd and must be kept as it is before this one changes \
                 it, but it cannot be copied. {}",
                path.display(),
                reason.message
            ),
            ..reason
        }
        .hint("Free as much space as the database takes, then try again; nothing was changed.")
    };
    let source = File::open(path).map_err(cannot)?;
    super::repair::hold(&source, path)?;
    let need = source.metadata().map_err(cannot)?.len();
    let dir = path.parent().unwrap_or(Path::new("/"));
    let free = rustix::fs::statvfs(dir).map_or(u64::MAX, |s| s.f_bavail.saturating_mul(s.f_frsize));
    if free < need {
        let words = format!("{need} bytes are needed and {free} are free");
        return Err(cannot(std::io::Error::new(std::io::ErrorKind::StorageFull, words)));
    }
    // Mode 0600 from birth, and no half of a copy ever has the name.
    let mut copy = tempfile::Builder::new().prefix(".packd-schema1-").tempfile_in(dir).map_err(cannot)?;
    std::io::copy(&mut &source, copy.as_file_mut()).map_err(cannot)?;
    copy.as_file().sync_all().map_err(cannot)?;
    let mut at = Timestamp(jiff::Timestamp::now().as_microsecond());
    loop {
        let mut name = path.as_os_str().to_os_string();
        name.push(format!(".schema1-{}", at.compact()));
        let kept = PathBuf::from(name);
        copy = match copy.persist_noclobber(&kept) {
            Ok(_) => {
                sync_dir(dir).map_err(cannot)?;
                tracing::info!("The database before this version is kept as {}.", kept.display());
                return Ok(kept);
            }
            Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => {
                at = at.plus_seconds(1);
                e.file
            }
            Err(e) => return Err(cannot(e.error)),
        };
    }
}

/// The refusal of a file that only a later packd can read.
pub(super) fn future_schema(newer: u64) -> Error {
    Error::new(
        Kind::Migration,
        "future_schema",
        format!("The database has schema {newer}, but this packd knows only up to {SCHEMA}."),
    )
    .hint("Install the newer packd that wrote it; nothing was changed.")
}
