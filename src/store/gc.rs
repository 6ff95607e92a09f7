//! Retention: drops what old operations changed, old whole images, and blobs nobody refers to. Records stay for good.
//!
//! These are the jobs of the writer, short enough that nobody notices them; what is to be dropped is found out by
//! whoever sends them (see `collection`).

use std::time::{Duration, Instant};

use super::apply::Batch;
use super::raw::{Raw, RawWrite};
use super::watch::{Hash, hash_of_key};
use super::{derive, layout, tally};
use crate::core::op::Stream;
use crate::core::{Result, Timestamp};

/// Up to this operation changes were dropped.
pub(super) const MARK: &[u8] = b"gc_mark";
/// When the last collection came to its end.
pub(super) const LAST: &[u8] = b"gc_last";

/// Operations, images or blobs that one job drops.
pub(super) const AT_ONCE: usize = 256;
/// A job that takes longer leaves the rest to the next one.
const BUDGET: Duration = Duration::from_millis(4);
/// What is kept besides the undo range, which is never touched.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub days: u64,
    pub megabytes: u64,
    /// So many newest operations keep their changes whatever their age and size.
    pub undo_range: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Retention { days: 90, megabytes: 512, undo_range: 1000 }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Collected {
    /// Operations whose changes were dropped.
    pub images: u64,
    pub blobs: u64,
    pub bytes: u64,
}

impl Collected {
    #[must_use]
    pub fn with(self, more: Collected) -> Collected {
        Collected {
            images: self.images + more.images,
            blobs: self.blobs + more.blobs,
            bytes: self.bytes + more.bytes,
        }
    }
}

/// A job for the writer, done from the front.
pub enum GcStep {
    /// Nothing to do now, but there is more to look at.
    More,
    Changes(Vec<u64>),
    Images(Vec<Vec<u8>>),
    Watch,
    Blobs(&'static str, Vec<Vec<u8>>),
    Finish(Timestamp),
    Done,
}

impl GcStep {
    /// Whether there is nothing for the writer in it.
    pub fn is_idle(&self) -> bool {
        match self {
            GcStep::More | GcStep::Done => true,
            GcStep::Changes(list) => list.is_empty(),
            GcStep::Images(list) | GcStep::Blobs(_, list) => list.is_empty(),
            GcStep::Watch | GcStep::Finish(_) => false,
        }
    }

    /// Takes away what was done of it; true if anything is left.
    pub fn rest(&mut self, handled: usize) -> bool {
        match self {
            GcStep::Changes(list) => drop(list.drain(..handled)),
            GcStep::Images(list) | GcStep::Blobs(_, list) => drop(list.drain(..handled)),
            _ => return false,
        }
        !self.is_idle()
    }
}

impl Batch<'_> {
    /// Does a step from its front, as far as there is time; tells what was dropped and how much of it is done.
    pub fn collect(&self, step: &GcStep) -> Result<(Collected, usize)> {
        let begun = Instant::now();
        let (mut done, mut handled) = (Collected::default(), 0);
        let mut one_more = || {
            handled += 1;
            begun.elapsed() < BUDGET
        };
        match step {
            GcStep::Changes(seqs) => {
                let mut mark = None;
                for seq in seqs.iter().take(AT_ONCE) {
                    self.drop_changes(*seq, &mut done)?;
                    mark = Some(*seq);
                    if !one_more() {
                        break;
                    }
                }
                if let Some(mark) = mark {
                    self.tables.put(layout::META, MARK, &mark.to_be_bytes())?;
                }
            }
            GcStep::Images(keys) => {
                for key in keys.iter().take(AT_ONCE) {
                    let value = self.tables.get(layout::IMAGES, key)?;
                    self.tables.remove(layout::IMAGES, key)?;
                    done.bytes += value.map_or(0, |value| value.len() as u64);
                    if !one_more() {
                        break;
                    }
                }
            }
            GcStep::Blobs(table, keys) => {
                for key in keys.iter().take(AT_ONCE) {
                    self.drop_blob(table, key, &mut done)?;
                    if !one_more() {
                        break;
                    }
                }
            }
            GcStep::Watch => self.catalog.watch.begin(),
            GcStep::Finish(now) => {
                let micros = now.micros().max(0).unsigned_abs();
                self.tables.put(layout::META, LAST, &micros.to_be_bytes())?;
            }
            GcStep::More | GcStep::Done => {}
        }
        Ok((done, handled))
    }

    fn drop_changes(&self, seq: u64, done: &mut Collected) -> Result<()> {
        let key = layout::log_key(Stream::Ops, seq);
        let Some(record) = self.tables.get(layout::LOG, &key)? else { return Ok(()) };
        let Some((bare, bytes)) = layout::without_changes(&record) else { return Ok(()) };
        self.tables.put(layout::LOG, &key, &bare)?;
        derive::follow(&self.tables, self.catalog, layout::LOG, &key, Some(&record), Some(&bare))?;
        done.images += 1;
        done.bytes += bytes;
        Ok(())
    }

    /// Unless somebody referred to it since it was looked for.
    fn drop_blob(&self, table: &str, key: &[u8], done: &mut Collected) -> Result<()> {
        let hash = if table == layout::BLOBS { hash_of_key(key) } else { Hash::try_from(key).ok() };
        if hash.is_none_or(|hash| self.catalog.watch.has(&hash)) {
            return Ok(());
        }
        let Some(value) = self.tables.get(table, key)? else { return Ok(()) };
        self.tables.remove(table, key)?;
        tally::note(&self.tables, table, Some(&value), None)?;
        done.blobs += u64::from(table == layout::BLOBS);
        done.bytes += value.len() as u64;
        Ok(())
    }
}
