//! How much of snapshots is kept: old ones go, then the oldest until the rest fits, then every content that no
//! snapshot names. What stays is packed.
//!
//! Only files in packd's own directory are touched, and only while nobody looks at a tree that shares them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::index::{IndexedState, TreeIndex};
use super::objects::Objects;
use super::place::Repository;
use super::{Snapshots, TreeMemory};
use crate::core::snapshot::{SNAPSHOTS, Side, SnapshotRow, TREES, TreeRow, key, tree_key};
use crate::core::view::RowQuery;
use crate::core::{Draft, Key, Result, Timestamp, View};
use crate::engine::Shared;

/// More loose contents than this are packed.
const LOOSE: usize = 256;
const A_DAY: i64 = 86_400;
/// A collection for want of room makes room for more than the next snapshot.
const FILLED_TO: u64 = 80;

/// What was dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SnapshotsDropped {
    pub snapshots: u64,
    pub bytes: u64,
}

/// A tree as rows know it.
struct Known {
    root: String,
    row: TreeRow,
    /// Oldest first: number, time, the contents it names.
    states: Vec<(u64, Timestamp, Vec<String>)>,
}

impl Snapshots {
    /// How much is there, once: what is written later is counted as it is.
    pub(super) fn count(&self) {
        if !self.counted.swap(true, Ordering::SeqCst) {
            let used = self.dir.as_deref().map_or(0, size);
            let limit = self.settings.megabytes << 20;
            self.room.store(limit.saturating_sub(used), Ordering::SeqCst);
        }
    }
}

impl Shared {
    /// A collection where something could not be stored since the last one.
    pub(super) fn make_room(&self) {
        if self.snapshots.full.load(Ordering::Relaxed)
            && let Err(e) = self.collect_snapshots()
        {
            tracing::warn!("old snapshots could not be dropped: {e}");
        }
    }

    pub(in crate::engine) fn collect_snapshots(&self) -> Result<SnapshotsDropped> {
        let Some(dir) = self.snapshots.dir.clone().filter(|dir| dir.is_dir()) else {
            return Ok(SnapshotsDropped::default());
        };
        let before = size(&dir);
        let mut done = SnapshotsDropped::default();
        let mut stores: BTreeMap<String, Vec<Known>> = BTreeMap::new();
        for tree in self.known_trees()? {
            stores.entry(tree.row.store.clone()).or_default().push(tree);
        }
        let oldest =
            self.clock.now().plus_seconds(-A_DAY.saturating_mul(self.snapshots.settings.days as i64));
        for (store, trees) in &mut stores {
            self.collect_store(&dir.join(store), trees, oldest, &mut done)?;
        }
        let limit = self.snapshots.settings.megabytes << 20;
        while size(&dir) > limit / 100 * FILLED_TO {
            // The half that was taken first, of every tree: what is left is the newest of each.
            let mut times: Vec<Timestamp> =
                stores.values().flatten().flat_map(|tree| tree.states.iter().map(|s| s.1)).collect();
            times.sort_unstable();
            let Some(middle) = times.get(times.len() / 2).copied().filter(|_| times.len() > stores.len())
            else {
                break;
            };
            let had = done.snapshots;
            for (store, trees) in &mut stores {
                self.collect_store(&dir.join(store), trees, middle, &mut done)?;
            }
            if done.snapshots == had {
                break;
            }
        }
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            if !stores.contains_key(&entry.file_name().to_string_lossy().into_owned()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        done.bytes = before.saturating_sub(size(&dir));
        self.snapshots.full.store(false, Ordering::Relaxed);
        self.snapshots.counted.store(false, Ordering::SeqCst);
        self.snapshots.count();
        Ok(done)
    }

    fn known_trees(&self) -> Result<Vec<Known>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let mut out = Vec::new();
        for (at, row) in view.rows(&RowQuery::new(TREES, Key::empty()))? {
            let Some(root) = at.parts().text() else { continue };
            let row: TreeRow = row.decode(TREES, &at)?;
            let mut states = Vec::new();
            for (at, row) in view.rows(&RowQuery::new(SNAPSHOTS, Key::of(&root)))? {
                let state: SnapshotRow = row.decode(SNAPSHOTS, &at)?;
                let sides = state.changes.iter().flat_map(|c| [&c.before, &c.after]);
                let named = sides.filter_map(Side::object).map(str::to_string).collect();
                states.push((state.number, state.time, named));
            }
            out.push(Known { root, row, states });
        }
        Ok(out)
    }

