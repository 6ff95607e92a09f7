//! Where the file of an effect stands: what it was planned to find, what it was planned to leave, or something else.
//!
//! Asked of an effect among those of its operation: where a file becomes a directory with files in it, or the other way
//! round, one stands in the way of the other until its turn comes. Changes nothing.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

use crate::core::{Effect, FileImage, Result};
use crate::engine::files::reach::{Present, open_parent, present_in};
use crate::engine::files::staging::side_by_side;

/// Where an effect stands: what it planned to find, what it planned to leave, or something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectStanding {
    Before,
    After,
    Elsewhere,
}

/// Where the file of an effect stands now, among the effects that it belongs to.
pub fn standing(effect: &Effect, among: &[Effect]) -> Result<EffectStanding> {
    standing_by(open_parent(effect, false), effect, among)
}

/// For each effect: could it be carried out by itself? On a few threads, since every file has to be read.
pub fn stand(effects: &[Effect]) -> Vec<bool> {
    let fits = |at: usize| standing(&effects[at], effects).is_ok_and(|is| is != EffectStanding::Elsewhere);
    side_by_side((0..effects.len()).collect(), fits)
}

/// The same by the way to the file, as far as that was found.
pub(super) fn standing_by<D: Borrow<OwnedFd>>(
    way: Result<Option<(D, OsString)>>,
    effect: &Effect,
    among: &[Effect],
) -> Result<EffectStanding> {
    let present = match way {
        Ok(Some((dir, name))) => match present_in(dir.borrow(), &name, effect)? {
            Present::Directory if gives_way(dir.borrow(), &name, effect, among) => Present::Nothing,
            present => present,
        },
        Ok(None) => Present::Nothing,
        // A file is where a directory has to be: it has an effect of its own, and stands by that.
        Err(_) if is_below_another(effect, among) => Present::Nothing,
        Err(e) => return Err(e),
    };
    Ok(compare(&present, effect))
}

/// Is another effect about something that a directory would have to be for this one?
pub(super) fn is_below_another(effect: &Effect, among: &[Effect]) -> bool {
    among.iter().any(|other| is_below(effect, other))
}

fn is_below(effect: &Effect, other: &Effect) -> bool {
    effect.path != other.path && effect.full_path().starts_with(other.full_path())
}

/// A directory in the place of a file is nothing by itself if it came with files below that have effects, too; or if it
/// holds none but those that go.
fn gives_way(dir: &OwnedFd, name: &OsStr, effect: &Effect, among: &[Effect]) -> bool {
    let mut below = among.iter().filter(|other| is_below(other, effect)).peekable();
    if effect.after.is_none() || below.peek().is_none() {
        return below.peek().is_some();
    }
    let going: BTreeSet<PathBuf> = below.filter(|e| e.after.is_none()).map(Effect::full_path).collect();
    !going.is_empty() && holds_only(dir, name, &effect.full_path(), &going)
}

fn holds_only(dir: &OwnedFd, name: &OsStr, path: &Path, going: &BTreeSet<PathBuf>) -> bool {
    let Ok((here, entries)) = entries(dir, name) else { return false };
    entries.iter().all(|(entry, is_dir)| match path.join(entry) {
        below if *is_dir => holds_only(&here, entry, &below, going),
        below => going.contains(&below),
    })
}

/// Takes away a directory that holds nothing but directories, whoever made it: a file has to come there.
pub(super) fn make_way(dir: &OwnedFd, name: &OsStr) {
    let Ok((here, entries)) = entries(dir, name) else { return };
    for (below, _) in entries.iter().filter(|(_, is_dir)| *is_dir) {
        make_way(&here, below);
    }
    // What is not empty stays, and whoever comes there sees it.
    let _ = rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR);
}

type Entries = (OwnedFd, Vec<(OsString, bool)>);

/// What a directory holds, and which of it are directories. `Err` for whatever is none.
fn entries(dir: &OwnedFd, name: &OsStr) -> rustix::io::Result<Entries> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let here = rustix::fs::openat(dir, name, flags, Mode::empty())?;
    let mut out = Vec::new();
    for entry in Dir::read_from(&here)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => {
                FileType::from_raw_mode(rustix::fs::statat(&here, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
            }
            known => known,
        };
        out.push((name.to_os_string(), kind == FileType::Directory));
    }
    Ok((here, out))
}

fn compare(present: &Present, effect: &Effect) -> EffectStanding {
    if effect.kept && matches!(present, Present::File(_)) {
        return EffectStanding::After;
    }
    let is = |want: &Option<FileImage>| match (present, want) {
        (Present::Nothing, None) => true,
        (Present::File(have) | Present::Link(have), Some(want)) => have == want,
        _ => false,
    };
    if is(&effect.after) {
        EffectStanding::After
    } else if is(&effect.before) {
        EffectStanding::Before
    } else {
        EffectStanding::Elsewhere
    }
}
