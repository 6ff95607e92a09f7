//! What the calls of one batch have written so far, over a snapshot: each sees what those before it did, nobody else.
//!
//! Keeps the entries for the journal in the order in which they were written. Derived entries are not among them:
//! they are computed again from those that are. Lists are completed when a call of the batch reads one.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::Catalog;
use super::generation::{Generation, RawKey, Value, is_void};
use super::merge::Layer;
use super::raw::{Raw, RawWrite, Span};
use super::record::JournalEntries;
use super::shot::Shot;
use super::unlisted::{Unlisted, is_list};
use crate::core::{Error, Result};

pub(super) type WrittenTables = HashMap<String, BTreeMap<RawKey, Value>>;

pub struct StagedTables {
    below: Shot,
    written: Over,
    entries: RefCell<JournalEntries>,
    unlisted: RefCell<Unlisted>,
    /// The call that is running has written something.
    begun: Cell<bool>,
    failed: Cell<Option<Error>>,
}

/// What a batch leaves behind.
pub(super) struct BatchResult {
    pub written: WrittenTables,
    pub entries: JournalEntries,
    pub unlisted: Unlisted,
    /// Why nothing of it may be stored.
    pub failed: Option<Error>,
}

impl StagedTables {
    pub(super) fn over(below: Shot, catalog: Arc<Catalog>) -> StagedTables {
        StagedTables {
            below,
            written: Over::default(),
            entries: RefCell::default(),
            unlisted: RefCell::new(Unlisted::of(catalog)),
            begun: Cell::new(false),
            failed: Cell::default(),
        }
    }

    /// The next call begins.
    pub(super) fn next_call(&self) {
        self.begun.set(false);
    }

    pub(super) fn end(self) -> BatchResult {
        let (written, entries) = (self.written.0.into_inner(), self.entries.into_inner());
        let (unlisted, failed) = (self.unlisted.into_inner(), self.failed.take());
        BatchResult { written, entries, unlisted, failed }
    }

    /// Everything that was written after a version, by this batch and those before it; none where that is not known.
    pub(super) fn since(&self, active: &Arc<Generation>, version: u64) -> Option<Later<'_>> {
        let generations = self.below.generations_since(active)?;
        Some(Later { generations, version, staged: self })
    }

    /// A call that cannot read on after it wrote something may have left half of a change.
    fn noted<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(e) = &result
            && self.begun.get()
        {
            self.failed.set(Some(e.clone()));
        }
        result
    }

    /// Completes the lists, before somebody reads or writes one.
    fn list(&self) {
        if !self.unlisted.borrow().is_empty() {
            let unlisted = self.unlisted.borrow_mut().take();
            unlisted.entries(&mut |(list, entry, there)| self.write(list, &entry, there.then_some(&[])));
        }
    }

    fn list_for(&self, table: &str) {
        if is_list(table) {
            self.list();
        }
    }

    fn write(&self, table: &str, key: &[u8], value: Option<&[u8]>) {
        self.begun.set(true);
        let mut written = self.written.0.borrow_mut();
        if !written.contains_key(table) {
            written.insert(table.to_string(), BTreeMap::new());
        }
        if let Some(map) = written.get_mut(table) {
            let value = value.map(Arc::from);
            match map.get_mut(key) {
                Some(known) => *known = value,
                None => drop(map.insert(Arc::from(key), value)),
            }
        }
    }
}

/// What was written after a version.
pub(super) struct Later<'a> {
    generations: Vec<&'a Generation>,
    version: u64,
    staged: &'a StagedTables,
}

impl Later<'_> {
    pub fn wrote(&self, table: &str, key: &[u8]) -> bool {
        self.staged.list_for(table);
        self.staged.written.get(table, key).is_some()
            || self.generations.iter().any(|one| one.wrote_since(self.version, table, key))
    }

    pub fn wrote_in(&self, table: &str, span: &Span) -> bool {
        self.staged.list_for(table);
        !self.staged.written.some(table, span, 1).is_empty()
            || self.generations.iter().any(|one| one.wrote_in_since(self.version, table, span))
    }
}

#[derive(Default)]
struct Over(RefCell<WrittenTables>);

impl Over {
    fn get(&self, table: &str, key: &[u8]) -> Option<Value> {
        self.0.borrow().get(table)?.get(key).cloned()
    }

    fn entry(&self, table: &str, key: &[u8]) -> Option<(RawKey, Value)> {
        let written = self.0.borrow();
        let (key, value) = written.get(table)?.get_key_value(key)?;
        Some((Arc::clone(key), value.clone()))
    }
}

impl Layer for Over {
    fn some(&self, table: &str, span: &Span, most: usize) -> Vec<(RawKey, Value)> {
        let written = self.0.borrow();
        let Some(map) = written.get(table).filter(|_| !is_void(span)) else { return Vec::new() };
        let range = map.range::<[u8], _>(span.bounds()).map(|(key, value)| (Arc::clone(key), value.clone()));
        if span.reverse { range.rev().take(most).collect() } else { range.take(most).collect() }
    }
}

impl Raw for StagedTables {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        self.list_for(table);
        match self.written.get(table, key) {
            Some(value) => Ok(value.map(|value| value.to_vec())),
            None => self.noted(self.below.get(table, key)),
        }
    }

    fn has(&self, table: &str, key: &[u8]) -> Result<bool> {
        self.list_for(table);
        match self.written.get(table, key) {
            Some(value) => Ok(value.is_some()),
            None => self.noted(self.below.has(table, key)),
        }
    }

    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        self.list_for(table);
        self.noted(self.below.walk_under(Some(&self.written), table, span, each))
    }
}

impl RawWrite for StagedTables {
    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()> {
        self.list_for(table);
        self.entries.borrow_mut().push(table, key, Some(value));
        self.write(table, key, Some(value));
        Ok(())
    }

    fn remove(&self, table: &str, key: &[u8]) -> Result<()> {
        self.list_for(table);
        self.entries.borrow_mut().push(table, key, None);
        self.write(table, key, None);
        Ok(())
    }

    fn put_derived(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()> {
        self.write(table, key, Some(value));
        Ok(())
    }

    fn remove_derived(&self, table: &str, key: &[u8]) -> Result<()> {
        self.write(table, key, None);
        Ok(())
    }

    fn list(
        &self,
        _catalog: &Catalog,
        table: &'static str,
        key: &[u8],
        before: Option<&[u8]>,
        _after: Option<&[u8]>,
    ) -> Result<()> {
        // Shared with what was just written.
        if let Some((key, after)) = self.written.entry(table, key) {
            self.unlisted.borrow_mut().note(table, key, before, after);
        }
        Ok(())
    }
}
