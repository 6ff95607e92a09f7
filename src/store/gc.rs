//! Retention: drops old before and after images, and blobs nobody refers to. Metadata stays for good.

use std::collections::BTreeSet;

use super::apply::Batch;
use super::layout;
use super::raw::{Raw, RawWrite, Span};
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
        let records = Span::prefix(&[Stream::Ops as u8]);
        let mut with_changes = Vec::new();
        let mut total = 0;
        self.tables.walk(layout::LOG, &records, &mut |key, record| {
            if let Some((_, bytes)) = layout::without_changes(record) {
                total += bytes;
                with_changes.push(key.to_vec());
            }
            true
        })?;
        let cap = keep.megabytes.saturating_mul(1024 * 1024);
        let protected =
            with_changes.len().saturating_sub(usize::try_from(keep.undo_range).unwrap_or(usize::MAX));
        for key in &with_changes[..protected] {
            let (Some((stream, seq)), Some(record)) =
                (layout::decode_log_key(key), self.tables.get(layout::LOG, key)?)
            else {
                continue;
            };
            let time = layout::decode_op(stream, seq, &record)?.time;
            if time >= oldest && total <= cap {
                break;
            }
            let Some((bare, bytes)) = layout::without_changes(&record) else { continue };
            self.tables.put(layout::LOG, key, &bare)?;
            total -= bytes;
            done.images += 1;
            done.bytes += bytes;
        }
        self.drop_blobs(in_use, &mut done)?;
        Ok(done)
    }

    fn drop_blobs(&self, in_use: &BTreeSet<String>, done: &mut Collected) -> Result<()> {
        let mut wanted = in_use.clone();
        // Rows of older versions may be brought back by undo together with the blobs they name.
        self.tables.walk(layout::LOG, &Span::prefix(&[Stream::Ops as u8]), &mut |_, record| {
            if layout::without_changes(record).is_some() {
                wanted.extend(hashes_in(record));
            }
            true
        })?;
        self.tables.walk(layout::IMAGES, &Span::prefix(&[]), &mut |_, row| {
            wanted.extend(hashes_in(row));
            true
        })?;
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
                unused.push(k.to_vec());
                bytes += v.len() as u64;
            }
            true
        })?;
        for key in &unused {
            self.tables.remove(table, key)?;
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
        self.view().head(Stream::Ops)
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
