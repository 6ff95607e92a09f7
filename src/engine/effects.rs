//! Writing files so that each is wholly old or wholly new, whatever happens half-way.
//!
//! A file is only touched if it still is what the plan saw; directories below a root are walked without
//! following symlinks. When one effect fails, those already done are taken back in reverse order.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::core::{Effect, Error, FileImage, Kind, Result, Sha};

/// Temporary names begin so; recovery removes whatever a crash left under such a name.
pub const TEMPORARY: &str = ".packd-tmp-";

/// What is on disk where an effect wants to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Present {
    Nothing,
    File(FileImage),
    /// A directory, symlink or special file.
    Other,
}

/// Where an effect stands: what it planned to find, what it planned to leave, or something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Before,
    After,
    Elsewhere,
}

/// Content by address.
pub type Blobs<'a> = &'a dyn Fn(&Sha) -> Result<Vec<u8>>;

/// Why an apply failed, and whether everything was put back.
#[derive(Debug)]
pub struct Failure {
    pub error: Error,
    /// Files that could not be put back.
    pub stuck: Vec<String>,
}

/// Carries out all effects or none. `after_each` is told the number done so far.
pub fn apply(
    effects: &[Effect],
    blobs: Blobs,
    after_each: &dyn Fn(usize),
) -> std::result::Result<(), Failure> {
    for (done, effect) in effects.iter().enumerate() {
        if let Err(error) = carry_out(effect, blobs) {
            return Err(Failure { error, stuck: take_back(&effects[..done], blobs) });
        }
        after_each(done + 1);
    }
    Ok(())
}

/// Undoes effects in reverse order; returns the files that could not be put back.
pub fn take_back(effects: &[Effect], blobs: Blobs) -> Vec<String> {
    let mut stuck = Vec::new();
    for effect in effects.iter().rev() {
        match standing(effect) {
            Ok(Standing::Before) => {}
            Ok(Standing::After) => {
                if let Err(e) = carry_out(&effect.inverse(), blobs) {
                    stuck.push(format!("{}: {}", effect.full_path().display(), e.message));
                }
            }
            Ok(Standing::Elsewhere) => {
                stuck.push(format!("{}: it was changed by somebody else", effect.full_path().display()));
            }
            Err(e) => stuck.push(format!("{}: {}", effect.full_path().display(), e.message)),
        }
    }
    stuck
}

/// Where the file of an effect stands now.
pub fn standing(effect: &Effect) -> Result<Standing> {
    let present = match open_parent(effect, false)? {
        Some((dir, name)) => present_in(&dir, &name, effect)?,
        None => Present::Nothing,
    };
    let is = |want: &Option<FileImage>| match (&present, want) {
        (Present::Nothing, None) => true,
        (Present::File(have), Some(want)) => have == want,
        _ => false,
    };
    Ok(if is(&effect.after) {
        Standing::After
    } else if is(&effect.before) {
        Standing::Before
    } else {
        Standing::Elsewhere
    })
}

