//! How many rows, records and blobs there are, known without counting them.
//!
//! Records are numbered without gaps and never dropped, so the last number is how many there are. Of rows and blobs
//! each batch notes what came and what went, table by table. What was there before anybody noted is counted once:
//! over one snapshot, less what that snapshot had noted, so it does not matter how much is written meanwhile.

use std::collections::BTreeMap;

use super::apply::Batch;
use super::check::Sizes;
use super::raw::{Raw, RawWrite, Span, decode_number};
use super::{Catalog, Snapshot, layout};
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Error, Result, row};

/// What was there before anybody noted.
const BASE: &[u8] = b"counted";
/// Entries that are counted between two looks at whether to go on.
const SLICE: u64 = 4096;

/// Entries and bytes of each table.
pub type TableCounts = BTreeMap<String, (i64, i64)>;

/// Notes that an entry of a table came, went or changed. Of records only their changes count, which are dropped.
pub(super) fn note(
    to: &impl RawWrite,
    table: &str,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<()> {
    let sized = [layout::LOG, layout::BLOBS, layout::PIECES].contains(&table);
    for (sign, value) in [("-", before), ("+", after)] {
        let Some(value) = value else { continue };
        if table != layout::LOG && (before.is_none() || after.is_none()) {
            to.add_derived(layout::TALLIES, format!("{table}{sign}").as_bytes(), 1)?;
        }
        let bytes = size(table, value);
        if sized && bytes > 0 {
            to.add_derived(layout::TALLIES, format!("{table}{sign}bytes").as_bytes(), bytes)?;
        }
    }
    Ok(())
}

fn size(table: &str, value: &[u8]) -> i64 {
    let bytes = match table {
        layout::LOG => layout::changes_size(value),
        _ => value.len() as u64,
    };
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Says of a new database that nothing was there before.
pub(super) fn begin(to: &impl RawWrite) -> Result<()> {
    to.put(layout::META, BASE, &row::encode(&TableCounts::new())?)
}

/// What was there before is to be counted again.
pub(super) fn forget(to: &impl RawWrite) -> Result<()> {
    to.remove(layout::META, BASE)
}

impl Catalog {
    /// The tables whose entries are told.
    fn counted(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().map(|t| t.0).chain([layout::BLOBS, layout::PIECES, layout::LOG])
    }

    /// Everything but the records.
    fn sizes(&self, counts: &TableCounts) -> Sizes {
        let of = |table: &str| counts.get(table).copied().unwrap_or_default();
        let number = |n: i64| u64::try_from(n).unwrap_or(0);
        Sizes {
            rows: self.tables.iter().map(|t| number(of(t.0).0)).sum(),
            blobs: number(of(layout::BLOBS).0),
            blob_bytes: number(of(layout::BLOBS).1) + number(of(layout::PIECES).1),
            ..Sizes::default()
        }
    }
}

impl Batch<'_> {
    /// Keeps what was counted of the time before.
    pub fn keep_base(&self, base: &TableCounts) -> Result<()> {
        self.tables.put(layout::META, BASE, &row::encode(base)?)
    }
}

impl Snapshot {
    /// Sizes as they are known; `None` = what was there before is not counted yet.
    pub fn tallied(&self) -> Result<Option<Sizes>> {
        self.tallies()?.map(|counts| self.with_records(&counts)).transpose()
    }

    /// Entries of each table of the families, as they are known.
    pub fn rows_by_table(&self) -> Result<BTreeMap<&'static str, i64>> {
        let counts = self.tallies()?.unwrap_or_default();
        let rows = self.catalog.tables.iter().map(|t| (t.0, counts.get(t.0).map_or(0, |(n, _)| *n)));
        Ok(rows.filter(|(_, n)| *n > 0).collect())
    }

    /// Bytes of changes that the log keeps; none where that is not counted yet.
    pub(super) fn kept_changes(&self) -> Result<u64> {
        let counts = self.tallies()?.unwrap_or_default();
        Ok(counts.get(layout::LOG).map_or(0, |(_, bytes)| u64::try_from(*bytes).unwrap_or(0)))
    }

    fn tallies(&self) -> Result<Option<TableCounts>> {
        let Some(base) = self.shot.get(layout::META, BASE)? else { return Ok(None) };
        let unreadable = |e| Error::io(format!("The counts of the database cannot be read: {e}."));
        let mut counts: TableCounts = row::decode(&base).map_err(unreadable)?;
        add(&mut counts, &self.noted()?, 1);
        Ok(Some(counts))
    }

    /// What came less what went, since it is noted.
    fn noted(&self) -> Result<TableCounts> {
        let mut out = TableCounts::new();
        self.shot.walk(layout::TALLIES, &Span::prefix(&[]), &mut |key, value| {
            let name = String::from_utf8_lossy(key);
            let n = i64::try_from(decode_number(value)).unwrap_or(i64::MAX);
            if let Some(at) = name.rfind(['+', '-']) {
                let entry = out.entry(name[..at].to_string()).or_default();
                let n = if name[at..].starts_with('-') { -n } else { n };
                match &name[at + 1..] {
                    "bytes" => entry.1 += n,
                    _ => entry.0 += n,
                }
            }
            true
        })?;
        Ok(out)
    }

    /// Counts what was there before anybody noted; `None` = that is known already. `go_on` is asked now and then.
    pub fn count_base(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Option<TableCounts>> {
        if self.shot.has(layout::META, BASE)? {
            return Ok(None);
        }
        let Some(mut base) = self.count(go_on)? else { return Ok(None) };
        add(&mut base, &self.noted()?, -1);
        Ok(Some(base))
    }

    /// Sizes by counting every entry: for a file that nobody serves.
    pub fn sizes(&self) -> Result<Sizes> {
        self.with_records(&self.count(&mut || true)?.unwrap_or_default())
    }

    fn with_records(&self, counts: &TableCounts) -> Result<Sizes> {
        let (ops, audit) = (self.view().head(Stream::Ops)?, self.view().head(Stream::Audit)?);
        Ok(Sizes { ops, audit, ..self.catalog.sizes(counts) })
    }

    fn count(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Option<TableCounts>> {
        let mut out = TableCounts::new();
        let (mut seen, mut stopped) = (0u64, false);
        for table in self.catalog.counted() {
            let sum: &mut (i64, i64) = out.entry(table.to_string()).or_default();
            self.shot.walk(table, &Span::prefix(&[]), &mut |_, value| {
                sum.0 += 1;
                sum.1 += size(table, value);
                seen += 1;
                stopped = seen % SLICE == 0 && !go_on();
                !stopped
            })?;
            if stopped {
                return Ok(None);
            }
        }
        Ok(Some(out))
    }
}

fn add(to: &mut TableCounts, other: &TableCounts, sign: i64) {
    for (table, (n, bytes)) in other {
        let entry = to.entry(table.clone()).or_default();
        entry.0 += sign * n;
        entry.1 += sign * bytes;
    }
}
