//! A collection under way: looks from snapshots, a few entries at a time, and says what the writer has to drop.
//!
//! Operations go by their number from a mark that is stored; blobs by mark and sweep, begun anew after a restart:
//! what is written while blobs are marked counts as referred to (see `watch`). It keeps 32 bytes in memory for each
//! blob in use.

use std::collections::HashSet;
use std::sync::Arc;

use super::gc::{AT_ONCE, Collected, GcStep, LAST, MARK, Retention};
use super::raw::{Raw, Span, decode_number};
use super::watch::{self, Hash, hash_of_key, hashes_in};
use super::{Catalog, Snapshot, blobs, layout, older};
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Result, Timestamp};

/// Entries and bytes that one look reads.
const LOOKED: usize = 1024;
const LOOKED_BYTES: usize = 1024 * 1024;
/// Blobs that one look searches for names of others.
const TRACED: usize = 64;

enum Phase {
    Changes,
    Images(Vec<u8>),
    Watch,
    /// Place in the list of tables, and the key to go on with.
    Mark(usize, Vec<u8>),
    Sweep(Vec<u8>),
    MarkPieces(Vec<u8>),
    SweepPieces(Vec<u8>),
    Finish,
    Done,
}

/// A collection under way. Letting go of it ends it.
pub struct Collection {
    keep: Retention,
    now: Timestamp,
    phase: Phase,
    catalog: Arc<Catalog>,
    wanted: HashSet<Hash>,
    /// Wanted blobs that were not searched yet.
    untraced: Vec<Hash>,
    pub done: Collected,
}

impl Collection {
    pub fn new(snapshot: &Snapshot, keep: Retention, now: Timestamp) -> Collection {
        Collection {
            keep,
            now,
            phase: Phase::Changes,
            catalog: snapshot.catalog.clone(),
            wanted: HashSet::new(),
            untraced: Vec::new(),
            done: Collected::default(),
        }
    }

