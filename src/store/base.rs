//! The open database and how it is opened again: after a failure of the disk, and after somebody replaced it.
//!
//! Readers take snapshots of whatever is open; whoever closes and opens must know that no transaction is under way.
//! Closed, every call gets the reason, and the next one tries again. What lies above the database is not known here.

use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use redb::{Database, ReadTransaction, ReadableDatabase};
use tempfile::NamedTempFile;

use super::compact::{self, Compacted};
use super::faults::{self, DiskTrouble, Noted};
use super::ground::Ground;
use super::pages::Pages;
use super::raw;
use super::record::DatabaseId;
use super::source::{BaseSource, FoundBackend, Identity, backend_of, closed, damaged_file, open_error};
use super::{Catalog, SCHEMA, builder, future_schema, upgrade};
use crate::core::{Error, Kind, Result};

/// How often somebody looks whether the file is still the one that was opened.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After a failure for want of space nothing is tried below this; redb grows its file in such steps.
const ROOM: u64 = 512 * 1024;

pub(super) struct Base {
    source: BaseSource,
    catalog: Arc<Catalog>,
    open: RwLock<std::result::Result<Arc<Database>, Error>>,
    trouble: Arc<DiskTrouble>,
    /// Something failed in a way after which redb must be opened again. Shared with every snapshot.
    suspect: Arc<AtomicBool>,
    /// redb had to repair the file when it was opened: it was not closed in an orderly way.
    unclean: Arc<AtomicBool>,
    full: AtomicBool,
    secret: RwLock<Vec<u8>>,
    /// Device and inode of what was opened, and when somebody looked last.
    identity: Mutex<(Option<(u64, u64)>, Instant)>,
    /// Every snapshot of what is open has a copy.
    readers: Mutex<Arc<()>>,
}

/// What was found when the database was opened.
pub(super) struct OpenedBase {
    /// Which slots are its own.
    pub id: DatabaseId,
    /// The last version of the journal that it has.
    pub version: u64,
    /// It is the file that was open before.
    pub same_file: bool,
    repaired: bool,
}

impl Base {
    pub fn open(source: BaseSource, catalog: Arc<Catalog>) -> Result<(Base, OpenedBase)> {
        let base = Base {
            source,
            catalog,
            open: RwLock::new(Err(closed())),
            trouble: Arc::default(),
            suspect: Arc::default(),
            unclean: Arc::default(),
            full: AtomicBool::new(false),
            secret: RwLock::default(),
            identity: Mutex::new((None, Instant::now())),
            readers: Mutex::default(),
        };
        let (db, opened) = base.connect()?;
        base.note_unclean(opened.repaired);
        *write(&base.open) = Ok(Arc::new(db));
        Ok((base, opened))
    }

