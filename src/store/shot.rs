//! A consistent picture of everything stored: the database and the generations above it, at one version.
//!
//! Taking one is a few counters; as long as it lives, the versions it sees are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::generation::{Generation, RawKey, Value};
use super::ground::Ground;
use super::merge::{self, Layer};
use super::raw::{Raw, Span};
use crate::core::Result;

/// The versions that somebody is reading, and how many do.
#[derive(Default)]
pub(super) struct Readers(Mutex<BTreeMap<u64, usize>>);

impl Readers {
    pub fn oldest(&self) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().next().copied()
    }

    fn enter(&self, version: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(version).or_default() += 1;
    }

    fn leave(&self, version: u64) {
        let mut readers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = readers.get_mut(&version) {
            *count -= 1;
            if *count == 0 {
                readers.remove(&version);
            }
        }
    }
}

pub struct Shot {
    ground: Arc<Ground>,
    frozen: Option<Arc<Generation>>,
    active: Arc<Generation>,
    version: u64,
    readers: Arc<Readers>,
}

impl Shot {
    /// Must be called while nobody can publish a later version than this.
    pub(super) fn of(
        ground: Arc<Ground>,
        frozen: Option<Arc<Generation>>,
        active: Arc<Generation>,
        version: u64,
        readers: &Arc<Readers>,
    ) -> Shot {
        readers.enter(version);
        Shot { ground, frozen, active, version, readers: Arc::clone(readers) }
    }

    /// A database file without anything above it.
    pub(super) fn alone(ground: Ground) -> Shot {
        Shot::of(Arc::new(ground), None, Arc::default(), 0, &Arc::default())
    }

    /// Its version, and the generation that whatever comes next is written to.
    pub(super) fn moment(&self) -> (u64, Arc<Generation>) {
        (self.version, Arc::clone(&self.active))
    }

    /// The generations with everything that was written since `active` was the newest of them; none
    /// where one of them is in the database already.
    pub(super) fn generations_since(&self, active: &Arc<Generation>) -> Option<Vec<&Generation>> {
        if Arc::ptr_eq(active, &self.active) {
            return Some(vec![&self.active]);
        }
        let frozen = self.frozen.as_ref().filter(|frozen| Arc::ptr_eq(active, frozen))?;
        Some(vec![&self.active, frozen])
    }

    pub(super) fn table_names(&self) -> Result<BTreeSet<String>> {
        let mut names = self.ground.table_names()?;
        let above = std::iter::once(&self.active).chain(&self.frozen);
        names.extend(above.flat_map(|generation| generation.table_names()));
        Ok(names)
    }

    /// What the generations say of an entry; none if only the database can tell.
    fn above(&self, table: &str, key: &[u8]) -> Option<Value> {
        let frozen = || self.frozen.as_ref()?.get(table, key, self.version);
        self.active.get(table, key, self.version).or_else(frozen)
    }

    /// Walks with one more layer on top.
    pub(super) fn walk_under(
        &self,
        top: Option<&dyn Layer>,
        table: &str,
        span: &Span,
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<()> {
        let active = At(&self.active, self.version);
        let frozen = self.frozen.as_ref().map(|generation| At(generation, self.version));
        let mut above: Vec<&dyn Layer> = Vec::with_capacity(3);
        above.extend(top);
        above.push(&active);
        above.extend(frozen.as_ref().map(|layer| layer as &dyn Layer));
        merge::walk(&above, &self.ground, table, span, each)
    }
}

impl Drop for Shot {
    fn drop(&mut self) {
        self.readers.leave(self.version);
    }
}

/// A generation as a reader of one version sees it.
struct At<'a>(&'a Generation, u64);

impl Layer for At<'_> {
    fn some(&self, table: &str, span: &Span, most: usize) -> Vec<(RawKey, Value)> {
        self.0.some(table, span, self.1, most)
    }
}

impl Raw for Shot {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.above(table, key) {
            Some(value) => Ok(value.map(|value| value.to_vec())),
            None => self.ground.get(table, key),
        }
    }

    fn has(&self, table: &str, key: &[u8]) -> Result<bool> {
        match self.above(table, key) {
            Some(value) => Ok(value.is_some()),
            None => self.ground.has(table, key),
        }
    }

    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        self.walk_under(None, table, span, each)
    }
}
