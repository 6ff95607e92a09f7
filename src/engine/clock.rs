//! Time and randomness, injected: the real ones and fixed ones for tests.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

pub use crate::core::op::operation_id;
use crate::core::{Ids, Sha, Timestamp};

pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_microsecond())
    }
}

/// Stands still until it is told to move.
pub struct FixedClock(AtomicI64);

impl FixedClock {
    pub fn at(text: &str) -> Self {
        FixedClock(AtomicI64::new(Timestamp::parse(text).map_or(0, Timestamp::micros)))
    }

    #[allow(dead_code, reason = "tests move the clock")]
    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

pub struct RandomIds;

impl Ids for RandomIds {
    fn random(&self) -> u128 {
        uuid::Uuid::new_v4().as_u128() ^ (uuid::Uuid::new_v4().as_u128() << 64)
    }
}

/// Different numbers in the same order every time.
#[derive(Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        let n = u128::from(self.0.fetch_add(1, Ordering::SeqCst) + 1);
        // Spreads the bits so that ids of neighbouring numbers look different.
        n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
    }
}

/// The same numbers for the same seed, and others for every other.
pub struct Seeded {
    seed: String,
    drawn: AtomicU64,
}

impl Seeded {
    pub fn new(seed: &str) -> Self {
        Seeded { seed: seed.to_string(), drawn: AtomicU64::new(0) }
    }
}

impl Ids for Seeded {
    fn random(&self) -> u128 {
        let n = self.drawn.fetch_add(1, Ordering::SeqCst);
        let hex = Sha::of(format!("{}/{n}", self.seed).as_bytes()).0;
        // Thirty-two hex digits of a SHA-256 always make a number.
        u128::from_str_radix(&hex[..32], 16).unwrap_or_default()
    }
}
