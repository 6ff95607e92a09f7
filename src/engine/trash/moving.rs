//! Moving a directory: by its name where it stays on its file system, else by a copy that is compared before the
//! original goes. Either way it is whole in one of the two places at every moment.

use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::Told;

/// Beside the place a copy goes to, or the place an original was, until it is complete or gone.
const PARTIAL: &str = ".packd-trash-";

fn said<'a>(verb: &'a str, path: &'a Path) -> impl Fn(std::io::Error) -> String + 'a {
    move |e| format!("cannot {verb} {}: {e}", path.display())
}

/// Moves `from` to `to`, where nothing may be. Can be called again after a crash.
pub fn relocate(from: &Path, to: &Path, id: &str) -> Told<()> {
    let (partial, aside) = (beside(to, id), beside(from, id));
    let gone = fs::symlink_metadata(from).is_err();
    if gone && fs::symlink_metadata(to).is_ok() {
        return remove(&aside);
    }
    if gone && fs::symlink_metadata(&aside).is_ok() {
        // It was interrupted while the copy was compared.
        fs::rename(&aside, from).map_err(said("put back", from))?;
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(said("create", parent))?;
    }
    match rename(from, to) {
        Ok(()) => return flush(from, to),
        Err(e) if e.kind() == ErrorKind::CrossesDevices => {}
        Err(e) => return Err(said("move", from)(e)),
    }
    remove(&partial)?;
    let copied = copy(from, &partial).and_then(|()| {
        fs::rename(from, &aside).map_err(said("move", from))?;
        // Nobody finds the original under its name any more: what is compared now stays as it is.
        let same = compare(&aside, &partial).and_then(|()| sync(&partial));
        same.and_then(|()| rename(&partial, to).map_err(said("move", &partial))).inspect_err(|_| {
            let _ = fs::rename(&aside, from);
        })
    });
    if let Err(e) = copied {
        let _ = remove(&partial);
        return Err(e);
    }
    flush(from, to)?;
    remove(&aside)
}

/// An original that a crash left under its temporary name, before its copy was complete, gets its own back.
pub fn put_back_aside(from: &Path, to: &Path, id: &str) -> Told<()> {
    let aside = beside(from, id);
    let there = |path: &Path| fs::symlink_metadata(path).is_ok();
    if there(&aside) && !there(from) && !there(to) {
        return fs::rename(&aside, from).map_err(said("put back", from));
    }
    Ok(())
}

fn beside(path: &Path, id: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{PARTIAL}{id}-{name}"))
}

/// Never onto something that is there already.
#[cfg(target_os = "linux")]
fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems do not know the flag.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => plain_rename(from, to),
        other => other.map_err(Into::into),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    plain_rename(from, to)
}

fn plain_rename(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// The new name before the old one: after a power cut there may be two, never none.
fn flush(from: &Path, to: &Path) -> Told<()> {
    for dir in [to.parent(), from.parent()].into_iter().flatten() {
        File::open(dir).and_then(|d| d.sync_all()).map_err(said("flush", dir))?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn sync(path: &Path) -> Told<()> {
    let dir = File::open(path).map_err(said("open", path))?;
    rustix::fs::syncfs(&dir).map_err(|e| said("flush", path)(e.into()))
}

#[cfg(not(target_os = "linux"))]
fn sync(_path: &Path) -> Told<()> {
    rustix::fs::sync();
    Ok(())
}

/// Removes a directory or file, also where directories in it may not be written.
pub fn remove(path: &Path) -> Told<()> {
    let Ok(meta) = fs::symlink_metadata(path) else { return Ok(()) };
    if !meta.is_dir() {
        return fs::remove_file(path).map_err(said("remove", path));
    }
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() == ErrorKind::PermissionDenied => {
            open_up(path);
            fs::remove_dir_all(path).map_err(said("remove", path))
        }
        other => other.map_err(said("remove", path)),
    }
}

fn open_up(dir: &Path) {
    let _ = fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            open_up(&entry.path());
        }
    }
}

