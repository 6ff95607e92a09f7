//! What a decision read of a snapshot, so that the writer can tell whether it would be decided the same way now.
//!
//! Every read goes through the same three primitives, so nothing is missed: entries that were not there, ranges as far as
//! they were walked, counts, counters and the log. What was written since is known by the versions that generations keep;
//! where one of them has gone into the database meanwhile, nothing is known and the decision is made again.

use std::cell::RefCell;
use std::ops::Bound;
use std::sync::Arc;

use super::generation::Generation;
use super::raw::{Raw, Span};
use super::shot::Shot;
use super::staged::StagedTables;
use super::{Catalog, Reader, Snapshot};
use crate::core::Result;

/// A snapshot that remembers what was read of it.
pub struct Traced {
    shot: Shot,
    catalog: Arc<Catalog>,
    reads: RefCell<Reads>,
}

#[derive(Default)]
struct Reads {
    entries: Vec<(Box<str>, Box<[u8]>)>,
    ranges: Vec<(Box<str>, Span)>,
}

/// Everything that a decision depends on.
pub struct ReadSet {
    version: u64,
    /// The generation that whatever came next was written to.
    active: Arc<Generation>,
    reads: Reads,
}

impl Snapshot {
    /// The same picture, with a memory of what is read of it.
    pub fn traced(self) -> Traced {
        Traced { shot: self.shot, catalog: self.catalog, reads: RefCell::default() }
    }
}

impl Traced {
    pub fn view(&self) -> Reader<'_, Traced> {
        Reader { raw: self, catalog: &self.catalog }
    }

    pub fn into_reads(self) -> ReadSet {
        let (version, active) = self.shot.moment();
        ReadSet { version, active, reads: self.reads.into_inner() }
    }

    fn note(&self, table: &str, key: &[u8]) {
        self.reads.borrow_mut().entries.push((table.into(), key.into()));
    }
}

impl Raw for Traced {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        self.note(table, key);
        self.shot.get(table, key)
    }

    fn has(&self, table: &str, key: &[u8]) -> Result<bool> {
        self.note(table, key);
        self.shot.has(table, key)
    }

    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        let mut seen = span.clone();
        let walked = self.shot.walk(table, span, &mut |key, value| {
            let go_on = each(key, value);
            if !go_on {
                // What lies beyond was not looked at.
                let last = Bound::Included(key.to_vec());
                if span.reverse { seen.start = last } else { seen.end = last }
            }
            go_on
        });
        self.reads.borrow_mut().ranges.push((table.into(), seen));
        walked
    }
}

impl ReadSet {
    /// Would the same reads give the same answers in this batch?
    pub(super) fn holds_in(&self, staged: &StagedTables) -> bool {
        let Some(later) = staged.since(&self.active, self.version) else { return false };
        let Reads { entries, ranges } = &self.reads;
        !entries.iter().any(|(table, key)| later.wrote(table, key))
            && !ranges.iter().any(|(table, span)| later.wrote_in(table, span))
    }
}
