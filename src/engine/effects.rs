//! Writing files so that each is wholly old or wholly new, whatever happens half-way.
//!
//! Nothing is touched unless every file still is what the plan saw; directories below a root are walked
//! without following symlinks. When one effect fails, those already done are taken back in reverse order.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::reach::{Present, failed, failed_at, open_parent, present_in, prune};
use crate::core::{Effect, Error, FileImage, Kind, Result, Sha};

/// Temporary names begin so; recovery removes whatever a crash left under such a name.
pub const TEMPORARY: &str = ".packd-tmp-";

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

/// Carries out all effects or none. `after_each` is told the number done so far, beginning with 0.
pub fn apply(
    effects: &[Effect],
    blobs: Blobs,
    after_each: &dyn Fn(usize),
) -> std::result::Result<(), Failure> {
    if let Err(error) = check_all(effects) {
        return Err(Failure { error, stuck: Vec::new() });
    }
    let mut dirs = Dirs::default();
    after_each(0);
    for (done, effect) in effects.iter().enumerate() {
        if let Err(error) = carry_out(effect, blobs, &mut dirs) {
            // What somebody else put in the way of the failing one is theirs; it is not ours to put back.
            let ours = matches!(standing(effect), Ok(Standing::Before | Standing::After));
            return Err(failure(error, &effects[..done + usize::from(ours)], blobs));
        }
        after_each(done + 1);
    }
    // Names must be durable before the operation is called done; contents already are.
    dirs.flush().map_err(|error| failure(error, effects, blobs))
}

fn failure(error: Error, done: &[Effect], blobs: Blobs) -> Failure {
    Failure { stuck: take_back(done, blobs), error }
}

/// Nothing is written if any file is in a state the plan did not see; the error names them all.
fn check_all(effects: &[Effect]) -> Result<()> {
    let mut strangers = Vec::new();
    for effect in effects {
        if standing(effect)? == Standing::Elsewhere {
            strangers.push(effect.full_path());
        }
    }
    if strangers.is_empty() { Ok(()) } else { Err(drifted(&strangers)) }
}

/// Undoes effects in reverse order; returns the files that could not be put back.
pub fn take_back(effects: &[Effect], blobs: Blobs) -> Vec<String> {
    let mut stuck = Vec::new();
    let mut dirs = Dirs::default();
    for effect in effects.iter().rev() {
        let path = effect.full_path();
        match standing(effect) {
            Ok(Standing::Before) => {
                if effect.before.is_none() {
                    prune(effect);
                }
            }
            Ok(Standing::After) => {
                if let Err(e) = carry_out(&effect.inverse(), blobs, &mut dirs) {
                    stuck.push(format!("{}: {}", path.display(), e.message));
                }
            }
            Ok(Standing::Elsewhere) => {
                stuck.push(format!("{}: it was changed by somebody else", path.display()));
            }
            Err(e) => stuck.push(format!("{}: {}", path.display(), e.message)),
        }
    }
    if let Err(e) = dirs.flush() {
        stuck.push(e.message);
    }
    stuck
}

/// Where the file of an effect stands now.
pub fn standing(effect: &Effect) -> Result<Standing> {
    match open_parent(effect, false)? {
        Some((dir, name)) => standing_in(&dir, &name, effect),
        None => Ok(compare(&Present::Nothing, effect)),
    }
}

fn standing_in(dir: &OwnedFd, name: &OsStr, effect: &Effect) -> Result<Standing> {
    Ok(compare(&present_in(dir, name, effect)?, effect))
}

fn compare(present: &Present, effect: &Effect) -> Standing {
    let is = |want: &Option<FileImage>| match (present, want) {
        (Present::Nothing, None) => true,
        (Present::File(have), Some(want)) => have == want,
        _ => false,
    };
    if is(&effect.after) {
        Standing::After
    } else if is(&effect.before) {
        Standing::Before
    } else {
        Standing::Elsewhere
    }
}

/// Removes temporary files that a crash left beside the files of these effects.
pub fn sweep_temporaries(effects: &[Effect]) {
    let mut seen = BTreeSet::new();
    for effect in effects {
        if !seen.insert(effect.full_path().parent().map(Path::to_path_buf)) {
            continue;
        }
        let Ok(Some((dir, _))) = open_parent(effect, false) else { continue };
        let Ok(entries) = rustix::fs::Dir::read_from(&dir) else { continue };
        for entry in entries.flatten() {
            if entry.file_name().to_bytes().starts_with(TEMPORARY.as_bytes()) {
                let _ = rustix::fs::unlinkat(&dir, entry.file_name(), AtFlags::empty());
            }
        }
    }
}

