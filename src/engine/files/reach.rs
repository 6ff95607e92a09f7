//! Reaching the file of an effect: from its root downwards, never through a symlink, never out of the root.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::core::{Effect, Error, FileImage, Kind, Result, Sha};
use crate::engine::files::made::Ours;

/// What is on disk where an effect wants to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) enum Present {
    Nothing,
    File(FileImage),
    Link(FileImage),
    Directory,
    /// A special file.
    Other,
}

/// Opens the directory a file lives in, from its root downwards, never through a symlink.
///
/// `None` = a directory on the way does not exist (and `create` is false).
pub(in crate::engine) fn open_parent(effect: &Effect, create: bool) -> Result<Option<(OwnedFd, OsString)>> {
    let mut names: Vec<&OsStr> = Vec::new();
    for part in effect.path.components() {
        match part {
            Component::Normal(name) => names.push(name),
            _ => return Err(outside(effect)),
        }
    }
    let Some(file) = names.pop() else { return Err(outside(effect)) };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if create {
        std::fs::create_dir_all(&effect.root).map_err(|e| failed("create the root of", effect, errno(&e)))?;
    }
    let mut dir = match rustix::fs::open(&effect.root, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(Errno::NOENT) => return Ok(None),
        Err(e) => return Err(failed("open the root of", effect, e)),
    };
    for name in names {
        let mut next = rustix::fs::openat(&dir, name, flags | OFlags::NOFOLLOW, Mode::empty());
        if create && matches!(next, Err(Errno::NOENT)) {
            match rustix::fs::mkdirat(&dir, name, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(e) => return Err(failed("create a directory for", effect, e)),
            }
            next = rustix::fs::openat(&dir, name, flags | OFlags::NOFOLLOW, Mode::empty());
        }
        dir = match next {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(blocked(effect, &dir, name)),
            Err(e) => return Err(failed("open a directory of", effect, e)),
        };
    }
    Ok(Some((dir, file.to_os_string())))
}

pub(in crate::engine) fn present_in(dir: &OwnedFd, name: &OsStr, effect: &Effect) -> Result<Present> {
    let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Present::Nothing),
        Err(e) => return Err(failed("look at", effect, e)),
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Ok(Present::Directory),
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(dir, name, Vec::new())
                .map_err(|e| failed("read the link", effect, e))?;
            return Ok(Present::Link(FileImage::link(target.as_bytes())));
        }
        _ => return Ok(Present::Other),
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd =
        rustix::fs::openat(dir.as_fd(), name, flags, Mode::empty()).map_err(|e| failed("open", effect, e))?;
    let mut bytes = Vec::new();
    File::from(fd).read_to_end(&mut bytes).map_err(|e| failed("read", effect, errno(&e)))?;
    Ok(Present::File(FileImage::new(Sha::of(&bytes), stat.st_mode & 0o7777)))
}

/// Directories of ours that became empty go, up to but not including the root, never through a symlink.
pub(in crate::engine) fn prune(effect: &Effect, ours: &Ours) {
    let mut dir = effect.path.parent();
    while let Some(path) = dir.filter(|p| !p.as_os_str().is_empty()) {
        if !ours.may_go(&effect.root.join(path)) {
            return;
        }
        let as_file = Effect { path: path.to_path_buf(), ..effect.clone() };
        let Ok(Some((parent, name))) = open_parent(&as_file, false) else { return };
        if rustix::fs::unlinkat(&parent, &name, AtFlags::REMOVEDIR).is_err() {
            return;
        }
        dir = path.parent();
    }
}

fn errno(e: &std::io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}

pub(in crate::engine) fn failed(verb: &str, effect: &Effect, e: impl Into<std::io::Error>) -> Error {
    failed_at(verb, &effect.full_path(), e)
}

pub(in crate::engine) fn failed_at(verb: &str, path: &Path, e: impl Into<std::io::Error>) -> Error {
    let e = e.into();
    let kind = match e.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => "permission_denied",
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => "no_space",
        _ => "other",
    };
    Error::io(format!("Cannot {verb} {}: {e}.", path.display()))
        .hint("Everything this operation had written was put back.")
        .details(serde_json::json!({"path": path, "io_kind": kind, "raw_os_error": e.raw_os_error()}))
}

fn outside(effect: &Effect) -> Error {
    Error::invalid("path_outside_root", format!("{} leaves its root.", effect.path.display()))
}

/// Something other than a directory is on the way.
fn blocked(effect: &Effect, dir: &OwnedFd, name: &OsStr) -> Error {
    let path = effect.full_path();
    let link = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|s| FileType::from_raw_mode(s.st_mode) == FileType::Symlink);
    if !link {
        return failed("open a directory of", effect, Errno::NOTDIR);
    }
    Error::new(
        Kind::Denied,
        "path_through_symlink",
        format!(
            "A directory on the way to {} is a symlink; packd does not write through it.",
            path.display()
        ),
    )
    .hint("Replace the symlink by a directory, or write to the place it points to.")
    .details(serde_json::json!({"path": path}))
}
