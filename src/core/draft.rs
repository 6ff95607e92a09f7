//! A draft: a view with pending changes on top. Families write into it; nothing reaches the store.
//!
//! Reads through a draft see its own changes, in rows, counters and indexes, so that a batch can build on
//! itself and a preview computes exactly what the real call would.

use std::collections::BTreeMap;

use serde::Serialize;

use super::findable::{WordPage, WordQuery};
use super::view::LogView;
use super::{
    Change, Image, Index, IndexEntry, IndexQuery, Key, Outcome, Result, Row, RowQuery, Sha, Table,
    TableShape, View, row,
};

struct Pending {
    before: Option<Row>,
    after: Option<Image>,
    /// The highest revision this key ever had, this draft included.
    rev: u64,
}

pub struct Draft<'a> {
    base: &'a dyn View,
    rows: BTreeMap<(Table, Key), Pending>,
    blobs: BTreeMap<Sha, Vec<u8>>,
    counters: BTreeMap<String, u64>,
}

impl<'a> Draft<'a> {
    pub fn new(base: &'a dyn View) -> Self {
        Draft { base, rows: BTreeMap::new(), blobs: BTreeMap::new(), counters: BTreeMap::new() }
    }

    /// A draft that already holds these changes; for looking at what they would lead to.
    pub fn with_changes(base: &'a dyn View, changes: &[Change]) -> Result<Self> {
        let mut draft = Draft::new(base);
        for change in changes {
            let pending = draft.pending(base.table(&change.table)?, &change.key)?;
            pending.after = change.after.clone();
            pending.rev = change.after.as_ref().map_or(pending.rev, |a| a.rev);
        }
        Ok(draft)
    }

    /// Writes a row and returns its new revision.
    pub fn put<T: Serialize + ?Sized>(&mut self, table: Table, key: &Key, value: &T) -> Result<u64> {
        self.put_at_least(table, key, value, 0)
    }

    /// As [`put`](Self::put), with a revision of at least `min_rev` (content that comes from elsewhere brings its own).
    pub fn put_at_least<T: Serialize + ?Sized>(
        &mut self,
        table: Table,
        key: &Key,
        value: &T,
        min_rev: u64,
    ) -> Result<u64> {
        let value = row::encode(value)?;
        self.put_bytes(table, key, value, min_rev)
    }

    fn put_bytes(&mut self, table: Table, key: &Key, value: Vec<u8>, min_rev: u64) -> Result<u64> {
        self.put_image(table, key, Image { rev: min_rev, value, marks: Vec::new() })
    }

    /// Brings content back under a new revision, with the identities it had.
    pub fn put_image(&mut self, table: Table, key: &Key, image: Image) -> Result<u64> {
        let pending = self.pending(table, key)?;
        pending.rev = (pending.rev + 1).max(image.rev);
        pending.after = Some(Image { rev: pending.rev, ..image });
        Ok(pending.rev)
    }

    pub fn delete(&mut self, table: Table, key: &Key) -> Result<()> {
        self.pending(table, key)?.after = None;
        Ok(())
    }

    /// Stores bytes by content; the same bytes are stored once.
    pub fn put_blob(&mut self, bytes: Vec<u8>) -> Sha {
        let sha = Sha::of(&bytes);
        self.blobs.insert(sha.clone(), bytes);
        sha
    }

    /// Keeps bytes whose address is known, unless they are there already.
    pub fn keep_blob(&mut self, sha: &Sha, bytes: &[u8]) -> Result<()> {
        if !self.has_blob(sha)? {
            self.blobs.insert(sha.clone(), bytes.to_vec());
        }
        Ok(())
    }

    /// The next number of a counter. Numbers are never handed out twice, not even after an undo.
    pub fn next(&mut self, counter: &str) -> Result<u64> {
        let n = View::counter(self, counter)? + 1;
        self.counters.insert(counter.to_string(), n);
        Ok(n)
    }

    /// Raises a counter so that later numbers are above `n` (imports bring their own ids).
    pub fn raise(&mut self, counter: &str, n: u64) -> Result<()> {
        if View::counter(self, counter)? < n {
            self.counters.insert(counter.to_string(), n);
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.changes().next().is_none()
    }

    /// The pending changes as an outcome without a reply; the caller fills in `reply` and `record`.
    pub fn into_outcome(self) -> Outcome {
        Outcome {
            changes: self.changes().collect(),
            counters: self.counters,
            blobs: self.blobs.into_iter().collect(),
            ..Outcome::default()
        }
    }

    /// What differs from the base so far; a row created and deleted again within the draft does not count.
    pub fn changes(&self) -> impl Iterator<Item = Change> + '_ {
        self.rows.iter().filter_map(|((table, key), p)| {
            let before = p.before.as_ref().map(Row::image);
            let same = match (&before, &p.after) {
                (None, None) => true,
                (Some(b), Some(a)) => b == a,
                _ => false,
            };
            (!same).then(|| Change {
                table: table.0.to_string(),
                key: key.clone(),
                before,
                after: p.after.clone(),
            })
        })
    }

    /// The state to come back to with [`restore`](Self::restore), for a nested step that may fail.
    pub fn snapshot(&self) -> DraftState {
        DraftState {
            rows: self.rows.iter().map(|(k, p)| (k.clone(), (p.after.clone(), p.rev))).collect(),
            blobs: self.blobs.clone(),
            counters: self.counters.clone(),
        }
    }

    pub fn restore(&mut self, snapshot: DraftState) {
        self.rows.retain(|k, p| match snapshot.rows.get(k) {
            Some((after, rev)) => {
                p.after = after.clone();
                p.rev = *rev;
                true
            }
            None => false,
        });
        self.blobs = snapshot.blobs;
        self.counters = snapshot.counters;
    }

