//! Records of the first schema: a log of whole-row images with lists of its own. Read where they lie until they
//! are carried over.
//!
//! Their numbers go on in the new log, so nothing that names one has to change. What an operation did to each field
//! follows from its two images; identities follow from the row's place, as they do for the row itself.

use super::apply::Batch;
use super::layout;
use super::numbers::NumberedList;
use super::raw::{Raw, RawWrite, Span, decode_number};
use super::{Catalog, derive};
use crate::core::change::Seed;
use crate::core::op::Stream;
use crate::core::view::LogQuery;
use crate::core::{Change, Image, Key, Op, Result, RowChange, TableShape, row};

pub(super) const IMAGES: &str = "op_images";
const BY_REQUEST: &str = "ops_by_request";

struct Tables {
    records: &'static str,
    by_id: &'static str,
    by_scope: &'static str,
    by_target: &'static str,
}

fn tables(stream: Stream) -> &'static Tables {
    match stream {
        Stream::Ops => &Tables {
            records: "ops",
            by_id: "ops_by_id",
            by_scope: "ops_by_scope",
            by_target: "ops_by_target",
        },
        Stream::Audit => &Tables {
            records: "audit",
            by_id: "audit_by_id",
            by_scope: "audit_by_scope",
            by_target: "audit_by_target",
        },
    }
}

/// Every table that the first schema had and this one has not.
pub(super) const ALL: [&str; 10] = [
    "ops",
    "ops_by_id",
    "ops_by_scope",
    "ops_by_target",
    "audit",
    "audit_by_id",
    "audit_by_scope",
    "audit_by_target",
    IMAGES,
    BY_REQUEST,
];

pub(super) fn records(stream: Stream) -> &'static str {
    tables(stream).records
}

pub(super) fn op(raw: &impl Raw, stream: Stream, seq: u64) -> Result<Option<Op>> {
    match raw.get(tables(stream).records, &seq.to_be_bytes())? {
        Some(bytes) => decode(stream, seq, &bytes).map(Some),
        None => Ok(None),
    }
}

pub(super) fn decode(stream: Stream, seq: u64, bytes: &[u8]) -> Result<Op> {
    row::decode(bytes).map_err(|e| layout::unreadable(stream, seq, &e))
}

pub(super) fn by_id(raw: &impl Raw, stream: Stream, id: &str) -> Result<Option<u64>> {
    Ok(raw.get(tables(stream).by_id, id.as_bytes())?.map(|seq| decode_number(&seq)))
}

pub(super) fn by_request(raw: &impl Raw, key: &str) -> Result<Option<u64>> {
    Ok(raw.get(BY_REQUEST, key.as_bytes())?.map(|seq| decode_number(&seq)))
}

pub(super) fn head(raw: &impl Raw, stream: Stream) -> Result<u64> {
    let last = raw.collect(tables(stream).records, &Span::prefix(&[]).reverse(true).limit(1))?;
    Ok(last.first().map_or(0, |(key, _)| decode_number(key)))
}

/// The narrowest old list for a query, where anything is left.
pub(super) fn source(raw: &impl Raw, query: &LogQuery) -> Result<Option<NumberedList>> {
    let tables = tables(query.stream);
    if raw.collect(tables.records, &Span::prefix(&[]).limit(1))?.is_empty() {
        return Ok(None);
    }
    let (table, prefix) = match (&query.workspace, &query.target) {
        (Some(ws), Some(target)) => (tables.by_target, Key::of(ws).text(target)),
        (Some(ws), None) => (tables.by_scope, Key::of(ws).text(query.family.as_deref().unwrap_or(""))),
        (None, _) => (tables.records, Key::empty()),
    };
    Ok(Some(NumberedList { table, prefix: prefix.as_bytes().to_vec() }))
}

pub(super) fn changes(raw: &impl Raw, catalog: &Catalog, op: &Op) -> Result<Option<Vec<RowChange>>> {
    let Some(bytes) = raw.get(IMAGES, &op.seq.to_be_bytes())? else { return Ok(None) };
    let images: Vec<Change> = row::decode(&bytes).map_err(|e| layout::unreadable(op.stream, op.seq, &e))?;
    Ok(Some(from_images(catalog, op, images)))
}

pub(super) fn from_images(catalog: &Catalog, op: &Op, images: Vec<Change>) -> Vec<RowChange> {
    let mut seed = Seed::new(&op.id);
    let changed = images.into_iter().map(|mut change| {
        let shape = catalog.shape_named(&change.table);
        for side in [&mut change.before, &mut change.after].into_iter().flatten() {
            mark(&shape, &change.key, side);
        }
        RowChange::between(&shape, &change, &mut seed).0
    });
    changed.collect()
}

/// The identities that a row of this schema has by its place.
fn mark(shape: &TableShape, key: &Key, image: &mut Image) {
    image.marks = row::encode(&image.marks_or(shape, key)).unwrap_or_default();
}

impl super::Snapshot {
    /// Is anything left to be carried over?
    pub fn has_older_records(&self) -> Result<bool> {
        let left = |stream| Ok(!self.shot.collect(records(stream), &Span::prefix(&[]).limit(1))?.is_empty());
        Ok(left(Stream::Ops)? || left(Stream::Audit)?)
    }
}

impl Batch<'_> {
    /// Carries up to `most` old records over into the log; true while any are left.
    pub fn carry_over(&self, most: usize) -> Result<bool> {
        let mut left = most;
        for stream in [Stream::Ops, Stream::Audit] {
            let old = tables(stream);
            let found = self.tables.collect(old.records, &Span::prefix(&[]).limit(left))?;
            for (key, bytes) in &found {
                let op = decode(stream, decode_number(key), bytes)?;
                let changes = match stream {
                    Stream::Ops => changes(&self.tables, self.catalog, &op)?,
                    Stream::Audit => None,
                };
                self.carry(old, &op, changes.as_deref())?;
            }
            left -= found.len();
            if left == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn carry(&self, old: &Tables, op: &Op, changes: Option<&[RowChange]>) -> Result<()> {
        let record = layout::encode_record(op, changes)?;
        let key = layout::log_key(op.stream, op.seq);
        self.tables.put(layout::LOG, &key, &record)?;
        derive::follow(&self.tables, self.catalog, layout::LOG, &key, None, Some(&record))?;
        let seq = op.seq.to_be_bytes();
        self.tables.remove(old.records, &seq)?;
        for id in std::iter::once(&op.id).chain(&op.aliases) {
            self.tables.remove(old.by_id, id.as_bytes())?;
        }
        for family in ["", op.family.as_str()] {
            let key = Key::of(&op.workspace).text(family).number(op.seq);
            self.tables.remove(old.by_scope, key.as_bytes())?;
        }
        for target in &op.targets {
            let key = Key::of(&op.workspace).text(target).number(op.seq);
            self.tables.remove(old.by_target, key.as_bytes())?;
        }
        if op.stream == Stream::Ops {
            self.tables.remove(IMAGES, &seq)?;
            if let Some(key) = &op.request_key {
                self.tables.remove(BY_REQUEST, key.as_bytes())?;
            }
        }
        Ok(())
    }
}
