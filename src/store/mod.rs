//! The one database and the journal in front of it: the only module that names either.
//!
//! Readers take snapshots and never wait; one writer thread runs every changing call and makes many of them durable
//! together; another carries them into the database. `docs/store.md` says how. What a row means is not known here:
//! families bring tables and index functions.

mod apply;
mod audit;
mod backup;
mod base;
mod blobs;
mod check;
mod checkpoint;
mod collection;
mod compact;
mod derive;
mod faults;
mod forget;
mod forgetting;
mod found;
mod gc;
mod generation;
mod ground;
mod journal;
mod layout;
pub mod leftovers;
mod live;
mod merge;
mod numbers;
mod older;
mod pace;
mod pages;
mod raw;
mod reader;
mod rebuild;
mod record;
mod recover;
mod relocate;
mod repair;
mod rewrite;
mod search;
mod shot;
mod slots;
mod source;
mod stacks;
mod staged;
mod stars;
mod tables;
mod tally;
mod trace;
mod unlisted;
mod upgrade;
mod watch;
mod words;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{Builder, StorageBackend};

use crate::core::findable::Finder;
use crate::core::{Error, IndexEntry, Indexer, Key, Result, Row, Table, TableShape};
use live::Live;
use source::{BaseSource, open_error};
use upgrade::future_schema;

pub use apply::{Batch, NewOp};
pub use backup::replace;
pub use check::{Damage, Sizes};
pub use collection::Collection;
pub use compact::Compacted;
pub use forget::{Digested, ForgetTarget, Forgotten, forget, forget_in_copy, look};
pub use gc::{Collected, GcStep, Retention};
pub use raw::INTERRUPTED;
pub use reader::Reader;
pub use relocate::relocate;
pub use repair::{Repaired, RowRef, repair, survey};
pub use shot::Shot;
pub use slots::Slots;
#[allow(unused_imports, reason = "tests bring slots of their own")]
pub use slots::{SLOTS, Slot};
pub use trace::ReadSet;
#[allow(unused_imports, reason = "tests hand the writer their own")]
pub use writer::Job;
pub use writer::{Settled, Writer};

/// Rises when an older packd could no longer read the file.
pub const SCHEMA: u64 = 2;
/// Rises when an index is added: what an older packd wrote gets its entries when the file is opened.
const INDEXES: u64 = 1;
const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// What the families keep: their tables, and the indexes computed from them.
#[derive(Default)]
pub struct Catalog {
    pub tables: Vec<Table>,
    pub indexers: Vec<Indexer>,
    /// The rows that are found by words.
    pub finders: Vec<Finder>,
    /// What the rows of a table are to its history; a table without has plain fields.
    pub shapes: Vec<TableShape>,
    /// What is referred to while a collection is under way.
    pub watch: watch::Watch,
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
    live: Arc<Live>,
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
        let slots = Arc::new(slots::FileSlots::beside(path));
        let store =
            Store::start(BaseSource::File(path.to_path_buf()), slots, catalog, Some(path.to_path_buf()))?;
        compact::clear(path);
        Ok(store)
    }

    /// Any storage backend, with a journal that ends with the process. It is the only one, so a failure of it ends
    /// the store.
    fn with_backend(backend: impl StorageBackend, catalog: Catalog) -> Result<Store> {
        let backend: Arc<dyn StorageBackend> = Arc::new(backend);
        let source = BaseSource::Once(std::sync::Mutex::new(Some(backend)));
        Store::start(source, Arc::new(slots::MemorySlots::default()), catalog, None)
    }

    /// A backend that can be had again, as a file can be opened again after a failure, and slots of any kind.
    #[allow(dead_code, reason = "tests bring disks that fail")]
    pub fn with_parts<B: StorageBackend>(
        make: impl Fn() -> B + Send + Sync + 'static,
        slots: Arc<dyn Slots>,
        catalog: Catalog,
    ) -> Result<Store> {
        Store::start(BaseSource::Again(Box::new(move || Arc::new(make()))), slots, catalog, None)
    }

    pub fn in_memory(catalog: Catalog) -> Result<Store> {
        Store::with_backend(redb::backends::InMemoryBackend::new(), catalog)
    }

    fn start(
        source: BaseSource,
        slots: Arc<dyn Slots>,
        catalog: Catalog,
        path: Option<PathBuf>,
    ) -> Result<Store> {
        Ok(Store { live: Arc::new(Live::open(source, slots, catalog)?), path })
    }

    pub fn read(&self) -> Result<Snapshot> {
        Ok(Snapshot { shot: self.live.shot()?, catalog: self.live.catalog.clone() })
    }

    pub fn catalog(&self) -> &Catalog {
        &self.live.catalog
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Random bytes made once with the file: what this store signs is known to come from it.
    pub fn secret(&self) -> Vec<u8> {
        self.live.base.secret()
    }

    /// True when the next write will open the database anew: after a failure, or because it was replaced.
    pub fn must_reopen(&self) -> bool {
        self.live.base.glance().is_err() || self.live.base.is_suspect()
    }

    /// Carries what was written so far into the database now. Where that fails, the next write tries it again.
    #[allow(dead_code, reason = "tests say when")]
    pub fn checkpoint(&self) -> Result<()> {
        self.live.checkpoint_now()
    }

    /// True if the file was not closed in an orderly way the last time.
    pub fn was_unclean(&self) -> bool {
        self.live.base.was_unclean()
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
    upgrade::stamp(&db).map_err(named)?;
    drop(db);
    temporary.as_file().sync_all().map_err(cannot)?;
    match temporary.persist_noclobber(path) {
        // Another daemon was faster; its lock decides.
        Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(cannot(e.error)),
        Ok(_) => std::fs::File::open(dir).and_then(|d| d.sync_all()).map_err(cannot),
    }
}

fn new_secret() -> Vec<u8> {
    [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].iter().flat_map(|u| *u.as_bytes()).collect()
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}
