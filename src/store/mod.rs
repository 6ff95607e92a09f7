//! The one database: the only module that names redb.
//!
//! Readers take MVCC snapshots and never wait; one writer thread runs every changing call and commits many
//! of them together. What a row means is not known here: families bring tables and index functions.

mod apply;
mod backup;
mod blobs;
mod check;
mod gc;
mod layout;
mod raw;
mod reader;
mod tables;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{
    Builder, Database, DatabaseError, ReadTransaction, ReadableDatabase, StorageBackend, StorageError,
};

use crate::core::{Error, IndexEntry, Indexer, Key, Kind, Result, Row, Table};

pub use apply::{Batch, NewOp};
pub use backup::{Copied, replace};
pub use check::{Damage, Sizes};
pub use gc::{Collected, Retention};
pub use reader::Reader;
pub use writer::{Job, Settled, Writer, WriterStats};

/// Rises when an older packd could no longer read the file.
pub const SCHEMA: u64 = 1;
const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// What the families keep: their tables, and the indexes computed from them.
#[derive(Default)]
pub struct Catalog {
    pub tables: Vec<Table>,
    pub indexers: Vec<Indexer>,
}

impl Catalog {
    pub fn table(&self, name: &str) -> Result<Table> {
        self.tables.iter().copied().find(|t| t.0 == name).ok_or_else(|| {
            Error::internal(format!("The table {name} is not known to this version of packd."))
        })
    }

    fn entries_of(&self, table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
        self.indexers.iter().flat_map(|indexer| indexer(table, key, row)).collect()
    }
}

pub struct Store {
    db: Arc<Database>,
    catalog: Arc<Catalog>,
    path: Option<PathBuf>,
    secret: Vec<u8>,
}

/// A consistent picture of the store; cheap to take, must not be kept over an await.
pub struct Snapshot {
    txn: ReadTransaction,
    catalog: Arc<Catalog>,
}

impl Snapshot {
    pub fn view(&self) -> Reader<'_, ReadTransaction> {
        Reader { raw: &self.txn, catalog: &self.catalog }
    }
}

impl Store {
    /// Opens or creates the file. Its lock decides who runs: a second opener gets code `already_running`.
    pub fn open(path: &Path, catalog: Catalog) -> Result<Store> {
        let existed = path.exists();
        let db = builder().create(path).map_err(|e| open_error(path, &e))?;
        if !existed {
            restrict_to_owner(path)?;
        }
        Store::start(db, catalog, Some(path.to_path_buf()))
    }

    /// Any storage backend: memory in tests, failing ones in crash tests.
    pub fn with_backend(backend: impl StorageBackend, catalog: Catalog) -> Result<Store> {
        let db = builder().create_with_backend(backend).map_err(|e| open_error(Path::new("memory"), &e))?;
        Store::start(db, catalog, None)
    }

    pub fn in_memory(catalog: Catalog) -> Result<Store> {
        Store::with_backend(redb::backends::InMemoryBackend::new(), catalog)
    }

    fn start(db: Database, catalog: Catalog, path: Option<PathBuf>) -> Result<Store> {
        let mut store = Store { db: Arc::new(db), catalog: Arc::new(catalog), path, secret: Vec::new() };
        store.check_schema()?;
        Ok(store)
    }

    pub fn read(&self) -> Result<Snapshot> {
        let txn = self.db.begin_read().map_err(raw::storage)?;
        Ok(Snapshot { txn, catalog: self.catalog.clone() })
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Random bytes made once with the file: what this store signs is known to come from it.
    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// A new file is stamped; an older one would be migrated here; a newer one is refused, never emptied.
    fn check_schema(&mut self) -> Result<()> {
        use raw::{Raw, RawWrite};
        let txn = self.db.begin_read().map_err(raw::storage)?;
        match txn.number(layout::META, b"schema")? {
            SCHEMA => {
                self.secret = txn.get(layout::META, b"secret")?.unwrap_or_default();
                Ok(())
            }
            0 => {
                self.secret =
                    [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].iter().flat_map(|u| *u.as_bytes()).collect();
                let txn = self.db.begin_write().map_err(raw::storage)?;
                let tables = tables::Tables::of(&txn);
                tables.put(layout::META, b"schema", &SCHEMA.to_be_bytes())?;
                tables.put(layout::META, b"secret", &self.secret)?;
                drop(tables);
                txn.commit().map_err(raw::storage)
            }
            newer => Err(future_schema(newer)),
        }
    }
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

fn restrict_to_owner(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
        .map_err(|e| Error::io(format!("Cannot set permissions of {}: {e}.", path.display())))
}

fn open_error(path: &Path, e: &DatabaseError) -> Error {
    let shown = path.display();
    match e {
        DatabaseError::DatabaseAlreadyOpen => Error::new(
            Kind::State,
            "already_running",
            format!("Another packd daemon has the database {shown} open."),
        ),
        DatabaseError::Storage(StorageError::Io(io)) if io.kind() == std::io::ErrorKind::InvalidData => {
            Error::io(format!("{shown} is not a packd database ({io})."))
                .hint("Move the file away and start again, or put a backup in its place.")
        }
        DatabaseError::Storage(StorageError::Io(io)) => {
            Error::io(format!("Cannot open the database {shown}: {io}."))
                .hint("Check its permissions and the free space of the disk.")
        }
        other => Error::io(format!("Cannot open the database {shown}: {other}."))
            .hint("Move the file away and start again, or put a backup in its place."),
    }
}
