//! Bytes in, bytes out: the same few primitives over a read snapshot and over an open write transaction.
//!
//! Every table maps byte strings to byte strings; what the bytes mean is decided one level up.

use std::ops::Bound;

use redb::{ReadTransaction, ReadableTable, TableDefinition, TableError};

use crate::core::{Error, Result};

pub type Bytes = (Vec<u8>, Vec<u8>);

pub(super) fn definition(name: &str) -> TableDefinition<'_, &'static [u8], &'static [u8]> {
    TableDefinition::new(name)
}

/// A range of keys in one direction, with a limit.
#[derive(Clone)]
pub struct Span {
    pub start: Bound<Vec<u8>>,
    pub end: Bound<Vec<u8>>,
    pub reverse: bool,
    pub limit: usize,
}

impl Span {
    /// Every key with this prefix.
    pub fn prefix(prefix: &[u8]) -> Span {
        let end = match crate::core::Key::from_bytes(prefix).prefix_end() {
            Some(end) => Bound::Excluded(end),
            None => Bound::Unbounded,
        };
        Span { start: Bound::Included(prefix.to_vec()), end, reverse: false, limit: usize::MAX }
    }

    pub fn reverse(mut self, reverse: bool) -> Span {
        self.reverse = reverse;
        self
    }

    pub fn limit(mut self, limit: usize) -> Span {
        self.limit = limit;
        self
    }

    /// Starts at this key; in reverse, ends right before it.
    pub fn from(mut self, key: Vec<u8>) -> Span {
        if self.reverse {
            self.end = Bound::Excluded(key);
        } else {
            self.start = Bound::Included(key);
        }
        self
    }
}

/// What both kinds of transaction can do.
pub trait Raw {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>>;
    fn has(&self, table: &str, key: &[u8]) -> Result<bool>;
    /// Calls `each` for every entry of the span until it returns false.
    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()>;

    fn collect(&self, table: &str, span: &Span) -> Result<Vec<Bytes>> {
        let mut out = Vec::new();
        if span.limit > 0 {
            self.walk(table, span, &mut |k, v| {
                out.push((k.to_vec(), v.to_vec()));
                out.len() < span.limit
            })?;
        }
        Ok(out)
    }

    fn number(&self, table: &str, key: &[u8]) -> Result<u64> {
        Ok(self.get(table, key)?.map_or(0, |v| decode_number(&v)))
    }
}

pub(super) fn decode_number(bytes: &[u8]) -> u64 {
    bytes.first_chunk::<8>().map_or(0, |b| u64::from_be_bytes(*b))
}

pub(super) fn storage(e: impl std::fmt::Display) -> Error {
    Error::io(format!("The database could not be read or written: {e}."))
        .hint("Check free disk space, then run `packd doctor`.")
}

pub(super) fn walk_table(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    span: &Span,
    each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
) -> Result<()> {
    let as_ref = |b: &Bound<Vec<u8>>| match b {
        Bound::Included(v) => Bound::Included(v.clone()),
        Bound::Excluded(v) => Bound::Excluded(v.clone()),
        Bound::Unbounded => Bound::Unbounded,
    };
    let (start, end) = (as_ref(&span.start), as_ref(&span.end));
    if let (Bound::Included(s), Bound::Excluded(e)) = (&start, &end)
        && s >= e
    {
        return Ok(());
    }
    let bounds: (Bound<&[u8]>, Bound<&[u8]>) =
        (start.as_ref().map(Vec::as_slice), end.as_ref().map(Vec::as_slice));
    let mut range = table.range::<&[u8]>(bounds).map_err(storage)?;
    loop {
        let next = if span.reverse { range.next_back() } else { range.next() };
        let Some(entry) = next else { return Ok(()) };
        let (k, v) = entry.map_err(storage)?;
        if !each(k.value(), v.value()) {
            return Ok(());
        }
    }
}

impl Raw for ReadTransaction {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.open_table(definition(table)) {
            Ok(t) => Ok(t.get(key).map_err(storage)?.map(|v| v.value().to_vec())),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(e) => Err(storage(e)),
        }
    }

    fn has(&self, table: &str, key: &[u8]) -> Result<bool> {
        match self.open_table(definition(table)) {
            Ok(t) => Ok(t.get(key).map_err(storage)?.is_some()),
            Err(TableError::TableDoesNotExist(_)) => Ok(false),
            Err(e) => Err(storage(e)),
        }
    }

    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        match self.open_table(definition(table)) {
            Ok(t) => walk_table(&t, span, each),
            Err(TableError::TableDoesNotExist(_)) => Ok(()),
            Err(e) => Err(storage(e)),
        }
    }
}

/// Writing, on the one open write transaction.
pub(super) trait RawWrite: Raw {
    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()>;
    fn remove(&self, table: &str, key: &[u8]) -> Result<()>;

    fn add(&self, table: &str, key: &[u8], by: i64) -> Result<()> {
        let n = self.number(table, key)?.saturating_add_signed(by);
        if n == 0 { self.remove(table, key) } else { self.put(table, key, &n.to_be_bytes()) }
    }
}