    /// Drops the states of a store's trees that are older than `oldest`, but never a tree's newest while the tree is
    /// there; then the contents that nothing names.
    fn collect_store(
        &self,
        dir: &Path,
        trees: &mut Vec<Known>,
        oldest: Timestamp,
        done: &mut SnapshotsDropped,
    ) -> Result<()> {
        let turns: Vec<_> = trees.iter().map(|tree| self.snapshots.turn(Path::new(&tree.root))).collect();
        // A look takes one turn and waits for no other, so waiting for several, one after another, comes to an end.
        let mut held: Vec<_> = turns.iter().map(|turn| turn.blocking_lock()).collect();
        let mut gone: Vec<Key> = Vec::new();
        for tree in trees.iter_mut() {
            let there = Path::new(&tree.root).is_dir();
            let last = tree.row.last;
            tree.states.retain(|(number, time, _)| {
                let stays = *time >= oldest || (there && *number == last);
                if !stays {
                    gone.push(key(&tree.root, *number));
                }
                stays
            });
        }
        let forgotten: Vec<String> =
            trees.iter().filter(|tree| tree.states.is_empty()).map(|tree| tree.root.clone()).collect();
        done.snapshots += gone.len() as u64;
        if !gone.is_empty() || !forgotten.is_empty() {
            let trees = forgotten.clone();
            self.in_writer_blocking(move |batch| {
                let view = batch.view();
                let mut draft = Draft::new(&view);
                for key in &gone {
                    draft.delete(SNAPSHOTS, key)?;
                }
                for root in &trees {
                    draft.delete(TREES, &tree_key(root))?;
                }
                batch.apply_quietly(&mut draft.into_outcome())
            })?;
        }
        let mut live: BTreeSet<String> = BTreeSet::new();
        for (tree, memory) in trees.iter().zip(&mut held) {
            let file = self.snapshots.index_file(&tree.row.store, Path::new(&tree.root));
            if forgotten.contains(&tree.root) {
                let _ = file.map(fs::remove_file);
                **memory = TreeMemory::default();
                continue;
            }
            live.extend(tree.states.iter().flat_map(|(.., named)| named.clone()));
            let index = memory.index.take().or_else(|| TreeIndex::load(&file?));
            let Some(index) = index else {
                // What it names is not known: nothing may go.
                return Ok(());
            };
            live.extend(index.entries.iter().filter_map(|entry| match &entry.state {
                IndexedState::Kept { object, borrowed: false, .. } => Some(object.clone()),
                _ => None,
            }));
            memory.index = Some(index);
        }
        trees.retain(|tree| !forgotten.contains(&tree.root));
        if trees.is_empty() {
            let _ = fs::remove_dir_all(dir);
            return Ok(());
        }
        let sha256 =
            trees.iter().any(|tree| Repository::of(Path::new(&tree.root)).is_some_and(|git| git.sha256));
        self.tidy(&Objects { dir: dir.to_path_buf(), sha256, borrowed: Vec::new() }, &live);
        Ok(())
    }

    /// Removes loose contents that nothing names and packs the rest; packs are made anew where that is worth it.
    fn tidy(&self, objects: &Objects, live: &BTreeSet<String>) {
        let mut loose = 0;
        for (id, path) in loose_objects(&objects.dir) {
            if live.contains(&id) {
                loose += 1;
            } else {
                let _ = fs::remove_file(path);
            }
        }
        let nobody = crate::engine::housekeeping::nobody("");
        let list = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--buffer"];
        let Ok(all) = objects.git(&*self.world, &nobody, &list, Vec::new()) else { return };
        let all = String::from_utf8_lossy(&all).into_owned();
        let (kept, dead): (Vec<&str>, Vec<&str>) = all.lines().partition(|id| live.contains(*id));
        if loose <= LOOSE && dead.len() <= kept.len() / 4 {
            return;
        }
        let old = packs(&objects.dir);
        let pack = objects.dir.join("objects/pack/pack").to_string_lossy().into_owned();
        let input = kept.iter().map(|id| format!("{id}\n")).collect::<String>().into_bytes();
        let made = match kept.is_empty() {
            true => Ok(Vec::new()),
            false => objects.git(&*self.world, &nobody, &["pack-objects", "-q", "--threads=1", &pack], input),
        };
        let name = match made {
            Ok(name) => String::from_utf8_lossy(&name).trim().to_string(),
            Err(e) => return tracing::warn!("snapshots could not be packed: {e}"),
        };
        // Everything that is kept is in the new pack, which is durable before the old ones go.
        objects.flush_all();
        let fresh = |path: &PathBuf| !name.is_empty() && path.to_string_lossy().contains(&name);
        for path in old.into_iter().filter(|path| !fresh(path)) {
            let _ = fs::remove_file(path);
        }
        for (_, path) in loose_objects(&objects.dir) {
            let _ = fs::remove_file(path);
        }
    }
}

fn loose_objects(dir: &Path) -> Vec<(String, PathBuf)> {
    let mut out = Vec::new();
    for shelf in fs::read_dir(dir.join("objects")).into_iter().flatten().flatten() {
        let head = shelf.file_name().to_string_lossy().into_owned();
        if head.len() != 2 {
            continue;
        }
        for entry in fs::read_dir(shelf.path()).into_iter().flatten().flatten() {
            out.push((format!("{head}{}", entry.file_name().to_string_lossy()), entry.path()));
        }
    }
    out
}

fn packs(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir.join("objects/pack")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Bytes below a directory.
fn size(dir: &Path) -> u64 {
    let mut open = vec![dir.to_path_buf()];
    let mut bytes = 0;
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => bytes += meta.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
