//! Bytes in, bytes out: the same few primitives over a snapshot, over a batch and over a write transaction of redb.
//!
//! Every table maps byte strings to byte strings; what the bytes mean is decided one level up.

use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use redb::{ReadableTable, TableDefinition};

use super::generation::is_void;
use super::{Catalog, derive, faults};
use crate::core::{Error, Kind, Result};

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

    pub fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
        (self.start.as_ref().map(Vec::as_slice), self.end.as_ref().map(Vec::as_slice))
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

/// What can be read from, whatever it is made of.
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

/// A failure of the database as an error of the call that met it.
pub(super) fn storage(e: impl Into<redb::Error>) -> Error {
    use redb::Error as E;
    match e.into() {
        E::Io(io) => faults::error_of(io.kind(), &io.to_string()),
        E::PreviousIo | E::DatabaseClosed | E::LockPoisoned(_) => interrupted(),
        E::Corrupted(why) => damaged("", &why),
        other => Error::io(format!("The database could not be read or written: {other}."))
            .hint("Check free disk space, then run `packd doctor`."),
    }
}

/// The same where it is known which table was being read or written.
pub(super) fn in_table(table: &str, e: impl Into<redb::Error>) -> Error {
    use redb::Error as E;
    match e.into() {
        E::Corrupted(why) => damaged(table, &why),
        e @ (E::TableTypeMismatch { .. } | E::TypeDefinitionChanged { .. } | E::TableIsMultimap(_)) => {
            damaged(table, &e.to_string())
        }
        other => storage(other),
    }
}

/// An earlier failure closed the database under this call; nothing of it happened.
pub(super) fn interrupted() -> Error {
    Error::new(
        Kind::Io,
        INTERRUPTED,
        "The database was closed by an earlier failure and is being opened again; nothing was changed.",
    )
    .hint("Try again.")
}

pub const INTERRUPTED: &str = "store_interrupted";
pub(super) const DAMAGED: &str = "damaged";

pub(super) fn damaged(table: &str, why: &str) -> Error {
    let what = match table {
        "" => "The database".to_string(),
        table => format!("The table {table} of the database"),
    };
    Error::new(Kind::Io, DAMAGED, format!("{what} is damaged: {why}."))
        .hint("Run `packd repair`: it keeps every row that can be read, and the damaged file.")
}

/// Runs what reads pages: over garbage redb may panic, which is damage of that table and no defect.
pub(super) fn sound<T>(table: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(damaged(table, "its pages make no sense")))
}

/// Whether redb refuses everything after this error. Damage of one page says nothing about the others, and
/// opening again would verify them all, which a damaged file does not survive.
pub(super) fn is_fatal(e: &Error) -> bool {
    e.kind == Kind::Io && e.code != DAMAGED
}

pub(super) fn walk_table(
    name: &str,
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    span: &Span,
    each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
) -> Result<()> {
    if is_void(span) {
        return Ok(());
    }
    let mut range = sound(name, || table.range::<&[u8]>(span.bounds()).map_err(|e| in_table(name, e)))?;
    loop {
        // Only the step is guarded: a panic of `each` is the caller's own.
        let next = sound(name, || {
            let next = if span.reverse { range.next_back() } else { range.next() };
            next.transpose().map_err(|e| in_table(name, e))
        });
        let (k, v) = match next {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(()),
            Err(e) => {
                // What panicked half-way may panic again while it is let go, but it must be: a range holds its
                // transaction open, and nobody could begin another.
                let _ = catch_unwind(AssertUnwindSafe(move || drop(range)));
                return Err(e);
            }
        };
        if !each(k.value(), v.value()) {
            return Ok(());
        }
    }
}

/// Writing, into what one batch has staged or into a database that is being filled.
pub(super) trait RawWrite: Raw {
    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()>;
    fn remove(&self, table: &str, key: &[u8]) -> Result<()>;

    /// Writes what follows from other entries: read like any other, and computed again rather than kept twice.
    fn put_derived(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()> {
        self.put(table, key, value)
    }

    fn remove_derived(&self, table: &str, key: &[u8]) -> Result<()> {
        self.remove(table, key)
    }

    /// Brings the lists that a row or a record is found by to what it is; only how soon is left to who writes.
    fn list(
        &self,
        catalog: &Catalog,
        table: &'static str,
        key: &[u8],
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<()> {
        let mut entries = Vec::new();
        derive::listed(catalog, table, key, before, after, &mut |entry| entries.push(entry))?;
        entries.iter().try_for_each(|(list, entry, there)| match there {
            true => self.put_derived(list, entry, &[]),
            false => self.remove_derived(list, entry),
        })
    }

    fn add_derived(&self, table: &str, key: &[u8], by: i64) -> Result<()> {
        let n = self.number(table, key)?.saturating_add_signed(by);
        if n == 0 { self.remove_derived(table, key) } else { self.put_derived(table, key, &n.to_be_bytes()) }
    }
}
