//! How often a session hears that the list of resources changed: the first time at once, then at most once in a
//! while for everything that came meanwhile. Nothing is ever left out: what is owed has a time at which it is due.

use std::time::Duration;

use tokio::time::Instant;

/// Between two notices of one session. A list is read again by a program, which nobody can do more often to any use.
const EVERY: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub struct Pace {
    /// Nothing may be told before this.
    next: Option<Instant>,
    owed: bool,
}

impl Pace {
    /// Something changed: true if it may be told now, else it is owed.
    pub fn changed(&mut self, now: Instant) -> bool {
        self.owed = true;
        self.take(now)
    }

    /// Is something owed that may be told now?
    pub fn take(&mut self, now: Instant) -> bool {
        let due = self.owed && self.next.is_none_or(|next| next <= now);
        if due {
            *self = Pace { next: Some(now + EVERY), owed: false };
        }
        due
    }

    /// When what is owed may be told; `None` = nothing is. Something is owed only after something was told.
    pub fn due(&self) -> Option<Instant> {
        self.next.filter(|_| self.owed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_told_at_once_and_the_last_is_never_lost() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        assert_eq!(pace.due(), None);
        assert!(pace.changed(start));
        assert_eq!(pace.due(), None, "told: nothing is owed");
        for ms in [1, 50, 99] {
            assert!(!pace.changed(start + Duration::from_millis(ms)));
        }
        assert_eq!(pace.due(), Some(start + EVERY));
        assert!(!pace.take(start + Duration::from_millis(99)));
        assert!(pace.take(start + EVERY));
        assert!(!pace.take(start + EVERY * 9), "three changes are one notice");
        assert!(pace.changed(start + EVERY * 10));
    }
}