    pub fn read(&self) -> Result<ReadTransaction> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let db = open.as_ref().map_err(Clone::clone)?;
        catch_unwind(AssertUnwindSafe(|| db.begin_read())).map_err(|_| self.poisoned())?.map_err(|e| {
            self.suspect.store(true, Ordering::Release);
            raw::storage(e)
        })
    }

    /// A snapshot that keeps what it was taken of open.
    pub fn ground(&self) -> Result<Ground> {
        let open = Arc::clone(&locked(&self.readers));
        Ok(Ground::of(self.read()?, self.suspicion(), open))
    }

    /// Where the database lies, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        self.source.path()
    }

    /// Puts a copy of the database in the place of its file and goes on with it. Nobody may be writing into either. A
    /// failure changes nothing.
    pub fn replace_by(&self, copy: NamedTempFile) -> Result<Compacted> {
        let path = self.path().ok_or_else(closed)?;
        self.glance()?;
        let sizes = compact::sizes(path, &copy);
        // Locked before it has the name: whoever opens that finds one of the two, and never a free one.
        let (db, _, identity) = self.dial_to(backend_of(copy.path())?)?;
        // Whoever looks meanwhile waits for the end of this.
        let mut known = locked(&self.identity);
        compact::rename(copy, path)?;
        *known = (identity, Instant::now());
        let old = std::mem::replace(&mut *write(&self.open), Ok(Arc::new(db)));
        let readers = std::mem::take(&mut *locked(&self.readers));
        drop(known);
        if let Ok(old) = old {
            compact::retire(old, readers);
        }
        Ok(sizes)
    }

    /// For whoever writes a checkpoint. It must let go of it before [`reopen`](Self::reopen).
    pub fn current(&self) -> Result<Arc<Database>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn suspicion(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.suspect)
    }

    pub fn is_suspect(&self) -> bool {
        self.suspect.load(Ordering::Acquire)
    }

    pub fn suspect(&self) {
        self.suspect.store(true, Ordering::Release);
    }

    pub fn was_unclean(&self) -> bool {
        self.unclean.load(Ordering::Acquire)
    }

    pub fn note_unclean(&self, unclean: bool) {
        self.unclean.fetch_or(unclean, Ordering::AcqRel);
    }

    pub fn secret(&self) -> Vec<u8> {
        self.secret.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What really failed, where redb only remembers that something did.
    pub fn cause(&self, reported: Error) -> Error {
        let cause = self.trouble.take().unwrap_or(reported);
        self.note(&cause);
        cause
    }

    /// Remembers that the disk was full.
    pub fn note(&self, cause: &Error) {
        if cause.code == "no_space" {
            self.full.store(true, Ordering::Release);
        }
    }

    /// Refuses while the disk that was full has no room: trying would close the database once more for nothing.
    pub fn room(&self) -> Result<()> {
        let (true, BaseSource::File(path)) = (self.full.load(Ordering::Acquire), &self.source) else {
            return Ok(());
        };
        let free = rustix::fs::statvfs(path.parent().unwrap_or(Path::new("/")))
            .map_or(u64::MAX, |s| s.f_bavail.saturating_mul(s.f_frsize));
        if free < ROOM {
            let words = format!("{free} bytes are free");
            return Err(not_stored(faults::error_of(std::io::ErrorKind::StorageFull, &words)));
        }
        self.full.store(false, Ordering::Release);
        Ok(())
    }

    /// Looks, at most once a second, whether the file under the database's name is still the one that is open.
    /// An error says that it is not; from then on the store is suspect.
    pub fn glance(&self) -> Result<()> {
        let BaseSource::File(path) = &self.source else { return Ok(()) };
        let mut identity = locked(&self.identity);
        if identity.1.elapsed() < LOOK_EVERY {
            return Ok(());
        }
        identity.1 = Instant::now();
        let found = std::fs::metadata(path).ok().map(|m| (m.dev(), m.ino()));
        if identity.0.is_none() || found == identity.0 {
            return Ok(());
        }
        self.suspect.store(true, Ordering::Release);
        let what = if found.is_some() { "replaced" } else { "removed" };
        Err(Error::new(
            Kind::Io,
            "database_replaced",
            format!(
                "The database {} was {what} while packd was running; nothing was stored in it.",
                path.display()
            ),
        )
        .hint("packd opens what is there now; try again."))
    }

    /// Whether the file under the database's name is another one than the one that is open, or none.
    pub fn was_moved(&self) -> bool {
        let BaseSource::File(path) = &self.source else { return false };
        let known = locked(&self.identity).0;
        known.is_some() && std::fs::metadata(path).ok().map(|m| (m.dev(), m.ino())) != known
    }

    /// Closes what is open and opens it anew. Nobody may be writing.
    pub fn reopen(&self) -> Result<OpenedBase> {
        let mut open = write(&self.open);
        let old = std::mem::replace(&mut *open, Err(closed()));
        // What is poisoned may panic while it is closed; the file is closed by that all the same.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(old)));
        match patiently(|| self.connect()) {
            Ok((db, opened)) => {
                *open = Ok(Arc::new(db));
                self.suspect.store(false, Ordering::Release);
                Ok(opened)
            }
            Err(e) => {
                self.suspect.store(true, Ordering::Release);
                *open = Err(e.clone());
                Err(e)
            }
        }
    }

    /// Opens the database, and brings one of an earlier schema to this one.
    fn connect(&self) -> Result<(Database, OpenedBase)> {
        let path = self.source.path();
        // Before redb opens it, because that already changes the file.
        let kept = path.is_some_and(|path| Pages::schema(path) == Some(1));
        if let (true, Some(path)) = (kept, path) {
            upgrade::keep(path)?;
        }
        let (mut db, mut repaired, mut identity) = self.dial()?;
        let mut stamp = upgrade::read(&db)?;
        if stamp.schema > SCHEMA {
            return Err(future_schema(stamp.schema));
        }
        if let (1, false, Some(path)) = (stamp.schema, kept, path) {
            drop(db);
            upgrade::keep(path)?;
            let again = self.dial()?;
            (db, repaired, identity) = (again.0, repaired || again.1, again.2);
        }
        if stamp.schema < SCHEMA || stamp.id.is_none() {
            stamp = upgrade::stamp(&db)?;
        }
        if stamp.lacks_indexes() {
            // Rows that cannot be read are no reason not to serve the others; `packd doctor` names them.
            if let Err(e) = upgrade::index(&db, &self.catalog) {
                tracing::warn!("What an older packd wrote is not in every index yet: {e}");
            }
        }
        *write(&self.secret) = stamp.secret;
        let before = std::mem::replace(&mut *locked(&self.identity), (identity, Instant::now())).0;
        let id = stamp.id.unwrap_or_default();
        let same_file = before == identity;
        Ok((db, OpenedBase { id, version: stamp.version, same_file, repaired }))
    }

    /// Opens the database and tells whether it had to be repaired for that, and how to know it again.
    fn dial(&self) -> Result<(Database, bool, Identity)> {
        self.dial_to(self.source.backend()?)
    }

    fn dial_to(&self, (backend, shown, identity): FoundBackend) -> Result<(Database, bool, Identity)> {
        let noted = Noted { inner: Arc::clone(&backend), trouble: Arc::clone(&self.trouble) };
        let repaired = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&repaired);
        let mut builder = builder();
        builder.set_repair_callback(move |_| told.store(true, Ordering::Release));
        let db = catch_unwind(AssertUnwindSafe(|| builder.create_with_backend(noted)))
            .map_err(|_| damaged_file(&shown, "its pages make no sense"))?
            .map_err(|e| open_error(&shown, &e))?;
        self.trouble.write_again(&*backend).map_err(|e| faults::error_of(e.kind(), &e.to_string()))?;
        Ok((db, repaired.load(Ordering::Acquire), identity))
    }

    fn poisoned(&self) -> Error {
        self.suspect.store(true, Ordering::Release);
        raw::interrupted()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// How often a lock is tried for before somebody is said to hold it, and how long in between.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Opens what this process has just closed. A program that is being started shares our descriptors, and with them
/// the lock, for a moment.
pub(super) fn patiently<T>(mut open: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 1..TRIES {
        match open() {
            Err(e) if e.code == "already_running" => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    open()
}

/// Says of a failure that it had no consequence.
pub(super) fn not_stored(e: Error) -> Error {
    Error { message: format!("{} Nothing was stored.", e.message), ..e }
}
