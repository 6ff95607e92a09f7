//! Looks at every row and record for `packd doctor`, and tells how large things are.

use super::layout::{self, log_tables};
use super::raw::{Raw, Span, decode_number, storage};
use super::{Snapshot, Store};
use crate::core::op::Stream;
use crate::core::{Key, Result};

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
    /// Every row that does not decode, in every table this packd knows.
    pub fn damaged_rows(&self) -> Result<Vec<Damage>> {
        let mut out = Vec::new();
        for table in &self.catalog.tables {
            self.txn.walk(table.0, &Span::prefix(&[]), &mut |k, v| {
                let why = match layout::decode_row(v) {
                    Ok(row) => match crate::core::row::decode::<serde::de::IgnoredAny>(&row.value) {
                        Ok(_) => return true,
                        Err(e) => e,
                    },
                    Err(e) => e,
                };
                out.push(Damage { table: table.0.to_string(), key: shown(k), why });
                true
            })?;
        }
        for stream in [Stream::Ops, Stream::Audit] {
            let name = log_tables(stream).records;
            self.txn.walk(name, &Span::prefix(&[]), &mut |k, v| {
                if let Err(e) = layout::decode_op(stream, decode_number(k), v) {
                    let key = decode_number(k).to_string();
                    out.push(Damage { table: name.to_string(), key, why: e.message });
                }
                true
            })?;
        }
        Ok(out)
    }

    pub fn sizes(&self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        let count = |table: &str| {
            let mut n = 0u64;
            self.txn.walk(table, &Span::prefix(&[]), &mut |_, _| {
                n += 1;
                true
            })?;
            Ok::<u64, crate::core::Error>(n)
        };
        for table in &self.catalog.tables {
            sizes.rows += count(table.0)?;
        }
        sizes.ops = count(log_tables(Stream::Ops).records)?;
        sizes.audit = count(log_tables(Stream::Audit).records)?;
        self.txn.walk(layout::BLOBS, &Span::prefix(&[]), &mut |_, v| {
            sizes.blobs += 1;
            sizes.blob_bytes += v.len() as u64;
            true
        })?;
        self.txn.walk(layout::PIECES, &Span::prefix(&[]), &mut |_, v| {
            sizes.blob_bytes += v.len() as u64;
            true
        })?;
        Ok(sizes)
    }
}

impl Store {
    /// redb's own check of the file's structure; must have the database to itself.
    pub fn check_file(path: &std::path::Path) -> Result<bool> {
        let mut db = super::builder().open(path).map_err(|e| super::open_error(path, &e))?;
        db.check_integrity().map_err(storage)
    }
}

fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(Key::from_bytes(key).as_bytes()).replace('\0', "/")
}
