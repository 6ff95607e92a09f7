//! Where a database's bytes come from each time it is opened, how its file is known again, and why it cannot be opened.
//!
//! Opens nothing with redb and keeps nothing: [`Base`](super::base::Base) does.

use std::fs::OpenOptions;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use redb::backends::FileBackend;
use redb::{DatabaseError, StorageBackend, StorageError};

use super::faults;
use crate::core::{Error, Kind, Result};

/// Where the bytes come from, each time the database is opened.
pub(super) enum BaseSource {
    File(PathBuf),
    Again(Box<dyn Fn() -> Arc<dyn StorageBackend> + Send + Sync>),
    /// A backend that cannot be had twice: a failure is the end.
    Once(Mutex<Option<Arc<dyn StorageBackend>>>),
}

/// Device and inode.
pub(super) type Identity = Option<(u64, u64)>;
/// What to open, what to call it and how to know it again.
pub(super) type FoundBackend = (Arc<dyn StorageBackend>, PathBuf, Identity);

impl BaseSource {
    /// Where the database lies, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            BaseSource::File(path) => Some(path),
            BaseSource::Again(_) | BaseSource::Once(_) => None,
        }
    }

    /// To open it now.
    pub fn backend(&self) -> Result<FoundBackend> {
        match self {
            BaseSource::File(path) => backend_of(path),
            BaseSource::Again(make) => Ok((make(), "memory".into(), None)),
            BaseSource::Once(backend) => {
                let taken =
                    backend.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(closed)?;
                Ok((taken, "memory".into(), None))
            }
        }
    }
}

/// A file as redb reads and writes it.
pub(super) fn backend_of(path: &Path) -> Result<FoundBackend> {
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

pub(super) fn closed() -> Error {
    Error::new(Kind::Io, "store_closed", "The database is closed and cannot be opened again.")
}

pub(super) fn damaged_file(path: &Path, why: &str) -> Error {
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
