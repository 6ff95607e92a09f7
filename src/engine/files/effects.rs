//! Writing files so that each is wholly old or wholly new, whatever happens half-way.
//!
//! Nothing is touched unless every file still is what the plan saw; directories below a root are walked
//! without following symlinks. When one effect fails, those already done are taken back in reverse order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustix::fs::AtFlags;

use crate::core::{Effect, Error, FileImage, Kind, Result};
use crate::engine::files::dirs::UnflushedDirs;
use crate::engine::files::made::Ours;
use crate::engine::files::reach::{failed, open_parent, prune};
use crate::engine::files::staging::{Put, StagedContent, StagedFile, side_by_side};
use crate::engine::files::standing::{is_below_another, make_way, standing_by};

pub use crate::engine::files::staging::TEMPORARY;
pub use crate::engine::files::standing::{EffectStanding, stand, standing};

/// So many files, or so many bytes, are staged before they are put in place.
const GROUP_FILES: usize = 64;
const GROUP_BYTES: usize = 8 * 1024 * 1024;

/// The content of an image of a file below a root.
pub type Blobs<'a> = &'a dyn Fn(&Effect, &FileImage) -> Result<Vec<u8>>;

/// Why an apply failed, and whether everything was put back.
#[derive(Debug)]
pub struct ApplyFailure {
    pub error: Error,
    /// Files that could not be put back.
    pub stuck: Vec<String>,
}

/// Carries out all effects or none. `after_each` is told the number done so far, beginning with 0.
pub fn apply(
    effects: &[Effect],
    blobs: Blobs,
    ours: &Ours,
    after_each: &dyn Fn(usize),
) -> std::result::Result<(), ApplyFailure> {
    let mut dirs = UnflushedDirs::default();
    let standings =
        check_all(effects, &mut dirs).map_err(|error| ApplyFailure { error, stuck: Vec::new() })?;
    after_each(0);
    let mut done = 0;
    while done < effects.len() {
        let staged = match stage(&effects[done..], &standings[done..], blobs, &mut dirs) {
            Ok(staged) => staged,
            Err((error, tried)) => return Err(failure(error, effects, done, done + tried, blobs, ours)),
        };
        let group = done + staged.len();
        let mut staged = staged.into_iter();
        while let Some(new) = staged.next() {
            if let Err(error) = put(&effects[done], effects, new, blobs, ours, &mut dirs) {
                drop(staged);
                // What somebody else put in the way of the failing one is theirs; it is not ours to put back.
                let mine = matches!(
                    standing(&effects[done], effects),
                    Ok(EffectStanding::Before | EffectStanding::After)
                );
                return Err(failure(error, effects, done + usize::from(mine), group, blobs, ours));
            }
            done += 1;
            after_each(done);
        }
    }
    // Names must be durable before the operation is called done; contents already are.
    dirs.flush().map_err(|error| failure(error, effects, done, done, blobs, ours))
}

/// Takes back the first `done` effects; the others, up to `begun`, may have got a directory.
fn failure(
    error: Error,
    effects: &[Effect],
    done: usize,
    begun: usize,
    blobs: Blobs,
    ours: &Ours,
) -> ApplyFailure {
    for effect in effects[done..begun].iter().filter(|effect| effect.before.is_none()) {
        prune(effect, ours);
    }
    ApplyFailure { stuck: take_back(&effects[..done], blobs, ours), error }
}

/// Is every file what the effects expect? Changes nothing.
pub fn check(effects: &[Effect]) -> Result<()> {
    check_all(effects, &mut UnflushedDirs::default()).map(|_| ())
}

/// Nothing is written if any file is in a state the plan did not see; the error names them all.
fn check_all(effects: &[Effect], dirs: &mut UnflushedDirs) -> Result<Vec<EffectStanding>> {
    let mut standings = Vec::with_capacity(effects.len());
    let mut strangers = Vec::new();
    for effect in effects {
        let standing = standing_by(dirs.open(effect, false), effect, effects)?;
        if standing == EffectStanding::Elsewhere {
            strangers.push(effect.full_path());
        }
        standings.push(standing);
    }
    if strangers.is_empty() { Ok(standings) } else { Err(drifted(&strangers)) }
}

