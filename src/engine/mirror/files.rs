//! The file work of the mirror: looking without reading, and replacing a file in one step.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

use crate::core::inside::{self, Located};
use crate::core::mirrored::MirrorRoot;
use crate::core::world::ReadError;
use crate::core::{Error, Result, World};
use crate::engine::disk::Disk;
use crate::engine::files::effects::TEMPORARY;

const MAX_FILE: u64 = 16 << 20;
/// Two writes within one tick of the file system's clock leave the same stat; a file must be older than
/// several ticks before its stat alone can say that nobody touched it.
const SETTLED_AFTER_NANOS: i128 = 100_000_000;

/// What tells an untouched file.
#[derive(Debug, Clone, Copy, Default)]
pub struct MirrorMark {
    mtime: i128,
    ctime: i128,
    size: u64,
    inode: u64,
    device: u64,
    /// Old enough for the rest to be trusted.
    pub settled: bool,
}

impl PartialEq for MirrorMark {
    fn eq(&self, other: &MirrorMark) -> bool {
        (self.mtime, self.ctime, self.size, self.inode, self.device)
            == (other.mtime, other.ctime, other.size, other.inode, other.device)
    }
}

pub enum PathLook {
    Nothing,
    File(MirrorMark),
    /// A directory, pipe, device, or a symlink that leads nowhere: never opened.
    Other,
}

impl PathLook {
    pub fn mark(&self) -> Option<MirrorMark> {
        if let PathLook::File(mark) = self { Some(*mark) } else { None }
    }
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> Error {
    Error::io(format!("Cannot {verb} {}: {e}.", path.display()))
}

/// Is there a directory to mirror to? A declared root is made with its first file. The project's own must be there,
/// and neither it nor its files may lie elsewhere.
pub fn usable(root: &MirrorRoot) -> bool {
    let Some(workspace) = &root.within else { return true };
    let inside = |path: &Path| inside::locate(&Disk, workspace, path).ok();
    let there = matches!(inside(&root.dir), Some(Located::Here(dir)) if dir.is_dir());
    there && !matches!(inside(&root.files), None | Some(Located::Outside))
}

/// Names of the `.md` files of a root; locks and temporary files of other programs do not count, nor do links that
/// lead out of the project where nobody declared the root.
pub fn list(root: &MirrorRoot) -> Result<BTreeSet<String>> {
    let dir = &root.files;
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(e) => return Err(failed("list", dir, &e)),
    };
    let mut out = BTreeSet::new();
    for entry in entries {
        let entry = entry.map_err(|e| failed("list", dir, &e))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let elsewhere = || {
            let link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let within = root.within.as_ref().filter(|_| link);
            within.is_some_and(|w| !matches!(inside::locate(&Disk, w, entry.path()), Ok(Located::Here(_))))
        };
        if name.ends_with(".md") && !elsewhere() {
            out.insert(name.into_owned());
        }
    }
    Ok(out)
}

pub fn look(path: &Path) -> Result<PathLook> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        // A dangling symlink is there, but leads nowhere.
        Err(e) if e.kind() == ErrorKind::NotFound && fs::symlink_metadata(path).is_ok() => {
            return Ok(PathLook::Other);
        }
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(PathLook::Nothing),
        Err(e) => return Err(failed("look at", path, &e)),
    };
    if !meta.is_file() {
        return Ok(PathLook::Other);
    }
    let nanos = |s: i64, n: i64| i128::from(s) * 1_000_000_000 + i128::from(n);
    let ctime = nanos(meta.ctime(), meta.ctime_nsec());
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i128::try_from(since_1970.as_nanos()).unwrap_or(i128::MAX);
    Ok(PathLook::File(MirrorMark {
        mtime: nanos(meta.mtime(), meta.mtime_nsec()),
        ctime,
        size: meta.len(),
        inode: meta.ino(),
        device: meta.dev(),
        settled: now - ctime > SETTLED_AFTER_NANOS,
    }))
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    Disk.read(path, MAX_FILE)
        .map_err(|e: ReadError| Error::io(format!("The file {} cannot be read: {e}", path.display())))
}

/// Puts a file in place in one step, with the permissions of the one it replaces.
///
/// The temporary file is in `scratch` if that is on the same file system, else beside the directory.
pub fn write(scratch: Option<&Path>, root: &MirrorRoot, name: &str, text: &str) -> Result<()> {
    let dir = &root.files;
    let made = match (&root.within, fs::create_dir(dir)) {
        (None, _) => fs::create_dir_all(dir),
        // The project's own root is never made, so a missing one stays missing.
        (Some(_), Err(e)) if e.kind() != ErrorKind::AlreadyExists => Err(e),
        (Some(_), _) => Ok(()),
    };
    made.map_err(|e| failed("create", dir, &e))?;
    let target = dir.join(name);
    let permissions = fs::metadata(&target).ok().map(|m| m.permissions());
    let device = |path: &Path| fs::metadata(path).map(|m| m.dev()).ok();
    let near = scratch.filter(|s| device(s).is_some() && device(s) == device(dir));
    let mut result = Ok(());
    for place in near.into_iter().chain([root.dir.as_path()]) {
        let temporary = place.join(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
        result =
            write_new(&temporary, text, permissions.clone()).and_then(|()| fs::rename(&temporary, &target));
        match &result {
            Ok(()) => return flush(dir),
            Err(e) => {
                let _ = fs::remove_file(&temporary);
                if e.kind() != ErrorKind::CrossesDevices {
                    break;
                }
            }
        }
    }
    result.map_err(|e| failed("write", &target, &e))
}

fn write_new(path: &Path, text: &str, permissions: Option<Permissions>) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

pub fn remove(dir: &Path, name: &str) -> Result<()> {
    let path = dir.join(name);
    match fs::remove_file(&path) {
        Ok(()) => flush(dir),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(failed("remove", &path, &e)),
    }
}

fn flush(dir: &Path) -> Result<()> {
    File::open(dir).and_then(|d| d.sync_all()).map_err(|e| failed("flush", dir, &e))
}

/// Removes temporary files that a crash left in a directory.
pub fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