/// The directory written to last, kept open, and all that still have to be flushed.
///
/// Only one descriptor is held, so that the number of directories does not matter.
#[derive(Default)]
struct Dirs {
    last: Option<(PathBuf, OwnedFd)>,
    unflushed: BTreeSet<PathBuf>,
}

impl Dirs {
    fn open(&mut self, effect: &Effect, create: bool) -> Result<Option<(&OwnedFd, OsString)>> {
        let path = effect.full_path();
        let parent = path.parent().unwrap_or(&path).to_path_buf();
        let known = self.last.take().filter(|(dir, _)| *dir == parent);
        let name = path.file_name().map(OsStr::to_os_string).unwrap_or_default();
        let fd = match known {
            Some((_, fd)) if fd_is_current(&fd) => fd,
            _ => match open_parent(effect, create)? {
                Some((fd, _)) => fd,
                None => return Ok(None),
            },
        };
        let (_, fd) = self.last.insert((parent, fd));
        Ok(Some((fd, name)))
    }

    fn flush(&mut self) -> Result<()> {
        self.last = None;
        for dir in std::mem::take(&mut self.unflushed) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            match rustix::fs::open(&dir, flags, Mode::empty()) {
                Ok(fd) => rustix::fs::fsync(&fd).map_err(|e| failed_at("flush the directory", &dir, e))?,
                // Removed again because it became empty; its parent is in the list as well.
                Err(Errno::NOENT) => {}
                Err(e) => return Err(failed_at("flush the directory", &dir, e)),
            }
        }
        Ok(())
    }

    /// Remembers that the names in an effect's directory, and in those above it, may be new.
    fn touched(&mut self, effect: &Effect) {
        for dir in effect.full_path().ancestors().skip(1) {
            if !dir.starts_with(&effect.root) || !self.unflushed.insert(dir.to_path_buf()) {
                return;
            }
        }
    }
}

/// A directory that was removed while it was open no longer has a name.
fn fd_is_current(fd: &OwnedFd) -> bool {
    rustix::fs::fstat(fd).is_ok_and(|stat| stat.st_nlink > 0)
}

fn carry_out(effect: &Effect, blobs: Blobs, dirs: &mut Dirs) -> Result<()> {
    let Some((dir, name)) = dirs.open(effect, effect.after.is_some())? else {
        // No directory means no file.
        return if effect.after.is_none() { Ok(()) } else { Err(drifted(&[effect.full_path()])) };
    };
    match standing_in(dir, &name, effect)? {
        Standing::After => {
            dirs.touched(effect);
            return Ok(());
        }
        Standing::Before => {}
        Standing::Elsewhere => return Err(drifted(&[effect.full_path()])),
    }
    match &effect.after {
        Some(image) => {
            write_file(dir, &name, image, &blobs(&image.sha)?, effect)?;
            dirs.touched(effect);
        }
        None => {
            rustix::fs::unlinkat(dir, &name, AtFlags::empty()).map_err(|e| failed("remove", effect, e))?;
            dirs.touched(effect);
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
        put_in_place(dir, &temporary, name, effect)
    })();
    if written.is_err() {
        let _ = rustix::fs::unlinkat(dir, &temporary, AtFlags::empty());
    }
    written
}

/// A new file must not replace one that appeared since the check, so it is linked, not renamed, into place.
fn put_in_place(dir: &OwnedFd, temporary: &OsStr, name: &OsStr, effect: &Effect) -> Result<()> {
    if effect.before.is_none() {
        match rustix::fs::linkat(dir, temporary, dir, name, AtFlags::empty()) {
            Ok(()) => {
                return rustix::fs::unlinkat(dir, temporary, AtFlags::empty())
                    .map_err(|e| failed("tidy up beside", effect, e));
            }
            Err(Errno::EXIST) => return Err(drifted(&[effect.full_path()])),
            // This file system has no links.
            Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS | Errno::MLINK) => {}
            Err(e) => return Err(failed("put in place", effect, e)),
        }
    }
    rustix::fs::renameat(dir, temporary, dir, name).map_err(|e| failed("put in place", effect, e))
}

fn drifted(paths: &[PathBuf]) -> Error {
    let names: Vec<_> = paths.iter().take(20).map(|p| p.display().to_string()).collect();
    let more = if paths.len() > 20 { format!(" and {} more", paths.len() - 20) } else { String::new() };
    let verb = if paths.len() == 1 { "is" } else { "are" };
    Error::new(
        Kind::Conflict,
        "file_changed",
        format!("{}{more} {verb} not what the plan saw; somebody changed it.", names.join(", ")),
    )
    .hint("Look at the file, then make a new plan. Nothing was left changed.")
    .details(serde_json::json!({"path": paths.first(), "paths": paths}))
}
