//! Time and randomness, injected: the real ones and fixed ones for tests.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::core::{Ids, Timestamp};

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

/// An operation id: sortable by time, made from injected time and randomness.
pub fn operation_id(now: Timestamp, ids: &dyn Ids) -> String {
    let millis = u64::try_from(now.micros() / 1000).unwrap_or(0);
    let random = ids.random().to_le_bytes();
    // Ten of the sixteen bytes: the array is longer than that.
    let mut ten = [0u8; 10];
    ten.copy_from_slice(&random[..10]);
    uuid::Builder::from_unix_timestamp_millis(millis, &ten).into_uuid().to_string()
}