/// Removes temporary files that a crash left beside the files of these effects.
pub fn sweep_temporaries(effects: &[Effect]) {
    let mut seen = std::collections::BTreeSet::new();
    for effect in effects {
        let Some(dir) = effect.full_path().parent().map(Path::to_path_buf) else { continue };
        if !seen.insert(dir.clone()) {
            continue;
        }
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn carry_out(effect: &Effect, blobs: Blobs) -> Result<()> {
    let Some((dir, name)) = open_parent(effect, effect.after.is_some())? else {
        // No directory means no file: right for a deletion of nothing, wrong for everything else.
        return if effect.before.is_none() && effect.after.is_none() { Ok(()) } else { Err(drifted(effect)) };
    };
    match standing(effect)? {
        Standing::After => return Ok(()),
        Standing::Before => {}
        Standing::Elsewhere => return Err(drifted(effect)),
    }
    match &effect.after {
        Some(image) => write_file(&dir, &name, image, &blobs(&image.sha)?, effect)?,
        None => {
            rustix::fs::unlinkat(&dir, &name, AtFlags::empty()).map_err(|e| failed("remove", effect, e))?;
            rustix::fs::fsync(&dir).map_err(|e| failed("flush the directory of", effect, e))?;
            prune(effect);
        }
    }
    Ok(())
}

fn write_file(dir: &OwnedFd, name: &OsStr, image: &FileImage, bytes: &[u8], effect: &Effect) -> Result<()> {
    let temporary = OsString::from(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let written = (|| {
        let fd = rustix::fs::openat(dir, &temporary, flags, Mode::from_raw_mode(0o600))
            .map_err(|e| failed("create a file beside", effect, e))?;
        let mut file = File::from(fd);
        file.write_all(bytes).map_err(|e| failed("write", effect, e))?;
        rustix::fs::fchmod(&file, Mode::from_raw_mode(image.mode as rustix::fs::RawMode))
            .map_err(|e| failed("set the mode of", effect, e))?;
        file.sync_all().map_err(|e| failed("flush", effect, e))?;
        rustix::fs::renameat(dir, &temporary, dir, name).map_err(|e| failed("put in place", effect, e))?;
        rustix::fs::fsync(dir).map_err(|e| failed("flush the directory of", effect, e))
    })();
    if written.is_err() {
        let _ = rustix::fs::unlinkat(dir, &temporary, AtFlags::empty());
    }
    written
}

/// Opens the directory a file lives in, from its root downwards, never through a symlink.
///
/// `None` = a directory on the way does not exist (and `create` is false).
fn open_parent(effect: &Effect, create: bool) -> Result<Option<(OwnedFd, OsString)>> {
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
        std::fs::create_dir_all(&effect.root).map_err(|e| failed("create the root of", effect, e))?;
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
            rustix::fs::fsync(&dir).map_err(|e| failed("flush the directory of", effect, e))?;
            next = rustix::fs::openat(&dir, name, flags | OFlags::NOFOLLOW, Mode::empty());
        }
        dir = match next {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(through_link(effect)),
            Err(e) => return Err(failed("open a directory of", effect, e)),
        };
    }
    Ok(Some((dir, file.to_os_string())))
}

fn present_in(dir: &OwnedFd, name: &OsStr, effect: &Effect) -> Result<Present> {
    let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Present::Nothing),
        Err(e) => return Err(failed("look at", effect, e)),
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(Present::Other);
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd =
        rustix::fs::openat(dir.as_fd(), name, flags, Mode::empty()).map_err(|e| failed("open", effect, e))?;
    let mut bytes = Vec::new();
    File::from(fd).read_to_end(&mut bytes).map_err(|e| failed("read", effect, e))?;
    Ok(Present::File(FileImage { sha: Sha::of(&bytes), mode: stat.st_mode & 0o7777 }))
}

/// Directories that became empty go, up to but not including the root.
fn prune(effect: &Effect) {
    let mut dir = effect.path.parent();
    while let Some(path) = dir.filter(|p| !p.as_os_str().is_empty()) {
        if std::fs::remove_dir(effect.root.join(path)).is_err() {
            return;
        }
        dir = path.parent();
    }
}

fn failed(verb: &str, effect: &Effect, e: impl std::fmt::Display) -> Error {
    Error::io(format!("Cannot {verb} {}: {e}.", effect.full_path().display()))
        .hint("Everything this operation had written was put back.")
}

fn drifted(effect: &Effect) -> Error {
    Error::new(
        Kind::Conflict,
        "file_changed",
        format!("{} is not what the plan saw; somebody changed it.", effect.full_path().display()),
    )
    .hint("Look at the file, then make a new plan. Nothing was left changed.")
    .details(serde_json::json!({"path": effect.full_path()}))
}

fn outside(effect: &Effect) -> Error {
    Error::invalid("path_outside_root", format!("{} leaves its root.", effect.path.display()))
}

fn through_link(effect: &Effect) -> Error {
    Error::new(
        Kind::Denied,
        "path_through_symlink",
        format!(
            "A directory on the way to {} is a symlink; packd does not write through it.",
            effect.full_path().display()
        ),
    )
    .hint("Replace the symlink by a directory, or deploy to the place it points to.")
}
