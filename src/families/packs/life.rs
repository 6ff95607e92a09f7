//! Time to live: what is left of it, and in which words.

use crate::core::Timestamp;

/// Whole seconds until `expires`, never negative.
pub fn seconds_left(expires: Timestamp, now: Timestamp) -> i64 {
    (expires.micros() - now.micros()).div_euclid(1_000_000).max(0)
}

/// `expired`, `<1m`, `32m`, `5h` or `2d`; always rounded down.
pub fn human(expires: Timestamp, now: Timestamp) -> String {
    match seconds_left(expires, now) {
        0 => "expired".to_string(),
        s if s < 60 => "<1m".to_string(),
        s if s < 3_600 => format!("{}m", s / 60),
        s if s < 86_400 => format!("{}h", s / 3_600),
        s => format!("{}d", s / 86_400),
    }
}
