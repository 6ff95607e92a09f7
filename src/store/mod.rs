//! The one database: the only module that names redb.
//!
//! Readers take MVCC snapshots and never wait; one writer thread runs every changing call and commits many
//! of them together. What a row means is not known here: families bring tables and index functions.

mod apply;
mod backup;
mod base;
mod blobs;
mod check;
mod derive;
mod faults;
mod found;
mod gc;
mod layout;
mod numbers;
mod older;
mod pages;
mod raw;
mod reader;
mod rebuild;
mod repair;
mod tables;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{Builder, Database, StorageBackend};

use crate::core::{Error, IndexEntry, Indexer, Key, Kind, Result, Row, Table, TableShape};
use base::{Base, Source, open_error};

pub use apply::{Batch, NewOp};
pub use backup::{Copied, replace};
pub use check::{Damage, Sizes};
pub use gc::{Collected, Retention};
pub use raw::{INTERRUPTED, Shot};
pub use reader::Reader;
pub use repair::{Item, Repaired, repair, survey};
pub use writer::{Job, Settled, Writer, WriterStats};

/// Rises when an older packd could no longer read the file.
pub const SCHEMA: u64 = 1;
const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// What the families keep: their tables, and the indexes computed from them.
#[derive(Default)]
pub struct Catalog {
    pub tables: Vec<Table>,
    pub indexers: Vec<Indexer>,
    /// What the rows of a table are to its history; a table without has plain fields.
    pub shapes: Vec<TableShape>,
}

impl Catalog {
    pub fn table(&self, name: &str) -> Result<Table> {
        self.tables.iter().copied().find(|t| t.0 == name).ok_or_else(|| {
            Error::internal(format!("The table {name} is not known to this version of packd."))
        })
    }

    pub fn shape(&self, table: Table) -> TableShape {
        let declared = self.shapes.iter().copied().find(|shape| shape.table == table);
        declared.unwrap_or_else(|| TableShape::plain(table))
    }

    /// The same by name; what this packd does not know is plain.
    fn shape_named(&self, name: &str) -> TableShape {
        self.shape(self.table(name).unwrap_or(Table("")))
    }

    fn entries_of(&self, table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
        self.indexers.iter().flat_map(|indexer| indexer(table, key, row)).collect()
    }
}

pub struct Store {
    base: Arc<Base>,
    catalog: Arc<Catalog>,
    path: Option<PathBuf>,
}

/// A consistent picture of the store; cheap to take, must not be kept over an await.
pub struct Snapshot {
    shot: Shot,
    catalog: Arc<Catalog>,
}

impl Snapshot {
    pub fn view(&self) -> Reader<'_, Shot> {
        Reader { raw: &self.shot, catalog: &self.catalog }
    }
}

impl Store {
    /// Opens or creates the file. Its lock decides who runs: a second opener gets code `already_running`.
    pub fn open(path: &Path, catalog: Catalog) -> Result<Store> {
        if path.symlink_metadata().is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound) {
            create(path)?;
        }
        Store::start(Source::File(path.to_path_buf()), catalog, Some(path.to_path_buf()))
    }

    /// Any storage backend: memory in tests. It is the only one, so a failure of it ends the store.
    pub fn with_backend(backend: impl StorageBackend, catalog: Catalog) -> Result<Store> {
        let backend: Arc<dyn StorageBackend> = Arc::new(backend);
        Store::start(Source::Once(std::sync::Mutex::new(Some(backend))), catalog, None)
    }

    /// A backend that can be had again, as a file can be opened again after a failure.
    pub fn with_backends<B: StorageBackend>(
        make: impl Fn() -> B + Send + Sync + 'static,
        catalog: Catalog,
    ) -> Result<Store> {
        Store::start(Source::Again(Box::new(move || Arc::new(make()))), catalog, None)
    }

    pub fn in_memory(catalog: Catalog) -> Result<Store> {
        Store::with_backend(redb::backends::InMemoryBackend::new(), catalog)
    }

    fn start(source: Source, catalog: Catalog, path: Option<PathBuf>) -> Result<Store> {
        let store = Store { base: Arc::new(Base::open(source)?), catalog: Arc::new(catalog), path };
        if !store.base.is_stamped() {
            let secret = stamp(&*store.base.current()?)?;
            store.base.keep_secret(secret);
        }
        Ok(store)
    }

    pub fn read(&self) -> Result<Snapshot> {
        let shot = Shot { txn: self.base.read()?, suspect: self.base.suspicion() };
        Ok(Snapshot { shot, catalog: self.catalog.clone() })
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Random bytes made once with the file: what this store signs is known to come from it.
    pub fn secret(&self) -> Vec<u8> {
        self.base.secret()
    }

    /// True when the next write will open the database anew: after a failure, or because it was replaced.
    pub fn must_reopen(&self) -> bool {
        self.base.glance().is_err() || self.base.is_suspect()
    }

    /// True if the file was not closed in an orderly way the last time.
    pub fn was_unclean(&self) -> bool {
        self.base.was_unclean()
    }
}

/// Makes a new database beside its name and gives it the name once it is whole: a failure leaves nothing behind,
/// and an empty file under that name is never one of ours.
fn create(path: &Path) -> Result<()> {
    let named = |e: Error| Error {
        message: format!("The database {} cannot be made. {}", path.display(), e.message),
        ..e
    };
    let cannot = |e: std::io::Error| named(faults::error_of(e.kind(), &e.to_string()));
    let dir = path.parent().unwrap_or(Path::new("/"));
    // Mode 0600 from birth.
    let temporary = tempfile::Builder::new().prefix(".packd-new-").tempfile_in(dir).map_err(cannot)?;
    let db =
        builder().create_file(temporary.reopen().map_err(cannot)?).map_err(|e| named(raw::storage(e)))?;
    stamp(&db).map_err(named)?;
    drop(db);
    temporary.as_file().sync_all().map_err(cannot)?;
    match temporary.persist_noclobber(path) {
        // Another daemon was faster; its lock decides.
        Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(cannot(e.error)),
        Ok(_) => std::fs::File::open(dir).and_then(|d| d.sync_all()).map_err(cannot),
    }
}

/// Marks an empty database as one of ours; a database with anything in it is somebody else's.
fn stamp(db: &Database) -> Result<Vec<u8>> {
    use raw::RawWrite;
    use redb::ReadableDatabase;
    if db.begin_read().map_err(raw::storage)?.list_tables().map_err(raw::storage)?.next().is_some() {
        return Err(Error::io("The file is a database of another program.")
            .hint("Move it away, or bring a backup back with `packd restore`."));
    }
    let secret = new_secret();
    let txn = db.begin_write().map_err(raw::storage)?;
    let tables = tables::Tables::of(&txn);
    tables.put(layout::META, b"schema", &SCHEMA.to_be_bytes())?;
    tables.put(layout::META, b"secret", &secret)?;
    drop(tables);
    txn.commit().map_err(raw::storage)?;
    Ok(secret)
}

fn new_secret() -> Vec<u8> {
    [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].iter().flat_map(|u| *u.as_bytes()).collect()
}

fn future_schema(newer: u64) -> Error {
    Error::new(
        Kind::Migration,
        "future_schema",
        format!("The database has schema {newer}, but this packd knows only up to {SCHEMA}."),
    )
    .hint("Install the newer packd that wrote it; nothing was changed.")
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}
