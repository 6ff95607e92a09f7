//! Which sessions are open, and when each last called: kept in memory, told to families through [`Presence`].
//!
//! A session that lost its connection may come back under its id before the old connection is seen to end, so
//! connections are counted. What happened before the daemon started is not known here.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{Engine, Session};
use crate::core::{Attendance, Presence, Timestamp};

/// Sessions that are gone are forgotten beyond this many: they then count as gone since the start.
const REMEMBERED: usize = 4096;

pub struct Attendances {
    started: Timestamp,
    sessions: Mutex<HashMap<String, Entry>>,
}

#[derive(Default)]
struct Entry {
    connections: usize,
    last_call: Option<Timestamp>,
    left: Option<Timestamp>,
}

impl Attendances {
    pub fn since(started: Timestamp) -> Attendances {
        Attendances { started, sessions: Mutex::default() }
    }

    pub fn came(&self, session: &str) {
        self.with(session, |entry| entry.connections += 1);
    }

    pub fn called(&self, session: &str, now: Timestamp) {
        self.with(session, |entry| entry.last_call = Some(now));
    }

    pub fn left(&self, session: &str, now: Timestamp) {
        self.with(session, |entry| {
            entry.connections = entry.connections.saturating_sub(1);
            entry.left = Some(now);
        });
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = sessions.values().filter(|entry| entry.connections == 0).count();
        if gone > REMEMBERED {
            let mut times: Vec<_> =
                sessions.values().filter(|e| e.connections == 0).map(|e| e.left).collect();
            times.sort_unstable();
            let middle = times[gone / 2];
            sessions.retain(|_, entry| entry.connections > 0 || entry.left > middle);
        }
    }

    fn with(&self, session: &str, change: impl FnOnce(&mut Entry)) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        match sessions.get_mut(session) {
            Some(entry) => change(entry),
            None => change(sessions.entry(session.to_string()).or_default()),
        }
    }
}

impl Presence for Attendances {
    fn of(&self, session: &str) -> Attendance {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        match sessions.get(session) {
            Some(entry) => Attendance {
                last_call: entry.last_call,
                gone_since: (entry.connections == 0).then(|| entry.left.unwrap_or(self.started)),
            },
            None => Attendance { last_call: None, gone_since: Some(self.started) },
        }
    }
}

impl Engine {
    /// The connection of a session has ended; it may come back under the same id.
    pub fn close_session(&self, session: &Session) {
        self.shared.attendance.left(session.id(), self.shared.clock.now());
    }
}