    fn pending(&mut self, table: Table, key: &Key) -> Result<&mut Pending> {
        let slot = (table, key.clone());
        if !self.rows.contains_key(&slot) {
            let before = self.base.row(table, key)?;
            let rev = match &before {
                Some(row) => row.rev,
                None => self.base.grave(table, key)?.map_or(0, |(rev, _)| rev),
            };
            let after = before.as_ref().map(Row::image);
            self.rows.insert(slot.clone(), Pending { before, after, rev });
        }
        // Inserted just above when it was missing.
        Ok(self.rows.get_mut(&slot).expect("pending row was just inserted"))
    }

    fn shown(image: &Image) -> Row {
        Row { rev: image.rev, seq: 0, value: image.value.clone(), marks: image.marks.clone() }
    }

    /// Index entries this draft takes away from and adds to the base.
    fn index_delta(&self, index: Index, group: &Key) -> (Vec<IndexEntry>, Vec<IndexEntry>) {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for ((table, key), p) in &self.rows {
            let of = |row: &Row| {
                let entries = self.base.entries_of(*table, key, row);
                entries.into_iter().filter(|e| e.index == index && e.group == *group).collect::<Vec<_>>()
            };
            if let Some(before) = &p.before {
                gone.extend(of(before));
            }
            if let Some(after) = &p.after {
                come.extend(of(&Self::shown(after)));
            }
        }
        (gone, come)
    }
}

/// The state of a draft at one moment.
pub struct DraftState {
    rows: BTreeMap<(Table, Key), (Option<Image>, u64)>,
    blobs: BTreeMap<Sha, Vec<u8>>,
    counters: BTreeMap<String, u64>,
}

/// Merges a base page with changes, keeping order and limit.
fn merge<T>(
    mut items: Vec<(Key, T)>,
    come: impl Iterator<Item = (Key, T)>,
    reverse: bool,
    limit: usize,
) -> Vec<(Key, T)> {
    items.extend(come);
    items.sort_by(|a, b| if reverse { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) });
    items.truncate(limit);
    items
}

fn in_range(key: &Key, from: Option<&Key>, reverse: bool) -> bool {
    match (from, reverse) {
        (None, _) => true,
        (Some(from), false) => key >= from,
        (Some(from), true) => key < from,
    }
}

impl View for Draft<'_> {
    fn row(&self, table: Table, key: &Key) -> Result<Option<Row>> {
        match self.rows.get(&(table, key.clone())) {
            Some(p) => Ok(p.after.as_ref().map(Self::shown)),
            None => self.base.row(table, key),
        }
    }

    fn rows(&self, query: &RowQuery) -> Result<Vec<(Key, Row)>> {
        let touched = self.rows.len();
        let wide = RowQuery { limit: query.limit.saturating_add(touched), ..query.clone() };
        let mut items = self.base.rows(&wide)?;
        items.retain(|(k, _)| !self.rows.contains_key(&(query.table, k.clone())));
        let come = self.rows.iter().filter_map(|((table, key), p)| {
            let wanted = *table == query.table
                && key.starts_with(&query.prefix)
                && in_range(key, query.from.as_ref(), query.reverse);
            if wanted { p.after.as_ref().map(|a| (key.clone(), Self::shown(a))) } else { None }
        });
        Ok(merge(items, come, query.reverse, query.limit))
    }

    fn index(&self, query: &IndexQuery) -> Result<Vec<IndexEntry>> {
        let (gone, come) = self.index_delta(query.index, &query.group);
        let wide = IndexQuery { limit: query.limit.saturating_add(gone.len()), ..query.clone() };
        let items = self.base.index(&wide)?.into_iter();
        let items = items.filter(|e| !gone.iter().any(|g| g.sort == e.sort)).map(|e| (e.sort.clone(), e));
        let come = come
            .into_iter()
            .filter(|e| in_range(&e.sort, query.from.as_ref(), query.reverse))
            .map(|e| (e.sort.clone(), e));
        let merged = merge(items.collect(), come, query.reverse, query.limit);
        Ok(merged.into_iter().map(|(_, e)| e).collect())
    }

    fn count(&self, index: Index, group: &Key) -> Result<u64> {
        let (gone, come) = self.index_delta(index, group);
        Ok((self.base.count(index, group)? + come.len() as u64).saturating_sub(gone.len() as u64))
    }

    fn words(&self, query: &WordQuery) -> Result<WordPage> {
        self.base.words(query)
    }

    fn blob(&self, sha: &Sha) -> Result<Option<Vec<u8>>> {
        match self.blobs.get(sha) {
            Some(bytes) => Ok(Some(bytes.clone())),
            None => self.base.blob(sha),
        }
    }

    fn has_blob(&self, sha: &Sha) -> Result<bool> {
        Ok(self.blobs.contains_key(sha) || self.base.has_blob(sha)?)
    }

    fn counter(&self, name: &str) -> Result<u64> {
        match self.counters.get(name) {
            Some(n) => Ok(*n),
            None => self.base.counter(name),
        }
    }

    fn entries_of(&self, table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
        self.base.entries_of(table, key, row)
    }

    fn grave(&self, table: Table, key: &Key) -> Result<Option<(u64, u64)>> {
        self.base.grave(table, key)
    }

    fn log(&self) -> &dyn LogView {
        self.base.log()
    }

    fn table(&self, name: &str) -> Result<Table> {
        self.base.table(name)
    }

    fn shape(&self, table: Table) -> TableShape {
        self.base.shape(table)
    }
}
