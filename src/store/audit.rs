//! The digests of the audit stream beside its records: written in the batch that appends one, and read in order.
//!
//! Records from before there were digests are chained afterwards, a few at a time: hashed from a snapshot, because
//! an audit record never changes, and only entered in the writer. Until that is done new ones wait for their turn.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::apply::Batch;
use super::raw::{INTERRUPTED, Raw, RawWrite, Span, decode_number};
use super::{Reader, Snapshot, layout, older};
use crate::core::chain::{self, Digest, START};
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Op, Result};

/// Set once every record has its digest; from then on a record without one is broken.
const CHAINED: &[u8] = b"audit_chained";

/// Digests that are not entered yet, and where their computing stopped.
pub struct Backlog {
    /// The newest digest that was there, and the record to begin after.
    tip: Option<u64>,
    after: u64,
    digests: Vec<(u64, Digest)>,
    /// The last record that was looked at.
    through: u64,
}

/// Lines of an export in order, and after which number there are more.
pub struct AuditPage {
    pub lines: Vec<String>,
    pub next: Option<u64>,
}

/// Whether a new record is to be chained now; the first of all always is.
pub(super) fn chained(to: &impl RawWrite, first: bool) -> Result<bool> {
    let done = to.has(layout::META, CHAINED)?;
    if !done && first {
        to.put(layout::META, CHAINED, &[1])?;
    }
    Ok(done || first)
}

impl Batch<'_> {
    /// Chains a record that was just appended; `first` says that there was none before it.
    pub(super) fn chain(&self, op: &Op, first: bool) -> Result<()> {
        if !chained(&self.tables, first)? {
            return Ok(());
        }
        let previous = tip(&self.tables, None)?.map_or(START, |(_, digest)| digest);
        let digest = chain::link(&previous, &chain::record(op));
        self.tables.put(layout::AUDIT_CHAIN, &op.seq.to_be_bytes(), &digest)
    }

    /// Enters digests of older records, unless somebody else did meanwhile; the number to go on after, if there are
    /// more to be chained.
    pub fn catch_up(&self, backlog: &Backlog) -> Result<Option<u64>> {
        if self.tables.has(layout::META, CHAINED)? {
            return Ok(None);
        }
        if tip(&self.tables, None)?.map(|(seq, _)| seq) != backlog.tip {
            return Ok(Some(backlog.after));
        }
        for (seq, digest) in &backlog.digests {
            self.tables.put(layout::AUDIT_CHAIN, &seq.to_be_bytes(), digest)?;
        }
        if backlog.through < self.view().head(Stream::Audit)? {
            return Ok(Some(backlog.through));
        }
        self.tables.put(layout::META, CHAINED, &[1])?;
        Ok(None)
    }
}

impl Snapshot {
    /// The next records after this number that have no digest yet; `None` = there are none to be chained.
    pub fn backlog(&self, after: u64, most: usize) -> Result<Option<Backlog>> {
        if self.shot.has(layout::META, CHAINED)? || self.view().head(Stream::Audit)? == 0 {
            return Ok(None);
        }
        let tip = tip(&self.shot, None)?;
        let mut previous = tip.map_or(START, |(_, digest)| digest);
        let after = after.max(tip.map_or(0, |(seq, _)| seq));
        let mut out = Backlog { tip: tip.map(|(seq, _)| seq), after, digests: Vec::new(), through: after };
        for (seq, found) in records(&self.view(), after, most)? {
            out.through = seq;
            // What cannot be read stays without a digest, which is what a verification then says of it.
            if let Ok(op) = found {
                previous = chain::link(&previous, &chain::record(&op));
                out.digests.push((seq, previous));
            }
        }
        Ok(Some(out))
    }

    /// Records with their digests as they are stored. Where one of the two is missing or unreadable the line says
    /// so, and reading it as a chain fails there.
    pub fn audit_lines(&self, after: u64, most: usize) -> Result<AuditPage> {
        let mut previous = tip(&self.shot, Some(after))?.map_or(START, |(_, digest)| digest);
        let mut records = records(&self.view(), after, most)?.into_iter().peekable();
        let mut digests = digests(&self.shot, after, most)?.into_iter().peekable();
        let (mut lines, mut last) = (Vec::new(), after);
        while lines.len() < most {
            let next = [records.peek().map(|(seq, _)| *seq), digests.peek().map(|(seq, _)| *seq)];
            let Some(seq) = next.into_iter().flatten().min() else { break };
            let found = records.next_if(|(at, _)| *at == seq).map(|(_, found)| found);
            let digest = digests.next_if(|(at, _)| *at == seq).map(|(_, digest)| digest);
            lines.push(chain::line(&previous, digest.as_ref(), &shown(seq, found)));
            previous = digest.unwrap_or(previous);
            last = seq;
        }
        let next = (lines.len() >= most).then_some(last);
        Ok(AuditPage { lines, next })
    }
}

fn shown(seq: u64, found: Option<Result<Op>>) -> Value {
    match found {
        // A record that says another number than the one it lies under is not the one that was chained.
        Some(Ok(op)) => chain::record(&Op { seq, ..op }),
        Some(Err(_)) => json!({"number": seq, "unreadable": true}),
        None => json!({"number": seq, "missing": true}),
    }
}

fn past(after: u64) -> Span {
    Span::prefix(&[]).from(after.saturating_add(1).to_be_bytes().to_vec())
}

/// The next records as they are found, with what became of them: nothing ever becomes of an audit record.
fn records<R: Raw>(view: &Reader<'_, R>, after: u64, most: usize) -> Result<Vec<(u64, Result<Op>)>> {
    let first = layout::log_key(Stream::Audit, after.saturating_add(1)).to_vec();
    let log = Span::prefix(&[Stream::Audit as u8]).from(first).limit(most);
    let mut numbers: BTreeSet<u64> = BTreeSet::new();
    for (key, _) in view.raw.collect(layout::LOG, &log)? {
        numbers.extend(layout::decode_log_key(&key).map(|(_, seq)| seq));
    }
    let older = view.raw.collect(older::records(Stream::Audit), &past(after).limit(most))?;
    numbers.extend(older.iter().map(|(key, _)| decode_number(key)));
    let mut out = Vec::new();
    for seq in numbers.into_iter().take(most) {
        match view.op_at(Stream::Audit, seq) {
            Ok(found) => out.extend(found.map(|op| (seq, Ok(op)))),
            Err(e) if e.code == INTERRUPTED => return Err(e),
            Err(e) => out.push((seq, Err(e))),
        }
    }
    Ok(out)
}

fn digests(raw: &impl Raw, after: u64, most: usize) -> Result<Vec<(u64, Digest)>> {
    let found = raw.collect(layout::AUDIT_CHAIN, &past(after).limit(most))?;
    Ok(found.into_iter().map(|(key, value)| (decode_number(&key), read(&value))).collect())
}

/// The newest digest, or the newest up to a number.
pub(super) fn tip(raw: &impl Raw, up_to: Option<u64>) -> Result<Option<(u64, Digest)>> {
    let mut span = Span::prefix(&[]).reverse(true).limit(1);
    if let Some(seq) = up_to {
        span.end = std::ops::Bound::Included(seq.to_be_bytes().to_vec());
    }
    let found = raw.collect(layout::AUDIT_CHAIN, &span)?;
    Ok(found.first().map(|(key, value)| (decode_number(key), read(value))))
}

/// A digest of the wrong length is one that fits nothing.
fn read(value: &[u8]) -> Digest {
    value.try_into().unwrap_or([0xff; 32])
}
