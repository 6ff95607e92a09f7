//! The real world behind [`World`]: files, programs and web addresses, looked at but never changed.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::programs;
use crate::core::world::{Command, FileKind, Output, ReadError, Stat};
use crate::core::{Error, Result, World};

pub struct Disk;

fn kind_of(t: std::fs::FileType) -> FileKind {
    if t.is_file() {
        FileKind::File
    } else if t.is_dir() {
        FileKind::Dir
    } else if t.is_symlink() {
        FileKind::Symlink
    } else {
        FileKind::Other
    }
}

fn gone(e: &std::io::Error) -> bool {
    matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> Error {
    Error::io(format!("Cannot {verb} {}: {e}.", path.display()))
}

fn stat_of(m: &Metadata) -> Stat {
    Stat {
        kind: kind_of(m.file_type()),
        size: m.len(),
        mode: m.mode() & 0o7777,
        owner: m.uid(),
        mtime: i128::from(m.mtime()) * 1_000_000_000 + i128::from(m.mtime_nsec()),
        ctime: i128::from(m.ctime()) * 1_000_000_000 + i128::from(m.ctime_nsec()),
        inode: m.ino(),
        device: m.dev(),
    }
}

/// The same from the system's own record.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast, reason = "the widths differ between systems")]
pub(super) fn raw_stat(s: &rustix::fs::Stat) -> Stat {
    let kind = match FileType::from_raw_mode(s.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        FileType::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    Stat {
        kind,
        size: s.st_size as u64,
        mode: u32::from(s.st_mode) & 0o7777,
        owner: s.st_uid,
        mtime: i128::from(s.st_mtime) * 1_000_000_000 + i128::from(s.st_mtime_nsec),
        ctime: i128::from(s.st_ctime) * 1_000_000_000 + i128::from(s.st_ctime_nsec),
        inode: s.st_ino,
        device: s.st_dev as u64,
    }
}

fn unreadable(e: std::io::Error) -> ReadError {
    match Errno::from_io_error(&e) {
        Some(Errno::MFILE | Errno::NFILE) => ReadError::NoDescriptors,
        _ if gone(&e) => ReadError::Missing,
        _ => ReadError::Failed(e.to_string()),
    }
}

/// Opens without blocking, so that a pipe in the file's place cannot hang the thread.
fn open_and_read(
    path: &Path,
    how: OFlags,
    limit: u64,
) -> std::result::Result<(Metadata, Vec<u8>), ReadError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | how;
    let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| match e {
        Errno::LOOP if how.contains(OFlags::NOFOLLOW) => ReadError::NotAFile(FileKind::Symlink),
        // A socket, or a device without a driver: there is nothing to open.
        Errno::NXIO | Errno::NODEV => ReadError::NotAFile(FileKind::Other),
        e => unreadable(e.into()),
    })?;
    let file = File::from(fd);
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Err(ReadError::NotAFile(kind_of(meta.file_type())));
    }
    if meta.len() > limit {
        return Err(ReadError::TooLarge(meta.len()));
    }
    // What is appended from now on belongs to the next look. Files of the kernel's own have no length.
    let most = if meta.len() == 0 { limit + 1 } else { meta.len() };
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(bytes.len() as u64));
    }
    Ok((meta, bytes))
}

impl World for Disk {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        let meta = std::fs::metadata(path).map_err(unreadable)?;
        if !meta.is_file() {
            return Err(ReadError::NotAFile(kind_of(meta.file_type())));
        }
        open_and_read(path, OFlags::empty(), limit).map(|(_, bytes)| bytes)
    }

    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        open_and_read(path, OFlags::NOFOLLOW, limit).map(|(meta, bytes)| (stat_of(&meta), bytes))
    }

    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        match std::fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(stat_of(&meta))),
            Err(e) if gone(&e) => Ok(None),
            Err(e) => Err(failed("look at", path, &e)),
        }
    }

    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = match rustix::fs::open(dir, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(vec![None; names.len()]),
            // A directory that may be searched need not be one that may be read.
            Err(_) => return names.iter().map(|name| self.stat(&dir.join(name))).collect(),
        };
        let one = |name: &&OsStr| match rustix::fs::statat(&fd, *name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(Some(raw_stat(&found))),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(failed("look at", &dir.join(name), &e.into())),
        };
        names.iter().map(one).collect()
    }

    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(e) if gone(&e) => return Ok(None),
            Err(e) => return Err(failed("list", dir, &e)),
        };
        let mut out = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| failed("list", dir, &e))?;
            let kind = entry.file_type().map_err(|e| failed("look at", &entry.path(), &e))?;
            out.push((entry.file_name().to_string_lossy().into_owned(), kind_of(kind)));
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Some(out))
    }

    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        match std::fs::canonicalize(path) {
            Ok(p) => Ok(Some(p)),
            Err(e) if gone(&e) => Ok(None),
            Err(e) => Err(failed("resolve", path, &e)),
        }
    }

    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        match std::fs::read_link(path) {
            Ok(p) => Ok(Some(p)),
            Err(e) if gone(&e) || e.kind() == std::io::ErrorKind::InvalidInput => Ok(None),
            Err(e) => Err(failed("read the link", path, &e)),
        }
    }

    fn run(&self, command: &Command) -> Result<Output> {
        programs::run(command, &|| true)
    }

    fn run_while(&self, command: &Command, wanted: &dyn Fn() -> bool) -> Result<Output> {
        programs::run(command, wanted)
    }

    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        super::web::fetch(url, limit, &[])
    }

    fn fetch_in(&self, url: &str, limit: u64, env: &[(String, String)]) -> Result<Vec<u8>> {
        super::web::fetch(url, limit, env)
    }

    fn host_name(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    fn user(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }

    fn user_name(&self, uid: u32) -> Option<String> {
        // Users of a directory service are not in it; they are told by their number.
        let (_, text) = open_and_read(Path::new("/etc/passwd"), OFlags::empty(), 1 << 20).ok()?;
        let text = String::from_utf8_lossy(&text);
        let mine = |line: &&str| line.split(':').nth(2) == Some(&uid.to_string());
        text.lines().find(mine).and_then(|line| line.split(':').next()).map(str::to_string)
    }
}
