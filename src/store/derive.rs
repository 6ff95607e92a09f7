//! What follows from a stored row or record: index entries, their counts, the lists a record is found by, the words
//! that both are found by, and how many there are.
//!
//! A pure function of what is stored: whoever writes or replays an entry calls [`follow`] with it, and the same
//! derived entries come out. Nothing else writes the tables named here.

use super::raw::RawWrite;
use super::unlisted::ListEntry;
use super::{Catalog, found, layout, tally, words};
use crate::core::{IndexEntry, Key, Result, Table};

/// Brings the derived entries of one entry from what it was to what it is.
pub(super) fn follow(
    to: &impl RawWrite,
    catalog: &Catalog,
    table: &str,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<()> {
    if [layout::LOG, layout::BLOBS, layout::PIECES].contains(&table) {
        tally::note(to, table, before, after)?;
    }
    if table == layout::LOG {
        return to.list(catalog, layout::LOG, key, before, after);
    }
    match catalog.tables.iter().find(|known| known.0 == table) {
        Some(table) => {
            tally::note(to, table.0, before, after)?;
            to.list(catalog, table.0, key, before, after)?;
            indexed(to, catalog, *table, &Key::from_bytes(key), before, after)
        }
        None => Ok(()),
    }
}

/// The entries of the lists that one row or record stands in, or no longer does.
///
/// A record stands where it stood when it was new, also when it loses its changes.
pub(super) fn listed(
    catalog: &Catalog,
    table: &'static str,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    each: &mut dyn FnMut(ListEntry),
) -> Result<()> {
    if table != layout::LOG {
        let (gone, come) = words::of_change(catalog, Table(table), key, before, after);
        gone.into_iter().for_each(|entry| each((layout::WORDS, entry, false)));
        come.into_iter().for_each(|entry| each((layout::WORDS, entry, true)));
        return Ok(());
    }
    let (Some((stream, seq)), None, Some(record)) = (layout::decode_log_key(key), before, after) else {
        return Ok(());
    };
    let op = layout::decode_op(stream, seq, record)?;
    let changes = layout::decode_changes(stream, seq, record)?.unwrap_or_default();
    let found = found::entries(&op, &changes, &|table| catalog.shape_named(table));
    found.into_iter().for_each(|entry| each((layout::FOUND, entry, true)));
    words::of_op(&op).into_iter().for_each(|entry| each((layout::WORDS, entry, true)));
    Ok(())
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

/// Puts an entry into its index unless it is there.
pub(super) fn enter(to: &impl RawWrite, entry: &IndexEntry) -> Result<()> {
    let key = layout::entry_key(entry);
    if to.has(layout::INDEX, key.as_bytes())? {
        return Ok(());
    }
    to.put_derived(layout::INDEX, key.as_bytes(), &entry.value)?;
    to.add_derived(layout::COUNTS, layout::group_key(entry.index, &entry.group).as_bytes(), 1)
}
