//! Rows written since a checkpoint, in memory: per table a sorted map from key to the versions that somebody may see.
//!
//! A version is shown to readers only once it is durable; readers of earlier versions go on seeing theirs. What a
//! generation does not have is looked for in the one below it, and at last in the database. Lists are completed when
//! somebody reads one.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::raw::Span;
use super::staged::WrittenTables;
use super::unlisted::{Unlisted, is_list};

pub(super) type RawKey = Arc<[u8]>;
/// Without a value the entry was removed.
pub(super) type Value = Option<Arc<[u8]>>;

/// So many entries are added under one lock, so that a reader waits for some of them and never for a batch.
const AT_ONCE: usize = 32;
/// What an entry takes besides its bytes: two counted allocations and its place in the tree.
const OVERHEAD: usize = 96;

#[derive(Default)]
pub(super) struct Generation {
    tables: RwLock<Tables>,
    /// What each version wrote that the lists do not have yet, oldest first. Locked before the tables.
    unlisted: Mutex<Vec<(u64, Arc<Unlisted>)>>,
    bytes: AtomicUsize,
}

type Tables = HashMap<String, BTreeMap<RawKey, Chain>>;

/// The newest version of an entry, and those before it that live readers still need, oldest first.
struct Chain {
    newest: (u64, Value),
    older: Vec<(u64, Value)>,
}

impl Chain {
    fn at(&self, version: u64) -> Option<&Value> {
        if self.newest.0 <= version {
            return Some(&self.newest.1);
        }
        self.older.iter().rev().find(|(v, _)| *v <= version).map(|(_, value)| value)
    }

    /// Adds a version and forgets those that neither the oldest reader nor any later one can see.
    fn push(&mut self, version: u64, value: Value, oldest: u64) {
        let before = std::mem::replace(&mut self.newest, (version, value));
        self.older.push(before);
        let seen = self.older.iter().rposition(|(v, _)| *v <= oldest).unwrap_or(0);
        self.older.drain(..seen);
    }
}

impl Generation {
    /// Adds what one batch wrote. Nobody sees it before its version is published.
    pub fn add(&self, version: u64, oldest: u64, written: WrittenTables, unlisted: Unlisted) {
        if written.keys().any(|table| is_list(table)) {
            self.list();
        }
        self.put(version, oldest, written);
        if !unlisted.is_empty() {
            self.bytes.fetch_add(unlisted.bytes(), Ordering::Relaxed);
            let mut waiting = self.unlisted.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.push((version, Arc::new(unlisted)));
        }
    }

    /// What is in no list yet.
    pub fn unlisted(&self) -> Vec<Arc<Unlisted>> {
        let waiting = self.unlisted.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.iter().map(|(_, unlisted)| Arc::clone(unlisted)).collect()
    }

    /// Completes the lists. Whoever reads one meanwhile waits for that, and sees of it what its version has.
    fn list(&self) {
        let mut waiting = self.unlisted.lock().unwrap_or_else(PoisonError::into_inner);
        for (version, unlisted) in waiting.drain(..) {
            let mut lists = WrittenTables::new();
            unlisted.entries(&mut |(table, entry, there)| {
                let list = lists.entry(table.to_string()).or_default();
                list.insert(Arc::from(entry), there.then(|| Arc::from([])));
            });
            // Older versions are all kept: an entry is hardly ever written twice.
            self.put(version, 0, lists);
        }
    }

