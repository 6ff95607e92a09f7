//! Snapshots of work trees: taken when a hook or a tool asks, recorded as operations, kept in a directory of packd's own.
//!
//! Reads the user's files and git's listing of them; writes nothing but its own directory and rows. One look at a tree
//! at a time, in the order in which they were asked for. What a change means is decided in `core::snapshot`.

pub(super) mod around;
mod collect;
mod dirs;
mod hook;
mod index;
mod known;
mod listing;
mod look;
mod objects;
mod own;
mod place;
mod read;
mod sides;
mod stats;
mod take;
mod why;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Mutex as Turn;

use crate::core::Sha;
use crate::core::snapshot::Patterns;

use index::TreeIndex;
use listing::HeardIndexes;
use objects::Objects;
use place::TreePlace;
pub(super) use take::lives;

/// Indexes in memory hold so many files together; beyond that the others are read again when they are needed.
const REMEMBERED: usize = 200_000;

/// What a person decides about snapshots.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Hooks take them.
    pub automatic: bool,
    pub exclude: Patterns,
    /// How much all of them may take.
    pub megabytes: u64,
    /// How long they are kept.
    pub days: u64,
    /// A tree of more files is not looked at unasked.
    pub max_files: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            automatic: true,
            exclude: Patterns::default(),
            megabytes: 2048,
            days: 30,
            max_files: crate::core::snapshot::MAX_FILES,
        }
    }
}

/// What is remembered of a tree between two looks.
#[derive(Default)]
pub(super) struct TreeMemory {
    index: Option<TreeIndex>,
    heard: HeardIndexes,
}

pub struct Snapshots {
    /// Below the daemon's own directory; `None` = there is nowhere to keep any.
    dir: Option<PathBuf>,
    settings: Settings,
    trees: Mutex<BTreeMap<PathBuf, Arc<Turn<TreeMemory>>>>,
    /// Bytes that may still be stored, once somebody counted.
    room: AtomicU64,
    counted: AtomicBool,
    /// Something was not stored for want of room.
    full: AtomicBool,
}

impl Snapshots {
    pub fn at(home: Option<&Path>, settings: Settings) -> Snapshots {
        Snapshots {
            dir: home.map(|home| home.join("snapshots")),
            settings,
            trees: Mutex::default(),
            room: AtomicU64::new(0),
            counted: AtomicBool::new(false),
            full: AtomicBool::new(false),
        }
    }

    /// A tree's turn: whoever asks first is first.
    fn turn(&self, root: &Path) -> Arc<Turn<TreeMemory>> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        trees.entry(root.to_path_buf()).or_default().clone()
    }

    /// Lets go of indexes that nobody uses, if together they are too large.
    fn forget_some(&self, but: &Path) {
        let trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let mut held = 0;
        for (root, turn) in trees.iter() {
            let Ok(mut memory) = turn.try_lock() else { continue };
            held += memory.index.as_ref().map_or(0, |index| index.entries.len());
            if held > REMEMBERED && root != but {
                *memory = TreeMemory::default();
            }
        }
    }

    /// Where a tree's contents are.
    fn objects(&self, place: &TreePlace, borrowed: Vec<PathBuf>) -> Option<Objects> {
        let sha256 = place.git.as_ref().is_some_and(|git| git.sha256);
        Some(Objects { dir: self.dir.as_ref()?.join(&place.store), sha256, borrowed })
    }

    fn index_file(&self, store: &str, root: &Path) -> Option<PathBuf> {
        let tree = Sha::of(root.as_os_str().as_encoded_bytes()).as_str()[..16].to_string();
        Some(self.dir.as_ref()?.join(store).join("trees").join(tree))
    }
}