/// Writes the new contents of the next effects beside their files. A failure tells how many it had begun.
fn stage(
    effects: &[Effect],
    standings: &[EffectStanding],
    blobs: Blobs,
    dirs: &mut UnflushedDirs,
) -> std::result::Result<Vec<Option<StagedFile>>, (Error, usize)> {
    let mut contents = Vec::new();
    let mut bytes = 0;
    for (effect, standing) in effects.iter().zip(standings).take(GROUP_FILES) {
        if bytes > GROUP_BYTES {
            break;
        }
        let tried = contents.len() + 1;
        // What goes may have to make room for the directories of what comes.
        if effect.after.is_some() && !contents.is_empty() && effects[contents.len() - 1].after.is_none() {
            break;
        }
        let content = match &effect.after {
            Some(image) if *standing == EffectStanding::Before => {
                Some(content(effect, image, blobs, dirs).map_err(|error| (error, tried))?)
            }
            _ => None,
        };
        bytes += content.as_ref().map_or(0, |c| c.bytes.len());
        contents.push(content);
    }
    let tried = contents.len();
    let staged = side_by_side(contents, |content| content.map(|c| StagedFile::write(&c)).transpose());
    staged.into_iter().collect::<Result<_>>().map_err(|error| (error, tried))
}

fn content<'a>(
    effect: &'a Effect,
    image: &'a FileImage,
    blobs: Blobs,
    dirs: &mut UnflushedDirs,
) -> Result<StagedContent<'a>> {
    let bytes = blobs(effect, image)?;
    let Some((dir, _)) = dirs.open(effect, true)? else { return Err(drifted(&[effect.full_path()])) };
    Ok(StagedContent { dir, effect, image, bytes })
}

/// Undoes effects in reverse order; returns the files that could not be put back.
pub fn take_back(effects: &[Effect], blobs: Blobs, ours: &Ours) -> Vec<String> {
    let mut stuck = Vec::new();
    let mut dirs = UnflushedDirs::default();
    let back: Vec<Effect> = effects.iter().map(Effect::inverse).collect();
    for (effect, inverse) in effects.iter().zip(&back).rev().filter(|(effect, _)| !effect.kept) {
        let path = effect.full_path();
        match standing(effect, effects) {
            Ok(EffectStanding::Before) => {
                if effect.before.is_none() {
                    prune(effect, ours);
                }
            }
            Ok(EffectStanding::After) => {
                if let Err(e) = put(inverse, &back, None, blobs, ours, &mut dirs) {
                    stuck.push(format!("{}: {}", path.display(), e.message));
                }
            }
            Ok(EffectStanding::Elsewhere) => {
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

/// Makes one effect true, with its new content if that is staged already.
fn put(
    effect: &Effect,
    among: &[Effect],
    staged: Option<StagedFile>,
    blobs: Blobs,
    ours: &Ours,
    dirs: &mut UnflushedDirs,
) -> Result<()> {
    let (dir, name) = match dirs.open(effect, effect.after.is_some()) {
        Ok(Some(found)) => found,
        // No directory means no file.
        Ok(None) if effect.after.is_none() => return Ok(()),
        Ok(None) => return Err(drifted(&[effect.full_path()])),
        Err(_) if effect.after.is_none() && is_below_another(effect, among) => return Ok(()),
        Err(e) => return Err(e),
    };
    match standing_by(Ok(Some((dir.clone(), name.clone()))), effect, among)? {
        EffectStanding::After => {
            dirs.touched(effect);
            return Ok(());
        }
        EffectStanding::Before => {}
        EffectStanding::Elsewhere => return Err(drifted(&[effect.full_path()])),
    }
    match &effect.after {
        Some(image) => {
            let staged = match staged {
                Some(staged) => staged,
                None => StagedFile::write(&content(effect, image, blobs, dirs)?)?,
            };
            if effect.before.is_none() {
                make_way(&dir, &name);
            }
            if let Put::Taken = staged.put(&name, effect)? {
                return Err(drifted(&[effect.full_path()]));
            }
            dirs.touched(effect);
        }
        None => {
            rustix::fs::unlinkat(&dir, &name, AtFlags::empty()).map_err(|e| failed("remove", effect, e))?;
            dirs.touched(effect);
            prune(effect, ours);
        }
    }
    Ok(())
}

fn drifted(paths: &[PathBuf]) -> Error {
    let names: Vec<_> = paths.iter().take(20).map(|p| p.display().to_string()).collect();
    let more = if paths.len() > 20 { format!(" and {} more", paths.len() - 20) } else { String::new() };
    let (verb, it) = if paths.len() == 1 { ("is", "it") } else { ("are", "them") };
    Error::new(
        Kind::Conflict,
        "file_changed",
        format!("{}{more} {verb} not as expected: somebody changed {it} since.", names.join(", ")),
    )
    .hint("Look at the changes. Keep them and leave things as they are, or put them away and try again. Nothing was left changed.")
    .details(serde_json::json!({"path": paths.first(), "paths": paths}))
}