    fn tables_with(&self, table: &str) -> RwLockReadGuard<'_, Tables> {
        if is_list(table) {
            self.list();
        }
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, version: u64, oldest: u64, written: WrittenTables) {
        for (table, entries) in written {
            let mut entries = entries.into_iter().peekable();
            while entries.peek().is_some() {
                let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
                if !tables.contains_key(&table) {
                    tables.insert(table.clone(), BTreeMap::new());
                }
                let Some(map) = tables.get_mut(&table) else { break };
                let mut bytes = 0;
                for (key, value) in entries.by_ref().take(AT_ONCE) {
                    bytes += key.len() + value.as_ref().map_or(0, |v| v.len()) + OVERHEAD;
                    match map.get_mut(&key) {
                        Some(chain) => chain.push(version, value, oldest),
                        None => drop(map.insert(key, Chain { newest: (version, value), older: Vec::new() })),
                    }
                }
                self.bytes.fetch_add(bytes, Ordering::Relaxed);
            }
        }
    }

    /// What was added, in bytes; entries that were written again count again.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// The entry as a reader of this version sees it; none if this generation does not have it.
    pub fn get(&self, table: &str, key: &[u8], version: u64) -> Option<Value> {
        let tables = self.tables_with(table);
        tables.get(table)?.get(key)?.at(version).cloned()
    }

    /// The next entries of a span, up to `most`; fewer mean that there are no more.
    pub fn some(&self, table: &str, span: &Span, version: u64, most: usize) -> Vec<(RawKey, Value)> {
        let tables = self.tables_with(table);
        let Some(map) = tables.get(table).filter(|_| !is_void(span)) else { return Vec::new() };
        let range = map.range::<[u8], _>(span.bounds());
        let seen = |(key, chain): (&RawKey, &Chain)| Some((Arc::clone(key), chain.at(version)?.clone()));
        if span.reverse {
            range.rev().filter_map(seen).take(most).collect()
        } else {
            range.filter_map(seen).take(most).collect()
        }
    }

    /// Was this entry written after a version?
    pub fn wrote_since(&self, version: u64, table: &str, key: &[u8]) -> bool {
        let tables = self.tables_with(table);
        tables.get(table).and_then(|map| map.get(key)).is_some_and(|chain| chain.newest.0 > version)
    }

    /// Was anything in this span written after a version?
    pub fn wrote_in_since(&self, version: u64, table: &str, span: &Span) -> bool {
        let tables = self.tables_with(table);
        let Some(map) = tables.get(table).filter(|_| !is_void(span)) else { return false };
        map.range::<[u8], _>(span.bounds()).any(|(_, chain)| chain.newest.0 > version)
    }

    pub fn table_names(&self) -> Vec<String> {
        self.list();
        self.tables_in_memory()
    }

    /// The same without what is in no list yet.
    pub fn tables_in_memory(&self) -> Vec<String> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<String> = tables.keys().cloned().collect();
        names.sort();
        names
    }

    /// The entries of a table that are in memory, for a checkpoint: of lists, what somebody read.
    pub fn in_memory(&self, table: &str, after: Option<&RawKey>, most: usize) -> Vec<(RawKey, Value)> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let Some(map) = tables.get(table) else { return Vec::new() };
        let start = after.map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
        let range = map.range::<[u8], _>((start, Bound::Unbounded));
        range.take(most).map(|(key, chain)| (Arc::clone(key), chain.newest.1.clone())).collect()
    }
}

/// A span that begins after its end, which a sorted map does not accept.
pub(super) fn is_void(span: &Span) -> bool {
    use Bound::{Excluded, Included, Unbounded};
    match (&span.start, &span.end) {
        (Unbounded, _) | (_, Unbounded) => false,
        (Included(start), Included(end)) => start > end,
        (Included(start) | Excluded(start), Included(end) | Excluded(end)) => start >= end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(key: &str, value: Option<&str>) -> HashMap<String, BTreeMap<RawKey, Value>> {
        let entry = (RawKey::from(key.as_bytes()), value.map(|v| Arc::from(v.as_bytes())));
        HashMap::from([("t".to_string(), BTreeMap::from([entry]))])
    }

    fn nothing() -> Unlisted {
        Unlisted::of(Arc::default())
    }

    fn seen(generation: &Generation, version: u64) -> Option<Option<String>> {
        let value = generation.get("t", b"k", version)?;
        Some(value.map(|v| String::from_utf8_lossy(&v).into_owned()))
    }

    #[test]
    fn each_reader_sees_its_own_version_and_old_ones_go_with_their_readers() {
        let generation = Generation::default();
        generation.add(3, 2, one("k", Some("three")), nothing());
        generation.add(5, 4, one("k", None), nothing());
        generation.add(7, 4, one("k", Some("seven")), nothing());
        assert_eq!(seen(&generation, 2), None);
        assert_eq!(seen(&generation, 4), Some(Some("three".into())));
        assert_eq!(seen(&generation, 6), Some(None));
        assert_eq!(seen(&generation, 7), Some(Some("seven".into())));
        generation.add(8, 7, one("k", Some("eight")), nothing());
        let tables = generation.tables.read().unwrap();
        let chain = &tables["t"][&b"k"[..]];
        assert_eq!(chain.older.len(), 1, "only what the reader of 7 sees is left");
        drop(tables);
        assert_eq!(seen(&generation, 7), Some(Some("seven".into())));
        assert_eq!(seen(&generation, 8), Some(Some("eight".into())));
    }
}
