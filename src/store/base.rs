//! The open database and how it is opened again: after a failure of the disk, and after somebody replaced it.
//!
//! Readers take snapshots of whatever is open; only the writer closes and opens, because only it knows that no
//! write is under way. Closed, every call gets the reason, and the next one tries again.

use std::fs::OpenOptions;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use redb::backends::FileBackend;
use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, StorageBackend, StorageError};
use tempfile::NamedTempFile;

use super::compact::{self, Compacted, Wish};
use super::faults::{self, Noted, Trouble};
use super::raw::{self, Raw, Shot};
use super::{SCHEMA, builder, future_schema, layout};
use crate::core::{Error, Kind, Result};

/// How often somebody looks whether the file is still the one that was opened.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After a failure for want of space nothing is tried below this; redb grows its file in such steps.
const ROOM: u64 = 512 * 1024;

/// Where the bytes come from, each time the database is opened.
pub(super) enum Source {
    File(PathBuf),
    Again(Box<dyn Fn() -> Arc<dyn StorageBackend> + Send + Sync>),
    /// A backend that cannot be had twice: a failure is the end.
    Once(Mutex<Option<Arc<dyn StorageBackend>>>),
}

/// Device and inode.
type Identity = Option<(u64, u64)>;
/// What to open, what to call it and how to know it again.
type Opened = (Arc<dyn StorageBackend>, PathBuf, Identity);

pub(super) struct Base {
    source: Source,
    open: RwLock<std::result::Result<Arc<Database>, Error>>,
    trouble: Arc<Trouble>,
    /// Something failed in a way after which redb must be opened again. Shared with every snapshot.
    suspect: Arc<AtomicBool>,
    /// redb had to repair the file when it was opened: it was not closed in an orderly way.
    unclean: Arc<AtomicBool>,
    full: AtomicBool,
    /// The file says that it is one of ours.
    stamped: AtomicBool,
    secret: RwLock<Vec<u8>>,
    /// Device and inode of what was opened, and when somebody looked last.
    identity: Mutex<(Option<(u64, u64)>, Instant)>,
    /// Every snapshot of what is open has a copy.
    readers: Mutex<Arc<()>>,
    wish: Mutex<Option<Wish>>,
}

impl Base {
    pub fn open(source: Source) -> Result<Base> {
        let base = Base {
            source,
            open: RwLock::new(Err(closed())),
            trouble: Arc::default(),
            suspect: Arc::default(),
            unclean: Arc::default(),
            full: AtomicBool::new(false),
            stamped: AtomicBool::new(false),
            secret: RwLock::default(),
            identity: Mutex::new((None, Instant::now())),
            readers: Mutex::default(),
            wish: Mutex::default(),
        };
        let db = base.connect()?;
        base.unclean.store(db.1, Ordering::Release);
        *write(&base.open) = Ok(Arc::new(db.0));
        Ok(base)
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
    pub fn shot(&self) -> Result<Shot> {
        let reader = Arc::clone(&locked(&self.readers));
        Ok(Shot { txn: self.read()?, suspect: self.suspicion(), _reader: reader })
    }

    /// Asks for something to be done between two transactions.
    pub fn wish(&self, wish: Wish) {
        *locked(&self.wish) = Some(wish);
    }

    /// For the writer, while it holds no transaction.
    pub fn grant(&self, commits: u64) {
        let wish = locked(&self.wish).take();
        if let Some(wish) = wish {
            wish(self, commits);
        }
    }

    /// Puts a copy in the place of the file and goes on with it. The writer must hold no transaction. A failure
    /// changes nothing.
    pub fn replace_by(&self, copy: NamedTempFile) -> Result<Compacted> {
        let Source::File(path) = &self.source else { return Err(closed()) };
        self.glance()?;
        let sizes = compact::sizes(path, &copy);
        // Locked before it has the name: whoever opens that finds one of the two, and never a free one.
        let (db, _, identity) = self.connect_to(self.backend_of(copy.path())?)?;
        compact::rename(copy, path)?;
        let mut open = write(&self.open);
        let old = std::mem::replace(&mut *open, Ok(Arc::new(db)));
        let readers = std::mem::take(&mut *locked(&self.readers));
        *locked(&self.identity) = (identity, Instant::now());
        drop(open);
        if let Ok(old) = old {
            compact::retire(old, readers);
        }
        Ok(sizes)
    }

    /// For the writer alone. It must let go of it before [`reopen`](Self::reopen).
    pub fn current(&self) -> Result<Arc<Database>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn suspicion(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.suspect)
    }

    pub fn is_suspect(&self) -> bool {
        self.suspect.load(Ordering::Acquire)
    }

    pub fn was_unclean(&self) -> bool {
        self.unclean.load(Ordering::Acquire)
    }

