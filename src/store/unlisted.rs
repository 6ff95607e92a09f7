//! What was written and does not stand in the lists yet by which it is found: postings of records, words of both.
//!
//! Most of it goes into the database before anybody searches, and no writer should wait for lists that nobody reads. So
//! a batch only notes what it wrote; the entries follow from that alone, and are made by whoever first reads a list, or
//! by the checkpoint, for which many changes of a row are one.

use std::collections::HashMap;
use std::sync::Arc;

use super::generation::{RawKey, Value};
use super::{Catalog, derive, layout};

/// The lists. Everything else that is derived is made at once.
pub(super) fn is_list(table: &str) -> bool {
    table == layout::FOUND || table == layout::WORDS
}

/// What a row or a record was and became.
#[derive(Clone)]
struct Wrote {
    table: &'static str,
    key: RawKey,
    before: Value,
    after: Value,
}

/// An entry of a list, and whether it is there.
pub(super) type ListEntry = (&'static str, Vec<u8>, bool);

/// In the order in which it was written.
#[derive(Clone)]
pub(super) struct Unlisted {
    catalog: Arc<Catalog>,
    wrote: Vec<Wrote>,
}

impl Unlisted {
    pub fn of(catalog: Arc<Catalog>) -> Unlisted {
        Unlisted { catalog, wrote: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.wrote.is_empty()
    }

    /// What it takes besides what the tables hold anyway.
    pub fn bytes(&self) -> usize {
        let own = |wrote: &Wrote| wrote.before.as_ref().map_or(0, |before| before.len());
        self.wrote.iter().map(|wrote| size_of::<Wrote>() + own(wrote)).sum()
    }

    pub fn note(&mut self, table: &'static str, key: RawKey, before: Option<&[u8]>, after: Value) {
        self.wrote.push(Wrote { table, key, before: before.map(Arc::from), after });
    }

    /// Takes what was noted so far.
    pub fn take(&mut self) -> Unlisted {
        Unlisted { catalog: Arc::clone(&self.catalog), wrote: std::mem::take(&mut self.wrote) }
    }

    /// The entries that come and go, in the order in which they do.
    pub fn entries(&self, each: &mut dyn FnMut(ListEntry)) {
        self.wrote.iter().for_each(|wrote| wrote.entries(&self.catalog, each));
    }

    /// What all of them together make of the lists, in the order of the tables. Each entry is of one row or record, so
    /// none is there twice.
    pub fn together(all: &[Arc<Unlisted>]) -> Vec<ListEntry> {
        let mut net: HashMap<(&str, RawKey), Wrote> = HashMap::new();
        for wrote in all.iter().flat_map(|one| &one.wrote) {
            let known = net.entry((wrote.table, Arc::clone(&wrote.key))).or_insert_with(|| wrote.clone());
            known.after.clone_from(&wrote.after);
        }
        let mut out = Vec::new();
        if let Some(first) = all.first() {
            net.values().for_each(|wrote| wrote.entries(&first.catalog, &mut |entry| out.push(entry)));
        }
        out.sort_unstable();
        out
    }
}

impl Wrote {
    fn entries(&self, catalog: &Catalog, each: &mut dyn FnMut(ListEntry)) {
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        if let Err(e) = derive::listed(catalog, self.table, &self.key, before, after, each) {
            // It can be read by its key, as damaged as it is; `packd doctor` names it.
            tracing::error!("An entry of {} cannot be listed: {e}", self.table);
        }
    }
}
