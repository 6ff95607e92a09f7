//! The directories that packd made: only these, and only while they are empty, does it ever take away.
//!
//! They are noted before the first of them is made, so that a crash leaves none without an owner, and with their
//! inode once the operation is done: a directory of the same name that somebody made later is theirs. What an older
//! packd made is not noted and stays.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::core::effect::{MADE, MadeDir};
use crate::core::{Draft, Effect, Key, Result, View};
use crate::engine::Shared;
use crate::store::Batch;

/// Which directories on the way to some files are packd's.
#[derive(Debug, Default)]
pub struct Ours {
    known: BTreeMap<PathBuf, MadeDir>,
    new: bool,
}

fn key(path: &Path) -> Key {
    Key::of(&path.to_string_lossy())
}

/// The directories between an effect's root and its file, without the root.
fn above(effect: &Effect) -> impl Iterator<Item = PathBuf> + '_ {
    let dirs = effect.path.ancestors().skip(1).filter(|p| !p.as_os_str().is_empty());
    dirs.map(|p| effect.root.join(p))
}

fn found(path: &Path) -> Option<MadeDir> {
    let meta = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_dir)?;
    Some(MadeDir { device: meta.dev(), inode: meta.ino() })
}

impl Ours {
    /// Directories that these effects would have to make.
    pub fn missing(effects: &[Effect]) -> Ours {
        let mut ours = Ours::default();
        let mut seen = std::collections::BTreeSet::new();
        for effect in effects.iter().filter(|e| e.after.is_some()) {
            for dir in above(effect) {
                // Whoever made the one below made this one, or saw it.
                if !seen.insert(dir.clone()) {
                    break;
                }
                // A file in its place goes before it is made.
                if !std::fs::symlink_metadata(&dir).is_ok_and(|meta| meta.is_dir()) {
                    ours.new = true;
                    ours.known.insert(dir, MadeDir::default());
                }
            }
        }
        ours
    }

    /// May this directory go, once it is empty?
    pub fn may_go(&self, path: &Path) -> bool {
        self.known.get(path).is_some_and(|made| *made == MadeDir::default() || found(path) == Some(*made))
    }

    /// What became of them: `None` = gone.
    fn ends(&self) -> Vec<(PathBuf, Option<MadeDir>)> {
        let end = |(path, was): (&PathBuf, &MadeDir)| match found(path) {
            now if *was == MadeDir::default() => Some((path.clone(), now)),
            Some(now) if now == *was => None,
            // Gone, or somebody else's by now.
            _ => Some((path.clone(), None)),
        };
        self.known.iter().filter_map(end).collect()
    }
}

impl Shared {
    /// Those that were made before, and those to be made now, which are noted first.
    pub(in crate::engine) fn own_dirs(&self, effects: &[Effect]) -> Result<Ours> {
        let mut ours = Ours::missing(effects);
        {
            let snapshot = self.store.read()?;
            let view = snapshot.view();
            let dirs: std::collections::BTreeSet<PathBuf> = effects.iter().flat_map(above).collect();
            for dir in dirs {
                if let Some((made, _)) = (&view as &dyn View).get::<MadeDir>(MADE, &key(&dir))? {
                    ours.known.entry(dir).or_insert(made);
                }
            }
        }
        if ours.new {
            let fresh = ours.known.iter().filter(|(_, made)| **made == MadeDir::default());
            let notes: Vec<_> = fresh.map(|(path, made)| (path.clone(), Some(*made))).collect();
            self.in_writer_blocking(move |batch| note(batch, &notes))?;
        }
        Ok(ours)
    }
}

/// Notes what became of directories, together with the end of the operation.
pub(in crate::engine) fn settle(ours: &Ours) -> impl FnOnce(&Batch) -> Result<()> + Send + 'static {
    let ends = ours.ends();
    move |batch| if ends.is_empty() { Ok(()) } else { note(batch, &ends) }
}

fn note(batch: &Batch, dirs: &[(PathBuf, Option<MadeDir>)]) -> Result<()> {
    let view = batch.view();
    let mut draft = Draft::new(&view);
    for (path, made) in dirs {
        match made {
            Some(made) => draft.put(MADE, &key(path), made).map(drop)?,
            None => draft.delete(MADE, &key(path))?,
        }
    }
    batch.apply_quietly(&mut draft.into_outcome())
}
