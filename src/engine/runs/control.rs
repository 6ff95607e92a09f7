//! How another thread reaches a run that is under way: end it, or let go of it because the daemon ends. Also what
//! the run's programs see of the session that asked for it, which is nowhere but here.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub struct Control {
    flags: Mutex<Flags>,
    changed: Condvar,
    /// What programs get of the session's environment.
    env: Mutex<Vec<(String, String)>>,
}

#[derive(Default)]
struct Flags {
    cancelled: bool,
    released: bool,
    /// What is under way now could not go on without this daemon.
    mortal: bool,
}

impl Control {
    fn flags(&self) -> MutexGuard<'_, Flags> {
        // Plain flags: a poisoned lock still guards whole ones.
        self.flags.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on programs get this environment.
    pub fn surround(&self, env: Vec<(String, String)>) {
        *self.env.lock().unwrap_or_else(PoisonError::into_inner) = env;
    }

    /// The session's environment with a program's own on top.
    pub fn around(&self, own: &[(String, String)]) -> Vec<(String, String)> {
        let mut env = self.env.lock().unwrap_or_else(PoisonError::into_inner).clone();
        env.extend_from_slice(own);
        env
    }

    /// Not cancelled, in the same surroundings.
    pub fn calm(&self) -> Control {
        Control { env: Mutex::new(self.around(&[])), ..Control::default() }
    }

    pub fn cancel(&self) {
        self.flags().cancelled = true;
        self.changed.notify_all();
    }

    pub fn cancelled(&self) -> bool {
        self.flags().cancelled
    }

    /// The daemon ends: what can go on without it is left alone, everything else is cancelled.
    pub fn release(&self) {
        {
            let mut flags = self.flags();
            flags.released = true;
            flags.cancelled |= flags.mortal;
        }
        self.changed.notify_all();
    }

    pub fn released(&self) -> bool {
        self.flags().released
    }

    /// Says whether what comes now would die with the daemon.
    pub fn set_mortal(&self, mortal: bool) {
        let mut flags = self.flags();
        flags.mortal = mortal;
        flags.cancelled |= flags.released && mortal;
    }

    /// Waits until something is asked, or for so long.
    pub fn wait(&self, limit: Duration) {
        let flags = self.flags();
        if !flags.cancelled && !flags.released {
            drop(self.changed.wait_timeout(flags, limit).unwrap_or_else(PoisonError::into_inner));
        } else {
            drop(flags);
            // Already asked: whoever waits now waits for a program to obey.
            std::thread::sleep(limit);
        }
    }
}