    pub fn secret(&self) -> Vec<u8> {
        self.secret.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn is_stamped(&self) -> bool {
        self.stamped.load(Ordering::Acquire)
    }

    pub fn keep_secret(&self, secret: Vec<u8>) {
        *write(&self.secret) = secret;
        self.stamped.store(true, Ordering::Release);
    }

    /// What really failed, where redb only remembers that something did.
    pub fn cause(&self, reported: Error) -> Error {
        let cause = self.trouble.take().unwrap_or(reported);
        if cause.code == "no_space" {
            self.full.store(true, Ordering::Release);
        }
        cause
    }

    /// Before a transaction, and after it failed: whether it can be in the file at all.
    pub fn begins(&self) {
        self.trouble.begin();
    }

    pub fn may_have_committed(&self) -> bool {
        self.trouble.header_written()
    }

    /// Refuses while the disk that was full has no room: trying would close the database once more for nothing.
    pub fn room(&self) -> Result<()> {
        let (true, Source::File(path)) = (self.full.load(Ordering::Acquire), &self.source) else {
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
        let Source::File(path) = &self.source else { return Ok(()) };
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

    /// Closes what is open and opens it anew. The writer must hold no transaction.
    pub fn reopen(&self) -> Result<()> {
        let mut open = write(&self.open);
        let old = std::mem::replace(&mut *open, Err(closed()));
        // What is poisoned may panic while it is closed; the file is closed by that all the same.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(old)));
        match patiently(|| self.connect()) {
            Ok((db, _)) => {
                *open = Ok(Arc::new(db));
                self.suspect.store(false, Ordering::Release);
                Ok(())
            }
            Err(e) => {
                self.suspect.store(true, Ordering::Release);
                *open = Err(e.clone());
                Err(e)
            }
        }
    }

    /// Opens the database and tells whether it had to be repaired for that.
    fn connect(&self) -> Result<(Database, bool)> {
        let (db, repaired, identity) = self.connect_to(self.backend()?)?;
        *locked(&self.identity) = (identity, Instant::now());
        Ok((db, repaired))
    }

    fn connect_to(&self, (backend, shown, identity): Opened) -> Result<(Database, bool, Identity)> {
        let noted = Noted { inner: Arc::clone(&backend), trouble: Arc::clone(&self.trouble) };
        let repaired = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&repaired);
        let mut builder = builder();
        builder.set_repair_callback(move |_| told.store(true, Ordering::Release));
        let db = catch_unwind(AssertUnwindSafe(|| builder.create_with_backend(noted)))
            .map_err(|_| damaged_file(&shown, "its pages make no sense"))?
            .map_err(|e| open_error(&shown, &e))?;
        self.trouble.write_again(&*backend).map_err(|e| faults::error_of(e.kind(), &e.to_string()))?;
        let txn = db.begin_read().map_err(raw::storage)?;
        match txn.number(layout::META, b"schema")? {
            n if n > SCHEMA => return Err(future_schema(n)),
            0 => self.stamped.store(false, Ordering::Release),
            _ => self.keep_secret(txn.get(layout::META, b"secret")?.unwrap_or_default()),
        }
        drop(txn);
        Ok((db, repaired.load(Ordering::Acquire), identity))
    }

    fn backend(&self) -> Result<Opened> {
        match &self.source {
            Source::File(path) => self.backend_of(path),
            Source::Again(make) => Ok((make(), "memory".into(), None)),
            Source::Once(backend) => {
                let taken = locked(backend).take().ok_or_else(closed)?;
                Ok((taken, "memory".into(), None))
            }
        }
    }

    fn backend_of(&self, path: &Path) -> Result<Opened> {
        let cannot = |e: std::io::Error| open_error(path, &DatabaseError::Storage(StorageError::Io(e)));
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(cannot)?;
        let meta = file.metadata().map_err(cannot)?;
        if meta.len() == 0 {
            return Err(Error::new(
                Kind::Io,
                "damaged",
                format!("{} is empty, but a database never is.", path.display()),
            )
            .hint("Bring a backup back with `packd restore`, or move the empty file away to begin anew."));
        }
        let backend = FileBackend::new(file).map_err(|e| open_error(path, &e))?;
        Ok((Arc::new(backend), path.to_path_buf(), Some((meta.dev(), meta.ino()))))
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

fn closed() -> Error {
    Error::new(Kind::Io, "store_closed", "The database is closed and cannot be opened again.")
}

fn damaged_file(path: &Path, why: &str) -> Error {
    Error::new(Kind::Io, "damaged", format!("The database {} is damaged: {why}.", path.display()))
        .hint("Run `packd repair`, or bring a backup back with `packd restore`.")
}

/// Why a file could not be opened as a database.
pub(super) fn open_error(path: &Path, e: &DatabaseError) -> Error {
    let shown = path.display();
    match e {
        DatabaseError::DatabaseAlreadyOpen => Error::new(
            Kind::State,
            "already_running",
            format!("Another packd daemon has the database {shown} open."),
        ),
        DatabaseError::Storage(StorageError::Io(io)) if io.kind() == std::io::ErrorKind::InvalidData => {
            damaged_file(path, &format!("it is not a database ({io})"))
        }
        DatabaseError::Storage(StorageError::Io(io)) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            damaged_file(path, "it is cut short")
        }
        DatabaseError::Storage(StorageError::Io(io)) if io.kind() == std::io::ErrorKind::NotFound => {
            Error::io(format!("The database {shown} is gone.")).hint(
                "Put it back, bring a backup back with `packd restore`, or run `packd restart` to begin anew.",
            )
        }
        DatabaseError::Storage(StorageError::Io(io)) => match faults::error_of(io.kind(), &io.to_string()) {
            full if full.code == "no_space" => full,
            _ => Error::io(format!("Cannot open the database {shown}: {io}."))
                .hint("Check its permissions and the free space of the disk."),
        },
        other => damaged_file(path, &other.to_string()),
    }
}
