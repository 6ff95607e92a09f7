//! Keeps the writer from running into the checkpoint: while a generation is carried over and the next one fills, every
//! batch waits a little, so that none has to wait for all of it.
//!
//! How long follows from how fast the last checkpoint was. Says nothing while there is room.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::live::FULL;

/// Up to here the next generation fills at full speed.
const FREE: usize = FULL / 4;
/// No batch waits longer for its own good.
const MOST: Duration = Duration::from_millis(4);

#[derive(Default)]
pub(super) struct WriterPace {
    /// What a KiB took on its way into the database, in nanoseconds.
    nanos: AtomicU64,
    /// How full the next generation was before the last batch.
    filled: AtomicUsize,
}

impl WriterPace {
    /// A generation of this size is in the database now.
    pub fn carried(&self, bytes: usize, took: Duration) {
        let nanos = took.as_nanos() / (bytes as u128 / 1024).max(1);
        self.nanos.store(u64::try_from(nanos).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What the next batch should wait: about what the one before takes to be carried, the more the fuller it is.
    pub fn wait(&self, carrying: bool, filled: usize) -> Duration {
        let before = self.filled.swap(filled, Ordering::Relaxed);
        if !carrying || filled < FREE {
            return Duration::ZERO;
        }
        let grown = filled.saturating_sub(before) as u64 / 1024;
        let whole = grown.saturating_mul(self.nanos.load(Ordering::Relaxed));
        // A little more than all of it at the end: the writer is still writing while it is carried.
        let part = whole.saturating_mul(filled as u64) / (FULL as u64) * 5 / 4;
        Duration::from_nanos(part).min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_waits_the_longer_the_less_room_is_left() {
        let pace = WriterPace::default();
        pace.carried(FULL, Duration::from_millis(64));
        let step = FULL / 64;
        let wait = |filled: usize| {
            pace.wait(true, filled - step);
            pace.wait(true, filled)
        };
        assert_eq!(wait(FREE - 1), Duration::ZERO);
        assert!(wait(FULL / 2) > Duration::from_micros(500), "{:?}", wait(FULL / 2));
        assert!(wait(FULL) > wait(FULL / 2), "{:?}", wait(FULL));
        assert!(wait(2 * FULL) <= MOST);
        assert_eq!(pace.wait(false, FULL), Duration::ZERO, "nothing is carried");
    }
}
