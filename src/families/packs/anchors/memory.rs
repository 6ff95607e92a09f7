//! Which anchors were found in place in which untouched file: a second check of the same file is one stat.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::known;
use crate::core::Timestamp;
use crate::core::world::Stat;

/// More files than any pack points to; beyond it everything is forgotten and looked at again.
const MAX_FILES: usize = 20_000;

#[derive(Default)]
pub struct AnchorMemory(Mutex<HashMap<PathBuf, Known>>);

struct Known {
    stat: Stat,
    /// Lines and digest of anchors that are there.
    anchors: HashSet<(u64, u64, String)>,
}

fn name(anchor: &known::Known) -> (u64, u64, String) {
    (anchor.lines.start, anchor.lines.end, anchor.digest.0.clone())
}

impl AnchorMemory {
    pub fn knows(&self, file: &Path, stat: &Stat, anchor: &known::Known) -> bool {
        self.kept().get(file).is_some_and(|k| k.stat == *stat && k.anchors.contains(&name(anchor)))
    }

    /// Remembers what was read after this stat was taken. A file that may still change under it is not remembered.
    pub fn note(&self, file: &Path, stat: &Stat, anchor: &known::Known, now: Timestamp) {
        if !stat.settled(now) {
            return;
        }
        let mut kept = self.kept();
        if kept.len() >= MAX_FILES {
            kept.clear();
        }
        match kept.get_mut(file) {
            Some(known) if known.stat == *stat => {
                known.anchors.insert(name(anchor));
            }
            _ => {
                let known = Known { stat: stat.clone(), anchors: HashSet::from([name(anchor)]) };
                kept.insert(file.to_path_buf(), known);
            }
        }
    }

    /// A panic while holding the lock cannot leave half an entry behind.
    fn kept(&self) -> MutexGuard<'_, HashMap<PathBuf, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