fn names(dir: &Path) -> Told<Vec<std::ffi::OsString>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).map_err(said("read", dir))? {
        let entry = entry.map_err(said("read", dir))?;
        // A socket is nobody's data: it ends with the program that made it.
        if !entry.file_type().is_ok_and(|t| t.is_socket()) {
            out.push(entry.file_name());
        }
    }
    out.sort();
    Ok(out)
}

/// Copies files, directories, links and pipes with mode and time.
fn copy(from: &Path, to: &Path) -> Told<()> {
    let meta = fs::symlink_metadata(from).map_err(said("look at", from))?;
    let kind = meta.file_type();
    if kind.is_symlink() {
        let target = fs::read_link(from).map_err(said("read", from))?;
        return std::os::unix::fs::symlink(target, to).map_err(said("create", to));
    }
    if kind.is_dir() {
        super::entry::make_dir(to)?;
        for name in names(from)? {
            copy(&from.join(&name), &to.join(&name))?;
        }
    } else if kind.is_file() {
        fs::copy(from, to).map_err(said("copy", from))?;
    } else if kind.is_fifo() {
        make_pipe(to)?;
    } else {
        return Err(format!("cannot copy {}: it is a device", from.display()));
    }
    if !kind.is_fifo() {
        let stamped = File::open(to).and_then(|f| f.set_modified(meta.modified()?));
        stamped.map_err(said("set the time of", to))?;
    }
    fs::set_permissions(to, meta.permissions()).map_err(said("set the mode of", to))
}

#[cfg(target_os = "linux")]
fn make_pipe(path: &Path) -> Told<()> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0)
        .map_err(|e| said("create", path)(e.into()))
}

#[cfg(not(target_os = "linux"))]
fn make_pipe(path: &Path) -> Told<()> {
    Err(format!("cannot copy {}: it is a pipe", path.display()))
}

/// Fails unless both hold the same.
fn compare(left: &Path, right: &Path) -> Told<()> {
    let differ = || format!("{} changed while it was copied", left.display());
    let look = |path: &Path| fs::symlink_metadata(path).map_err(said("look at", path));
    let (a, b): (Metadata, Metadata) = (look(left)?, look(right)?);
    if a.file_type() != b.file_type() {
        return Err(differ());
    }
    if a.is_symlink() {
        let target = |path: &Path| fs::read_link(path).map_err(said("read", path));
        return if target(left)? == target(right)? { Ok(()) } else { Err(differ()) };
    }
    if a.mode() != b.mode() {
        return Err(differ());
    }
    if a.is_dir() {
        let inside = names(left)?;
        if inside != names(right)? {
            return Err(differ());
        }
        return inside.iter().try_for_each(|name| compare(&left.join(name), &right.join(name)));
    }
    if a.is_file() && (a.len() != b.len() || !same_bytes(left, right).map_err(said("compare", left))?) {
        return Err(differ());
    }
    Ok(())
}

fn same_bytes(left: &Path, right: &Path) -> std::io::Result<bool> {
    let (mut left, mut right) = (File::open(left)?, File::open(right)?);
    let (mut a, mut b) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let n = left.read(&mut a)?;
        if n == 0 {
            return Ok(right.read(&mut b)? == 0);
        }
        if right.read_exact(&mut b[..n]).is_err() || a[..n] != b[..n] {
            return Ok(false);
        }
    }
}

/// Bytes on disk of everything below a path; what cannot be read counts as nothing.
pub fn size(path: &Path) -> u64 {
    let Ok(meta) = fs::symlink_metadata(path) else { return 0 };
    let own = meta.blocks() * 512;
    if !meta.is_dir() {
        return own;
    }
    own + fs::read_dir(path).into_iter().flatten().flatten().map(|e| size(&e.path())).sum::<u64>()
}
