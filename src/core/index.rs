//! Derived indexes: entries computed from a row alone, kept by the store, never part of an operation.
//!
//! Because the store recomputes them whenever a row changes (do, undo, redo, replay alike), an index can
//! neither disagree with its rows nor get in the way of an undo.

use super::{Key, Row, Table};

/// A named index; declared as a constant beside the table it is derived from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub &'static str);

/// One entry. Entries of one `group` are ordered by `sort` and counted, so a total costs one lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    pub index: Index,
    pub group: Key,
    pub sort: Key,
    /// What a list shows without reading the row; may be empty.
    pub value: Vec<u8>,
}

/// A page of one group.
#[derive(Debug, Clone)]
pub struct IndexQuery {
    pub index: Index,
    pub group: Key,
    /// Only entries at or after (in reverse: before) this sort key.
    pub from: Option<Key>,
    pub reverse: bool,
    pub limit: usize,
}

impl IndexQuery {
    pub fn new(index: Index, group: Key) -> Self {
        IndexQuery { index, group, from: None, reverse: false, limit: usize::MAX }
    }

    #[must_use]
    pub fn from(mut self, sort: Key) -> Self {
        self.from = Some(sort);
        self
    }

    #[must_use]
    pub fn reverse(mut self) -> Self {
        self.reverse = true;
        self
    }

    #[must_use]
    pub fn limit(mut self, n: usize) -> Self {
        self.limit = n;
        self
    }
}

/// Computes the entries of a row: `fn(table, key, row) -> entries`, pure and total (an unreadable row has none).
pub type Indexer = fn(Table, &Key, &Row) -> Vec<IndexEntry>;