    /// Looks at the next few entries and says what the writer has to do about them.
    pub fn look(&mut self, snapshot: &Snapshot) -> Result<GcStep> {
        let raw = &snapshot.shot;
        let (phase, step) = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Changes => match self.old_changes(snapshot)? {
                Some(seqs) => (Phase::Changes, GcStep::Changes(seqs)),
                None => (Phase::Images(Vec::new()), GcStep::More),
            },
            Phase::Images(from) => {
                let mark = raw.number(layout::META, MARK)?;
                let old = |key: &[u8]| key.len() > 8 && decode_number(&key[key.len() - 8..]) <= mark;
                let (keys, next) = some_keys(raw, layout::IMAGES, from, old)?;
                (next.map_or(Phase::Watch, Phase::Images), GcStep::Images(keys))
            }
            // Without blobs there is nothing to mark.
            Phase::Watch if raw.collect(layout::BLOBS, &Span::prefix(&[]).limit(1))?.is_empty() => {
                (Phase::Finish, GcStep::More)
            }
            Phase::Watch => (Phase::Mark(0, Vec::new()), GcStep::Watch),
            Phase::Mark(at, from) => (self.mark(snapshot, at, from)?, GcStep::More),
            Phase::Sweep(from) => {
                let unwanted = |key: &[u8]| hash_of_key(key).is_some_and(|hash| !self.wanted.contains(&hash));
                let (keys, next) = some_keys(raw, layout::BLOBS, from, unwanted)?;
                if next.is_none() {
                    self.wanted.clear();
                }
                (next.map_or(Phase::MarkPieces(Vec::new()), Phase::Sweep), GcStep::Blobs(layout::BLOBS, keys))
            }
            Phase::MarkPieces(from) => {
                let next = some(raw, layout::BLOBS, &[], from, |_, value| {
                    self.wanted.extend(blobs::listed(value).filter_map(|key| Hash::try_from(key).ok()));
                })?;
                (next.map_or(Phase::SweepPieces(Vec::new()), Phase::MarkPieces), GcStep::More)
            }
            Phase::SweepPieces(from) => {
                let unwanted =
                    |key: &[u8]| Hash::try_from(key).is_ok_and(|hash| !self.wanted.contains(&hash));
                let (keys, next) = some_keys(raw, layout::PIECES, from, unwanted)?;
                (next.map_or(Phase::Finish, Phase::SweepPieces), GcStep::Blobs(layout::PIECES, keys))
            }
            Phase::Finish => (Phase::Done, GcStep::Finish(self.now)),
            Phase::Done => (Phase::Done, GcStep::Done),
        };
        self.phase = phase;
        Ok(step)
    }

    /// The next operations after the mark that are beyond retention; `None` = there are no more.
    fn old_changes(&self, snapshot: &Snapshot) -> Result<Option<Vec<u64>>> {
        let raw = &snapshot.shot;
        // Records of an older schema come into the log below the mark; they have to be there first.
        if !raw.collect(older::records(Stream::Ops), &Span::prefix(&[]).limit(1))?.is_empty() {
            return Ok(None);
        }
        let days = i64::try_from(self.keep.days).unwrap_or(i64::MAX / 86_400);
        let oldest = self.now.plus_seconds(days.saturating_mul(-86_400));
        let last = snapshot.view().head(Stream::Ops)?.saturating_sub(self.keep.undo_range);
        let cap = self.keep.megabytes.saturating_mul(1024 * 1024);
        let mut total = snapshot.kept_changes()?;
        let pending = raw.collect(layout::PENDING, &Span::prefix(&[]).limit(1))?;
        let pending = pending.first().map_or(u64::MAX, |(seq, _)| decode_number(seq));
        let first = layout::log_key(Stream::Ops, raw.number(layout::META, MARK)?.saturating_add(1));
        let span = Span::prefix(&[Stream::Ops as u8]).from(first.to_vec());
        let (mut out, mut bytes) = (Vec::new(), 0);
        raw.walk(layout::LOG, &span, &mut |key, record| {
            let Some((stream, seq)) = layout::decode_log_key(key) else { return true };
            // What cannot be read says no age; it is passed over and left as it is.
            let young = layout::decode_op(stream, seq, record).is_ok_and(|op| op.time >= oldest);
            if seq > last || seq >= pending || (young && total <= cap) {
                return false;
            }
            total = total.saturating_sub(layout::changes_size(record));
            bytes += record.len();
            out.push(seq);
            out.len() < AT_ONCE && bytes < LOOKED_BYTES
        })?;
        Ok((!out.is_empty()).then_some(out))
    }

    /// Everything that may name a blob. Records of the older schema come before the log into which they move.
    fn tables(&self) -> Vec<(&'static str, &'static [u8])> {
        let older = [older::records(Stream::Ops), older::IMAGES].map(|table| (table, &[][..]));
        let rows = self.catalog.tables.iter().map(|table| (table.0, &[][..]));
        let log = [(layout::LOG, &[Stream::Ops as u8][..]), (layout::IMAGES, &[][..])];
        rows.chain(older).chain(log).collect()
    }

    fn mark(&mut self, snapshot: &Snapshot, at: usize, from: Vec<u8>) -> Result<Phase> {
        let raw = &snapshot.shot;
        for _ in 0..TRACED {
            let Some(hash) = self.untraced.pop() else { break };
            let named = blobs::get(raw, &watch::sha(&hash))?.map(|bytes| hashes_in(&bytes));
            self.want(raw, named.unwrap_or_default())?;
        }
        if !self.untraced.is_empty() {
            return Ok(Phase::Mark(at, from));
        }
        // Tables in which nothing is named cost no step of their own, as long as they are short.
        let (tables, mut at, mut from) = (self.tables(), at, from);
        loop {
            let Some((table, prefix)) = tables.get(at).copied() else { return Ok(Phase::Sweep(Vec::new())) };
            let mut named = HashSet::new();
            let next = some(raw, table, prefix, from, |_, value| {
                // The rows of an operation without its changes can no longer be brought back.
                if table != layout::LOG || layout::changes_size(value) > 0 {
                    named.extend(hashes_in(value));
                }
            })?;
            let found = !named.is_empty();
            self.want(raw, named)?;
            match next {
                Some(next) => return Ok(Phase::Mark(at, next)),
                None if found => return Ok(Phase::Mark(at + 1, Vec::new())),
                None => (at, from) = (at + 1, Vec::new()),
            }
        }
    }

    fn want(&mut self, raw: &impl Raw, named: impl IntoIterator<Item = Hash>) -> Result<()> {
        for hash in named {
            let key = watch::sha(&hash);
            if !self.wanted.contains(&hash) && raw.has(layout::BLOBS, key.as_str().as_bytes())? {
                self.wanted.insert(hash);
                // Content may name other content: the manifest of a snapshot lists its files.
                self.untraced.push(hash);
            }
        }
        Ok(())
    }
}

impl Drop for Collection {
    fn drop(&mut self) {
        self.catalog.watch.end();
    }
}

impl Snapshot {
    /// When the last collection came to its end; `None` = there was none yet.
    pub fn last_collection(&self) -> Result<Option<Timestamp>> {
        let found = self.shot.get(layout::META, LAST)?;
        Ok(found.map(|bytes| Timestamp(i64::try_from(decode_number(&bytes)).unwrap_or(i64::MAX))))
    }
}

/// Reads the next entries from a key on; the key to go on with, if there are more.
fn some(
    raw: &impl Raw,
    table: &str,
    prefix: &[u8],
    from: Vec<u8>,
    mut each: impl FnMut(&[u8], &[u8]),
) -> Result<Option<Vec<u8>>> {
    let mut span = Span::prefix(prefix);
    if !from.is_empty() {
        span = span.from(from);
    }
    let (mut entries, mut bytes, mut next) = (0, 0, None);
    raw.walk(table, &span, &mut |key, value| {
        if entries == LOOKED || bytes >= LOOKED_BYTES {
            next = Some(key.to_vec());
            return false;
        }
        entries += 1;
        bytes += value.len();
        each(key, value);
        true
    })?;
    Ok(next)
}

type Keys = Vec<Vec<u8>>;

/// The keys that are wanted among the next entries.
fn some_keys(
    raw: &impl Raw,
    table: &str,
    from: Vec<u8>,
    wanted: impl Fn(&[u8]) -> bool,
) -> Result<(Keys, Option<Vec<u8>>)> {
    let mut keys = Keys::new();
    let next = some(raw, table, &[], from, |key, _| {
        if wanted(key) {
            keys.push(key.to_vec());
        }
    })?;
    Ok((keys, next))
}
