//! What follows from a stored row or record: index entries, their counts, the lists a record is found by, and how many
//! there are.
//!
//! A pure function of what is stored: whoever writes or replays an entry calls [`follow`] with it, and the same
//! derived entries come out. Nothing else writes the tables named here.

use super::layout::{self, log_tables};
use super::raw::RawWrite;
use super::{Catalog, tally};
use crate::core::op::Stream;
use crate::core::{IndexEntry, Key, Op, Result, Table};

/// Brings the derived entries of one entry from what it was to what it is.
pub(super) fn follow(
    to: &impl RawWrite,
    catalog: &Catalog,
    table: &str,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<()> {
    for stream in [Stream::Ops, Stream::Audit] {
        if table == log_tables(stream).records {
            tally::note(to, table, before, after)?;
            let Some(record) = after else { return Ok(()) };
            return listed(to, &layout::decode_op(stream, super::raw::decode_number(key), record)?);
        }
    }
    match catalog.tables.iter().find(|known| known.0 == table) {
        Some(table) => {
            tally::note(to, table.0, before, after)?;
            indexed(to, catalog, *table, &Key::from_bytes(key), before, after)
        }
        None if table == layout::BLOBS || table == layout::PIECES => tally::note(to, table, before, after),
        None => Ok(()),
    }
}

fn indexed(
    to: &impl RawWrite,
    catalog: &Catalog,
    table: Table,
    key: &Key,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<()> {
    let entries = |side: Option<&[u8]>| -> Vec<IndexEntry> {
        let row = side.and_then(|bytes| layout::decode_row(bytes).ok());
        row.map_or(Vec::new(), |row| catalog.entries_of(table, key, &row))
    };
    let (gone, come) = (entries(before), entries(after));
    for entry in gone.iter().filter(|e| !come.contains(e)) {
        to.remove_derived(layout::INDEX, layout::entry_key(entry).as_bytes())?;
        to.add_derived(layout::COUNTS, layout::group_key(entry.index, &entry.group).as_bytes(), -1)?;
    }
    for entry in come.iter().filter(|e| !gone.contains(e)) {
        to.put_derived(layout::INDEX, layout::entry_key(entry).as_bytes(), &entry.value)?;
        to.add_derived(layout::COUNTS, layout::group_key(entry.index, &entry.group).as_bytes(), 1)?;
    }
    Ok(())
}

/// Everything a record is found by.
fn listed(to: &impl RawWrite, op: &Op) -> Result<()> {
    let tables = log_tables(op.stream);
    let seq = op.seq.to_be_bytes();
    for id in std::iter::once(&op.id).chain(&op.aliases) {
        to.put_derived(tables.by_id, id.as_bytes(), &seq)?;
    }
    for family in ["", op.family.as_str()] {
        let key = Key::of(&op.workspace).text(family).number(op.seq);
        to.put_derived(tables.by_scope, key.as_bytes(), &[])?;
    }
    for target in &op.targets {
        let key = Key::of(&op.workspace).text(target).number(op.seq);
        to.put_derived(tables.by_target, key.as_bytes(), &[])?;
    }
    match &op.request_key {
        Some(key) => to.put_derived(layout::BY_REQUEST, key.as_bytes(), &seq),
        None => Ok(()),
    }
}
