//! Retention: drops old before and after images, and blobs nobody refers to. Metadata stays for good.

use std::collections::BTreeSet;

use super::apply::Batch;
use super::layout::{self, log_tables};
use super::raw::{Raw, RawWrite, Span, decode_number};
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Result, Sha, Timestamp, View};

/// What is kept besides the undo range, which is never touched.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub days: u64,
    pub megabytes: u64,
    /// So many newest operations keep their images whatever their age and size.
    pub undo_range: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Retention { days: 90, megabytes: 512, undo_range: 1000 }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Collected {
    pub images: u64,
    pub blobs: u64,
    pub bytes: u64,
}

impl Batch<'_> {
    /// One sweep. `in_use` names the blobs that rows of the families still refer to.
    pub fn collect_garbage(
        &self,
        keep: &Retention,
        now: Timestamp,
        in_use: &BTreeSet<String>,
    ) -> Result<Collected> {
        let mut done = Collected::default();
        let oldest = now.plus_seconds(-(i64::try_from(keep.days).unwrap_or(i64::MAX / 86_400)) * 86_400);
        let images = self.tables.collect(layout::IMAGES, &Span::prefix(&[]))?;
        let mut total: u64 = images.iter().map(|(_, v)| v.len() as u64).sum();
        let cap = keep.megabytes.saturating_mul(1024 * 1024);
        let protected = images.len().saturating_sub(usize::try_from(keep.undo_range).unwrap_or(usize::MAX));
        for (key, value) in &images[..protected] {
            let time = match self.view().op_at(Stream::Ops, decode_number(key))? {
                Some(op) => op.time,
                None => Timestamp::default(),
            };
            if time >= oldest && total <= cap {
                break;
            }
            self.tables.remove(layout::IMAGES, key)?;
            self.dirty.set(true);
            total -= value.len() as u64;
            done.images += 1;
            done.bytes += value.len() as u64;
        }
        self.drop_blobs(in_use, &mut done)?;
        Ok(done)
    }

    fn drop_blobs(&self, in_use: &BTreeSet<String>, done: &mut Collected) -> Result<()> {
        let mut wanted = in_use.clone();
        for (key, _) in self.tables.collect(layout::IMAGES, &Span::prefix(&[]))? {
            if let Some(op) = self.view().op_at(Stream::Ops, decode_number(&key))? {
                for effect in &op.effects {
                    wanted.extend(
                        [&effect.before, &effect.after]
                            .into_iter()
                            .flatten()
                            .map(|image| image.sha.0.clone()),
                    );
                }
            }
            // Rows of older versions may be brought back by undo together with the blobs they name.
            if let Some(images) = self.view().images_at(decode_number(&key))? {
                for side in images.iter().flat_map(|c| [&c.before, &c.after]).flatten() {
                    wanted.extend(hashes_in(&side.value));
                }
            }
        }
        // Content may name other content: the manifest of a snapshot lists its files.
        let mut queue: Vec<String> = wanted.iter().cloned().collect();
        while let Some(sha) = queue.pop() {
            let named = self.view().blob(&Sha(sha))?.map(|bytes| hashes_in(&bytes)).unwrap_or_default();
            queue.extend(named.into_iter().filter(|sha| wanted.insert(sha.clone())));
        }
        let mut pieces = BTreeSet::new();
        let gone = self.drop_from(layout::BLOBS, &mut |key, value| {
            let keep = wanted.contains(&*String::from_utf8_lossy(key));
            if keep {
                pieces.extend(super::blobs::listed(value).map(<[u8]>::to_vec));
            }
            keep
        })?;
        done.blobs += gone.0;
        done.bytes += gone.1 + self.drop_from(layout::PIECES, &mut |key, _| pieces.contains(key))?.1;
        Ok(())
    }

    /// Removes every entry that is not to be kept; tells how many, and how many bytes.
    fn drop_from(&self, table: &str, keep: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<(u64, u64)> {
        let mut unused = Vec::new();
        let mut bytes = 0;
        self.tables.walk(table, &Span::prefix(&[]), &mut |k, v| {
            if !keep(k, v) {
                unused.push((k.to_vec(), v.to_vec()));
                bytes += v.len() as u64;
            }
            true
        })?;
        for (key, value) in &unused {
            self.tables.remove(table, key)?;
            super::tally::note(&self.tables, table, Some(value), None)?;
            self.dirty.set(true);
        }
        Ok((unused.len() as u64, bytes))
    }

    /// Every content address that a stored row mentions.
    pub fn blobs_in_rows(&self) -> Result<BTreeSet<String>> {
        let mut out = BTreeSet::new();
        for table in &self.catalog.tables {
            self.tables.walk(table.0, &Span::prefix(&[]), &mut |_, v| {
                out.extend(hashes_in(v));
                true
            })?;
        }
        Ok(out)
    }

    pub fn log_length(&self) -> Result<u64> {
        let mut n = 0;
        self.tables.walk(log_tables(Stream::Ops).records, &Span::prefix(&[]), &mut |_, _| {
            n += 1;
            true
        })?;
        Ok(n)
    }
}

/// Runs of exactly 64 lower-case hex digits: what a SHA-256 looks like in any row.
fn hashes_in(bytes: &[u8]) -> Vec<String> {
    let hex = |b: &u8| b.is_ascii_digit() || (b'a'..=b'f').contains(b);
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let run = bytes[i..].iter().take_while(|b| hex(b)).count();
        // A msgpack length byte may itself look like a digit, so longer runs are searched whole.
        for at in 0..(run + 1).saturating_sub(64) {
            out.push(String::from_utf8_lossy(&bytes[i + at..i + at + 64]).into_owned());
        }
        i += run.max(1);
    }
    out
}
