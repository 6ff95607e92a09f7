//! Who is here: which sessions are open now, and when each last asked for something.
//!
//! Known from memory alone, so it is right for this moment and forgotten with the daemon: what must survive is kept in
//! rows by whoever needs it.

use super::Timestamp;

/// What is known of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attendance {
    /// Its last call since the daemon started.
    pub last_call: Option<Timestamp>,
    /// Since when it is gone: its end, or the start of the daemon for one that never came. `None` = it is open.
    pub gone_since: Option<Timestamp>,
}

pub trait Presence: Send + Sync {
    fn of(&self, session: &str) -> Attendance;
}
