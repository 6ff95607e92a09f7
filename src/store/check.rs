//! Looks at every row and record for `packd doctor`, and tells how large things are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::layout;
use super::raw::{DAMAGED, Raw, Span, decode_number, storage};
use super::repair::shown;
use super::{Snapshot, Store, older};
use crate::core::op::Stream;
use crate::core::{Key, Result, Table};

/// Rows are copied out of the walk before they are looked at, so many at a time.
const CHECKED_AT_ONCE: usize = 256;

/// A row or record that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub table: String,
    pub key: String,
    pub why: String,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Sizes {
    pub file: u64,
    pub rows: u64,
    pub ops: u64,
    pub audit: u64,
    pub blobs: u64,
    pub blob_bytes: u64,
}

impl Snapshot {
    /// Every row that does not decode, in every table this packd knows; a table that cannot be walked is named
    /// without a key.
    pub fn damaged_rows(&self) -> Result<Vec<Damage>> {
        let mut out = Vec::new();
        for table in self.checked_tables() {
            let mut from = None;
            while let Some(next) = self.check_slice(table, from.as_deref(), usize::MAX, &mut out)? {
                from = Some(next);
            }
        }
        Ok(out)
    }

    /// What a check looks at: the families' tables and the log, with what is left of an older one.
    pub fn checked_tables(&self) -> Vec<&'static str> {
        let older = [Stream::Ops, Stream::Audit].map(older::records);
        self.catalog.tables.iter().map(|t| t.0).chain([layout::LOG]).chain(older).collect()
    }

    /// Looks at up to `most` entries from a key on; where more are left, the key to go on with.
    ///
    /// Only what is no damage is an error: a database that has to be opened again, say.
    pub fn check_slice(
        &self,
        table: &'static str,
        from: Option<&[u8]>,
        most: usize,
        out: &mut Vec<Damage>,
    ) -> Result<Option<Vec<u8>>> {
        let mut span = Span::prefix(&[]);
        if let Some(from) = from {
            span = span.from(from.to_vec());
        }
        let (mut left, mut next) = (most, None);
        let mut rows = Vec::new();
        let walked = self.shot.walk(table, &span, &mut |k, v| {
            if left == 0 {
                next = Some(k.to_vec());
                return false;
            }
            left -= 1;
            rows.push((k.to_vec(), v.to_vec()));
            if rows.len() >= CHECKED_AT_ONCE {
                rows.drain(..).for_each(|(k, v)| out.extend(self.look_at(table, &k, &v)));
            }
            true
        });
        rows.drain(..).for_each(|(k, v)| out.extend(self.look_at(table, &k, &v)));
        match walked {
            Err(e) if e.code == DAMAGED => {
                out.push(Damage { table: table.to_string(), key: String::new(), why: e.message });
                Ok(None)
            }
            walked => walked.map(|()| next),
        }
    }

    /// What is wrong with one row or record, or with the index entries it should have.
    fn look_at(&self, table: &'static str, key: &[u8], value: &[u8]) -> Option<Damage> {
        let damage = |key: String, why: String| Some(Damage { table: table.to_string(), key, why });
        if table == layout::LOG {
            let Some((stream, seq)) = layout::decode_log_key(key) else {
                return damage(shown(key), "it has no number".into());
            };
            let wrong = layout::decode_op(stream, seq, value).err();
            let wrong = wrong.or_else(|| layout::decode_changes(stream, seq, value).err())?;
            return damage(seq.to_string(), wrong.message);
        }
        for stream in [Stream::Ops, Stream::Audit] {
            if table == older::records(stream) {
                let seq = decode_number(key);
                let wrong = older::decode(stream, seq, value).err()?;
                return damage(seq.to_string(), wrong.message);
            }
        }
        let row = match layout::decode_row(value) {
            Ok(row) => row,
            Err(why) => return damage(shown(key), why),
        };
        if let Err(why) = crate::core::row::decode::<serde::de::IgnoredAny>(&row.value) {
            return damage(shown(key), why);
        }
        let entries = self.catalog.entries_of(Table(table), &Key::from_bytes(key), &row);
        let missing = entries.iter().find(|entry| {
            let found = self.shot.get(layout::INDEX, layout::entry_key(entry).as_bytes());
            !matches!(found, Ok(Some(_)))
        })?;
        damage(shown(key), format!("it is missing from the index {}", missing.index.0))
    }

    pub fn sizes(&self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        let count = |table: &str| {
            let mut n = 0u64;
            self.shot.walk(table, &Span::prefix(&[]), &mut |_, _| {
                n += 1;
                true
            })?;
            Ok::<u64, crate::core::Error>(n)
        };
        for table in &self.catalog.tables {
            sizes.rows += count(table.0)?;
        }
        sizes.ops = count(older::records(Stream::Ops))?;
        sizes.audit = count(older::records(Stream::Audit))?;
        self.shot.walk(layout::LOG, &Span::prefix(&[]), &mut |key, _| {
            match layout::decode_log_key(key) {
                Some((Stream::Audit, _)) => sizes.audit += 1,
                _ => sizes.ops += 1,
            }
            true
        })?;
        self.shot.walk(layout::BLOBS, &Span::prefix(&[]), &mut |_, v| {
            sizes.blobs += 1;
            sizes.blob_bytes += v.len() as u64;
            true
        })?;
        self.shot.walk(layout::PIECES, &Span::prefix(&[]), &mut |_, v| {
            sizes.blob_bytes += v.len() as u64;
            true
        })?;
        Ok(sizes)
    }
}

impl Store {
    /// redb's own check of the file's structure; must have the database to itself.
    pub fn check_file(path: &std::path::Path) -> Result<bool> {
        // Over garbage redb may panic, which is an answer like any other.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let open = || super::builder().open(path).map_err(|e| super::open_error(path, &e));
            super::base::patiently(open)?.check_integrity().map_err(storage)
        }));
        checked.unwrap_or(Ok(false))
    }
}
