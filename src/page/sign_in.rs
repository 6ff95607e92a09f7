//! Who may see the page: one-time codes, and the sign-ins they are exchanged for.
//!
//! A code lives a minute and works once; a sign-in is a cookie and a token, ends after twelve hours, and is in memory
//! only, so it ends with the listener. Nothing here knows HTTP, and time is handed in.

use std::time::{Duration, Instant};

use crate::core::Sha;

/// How long a code waits to be used.
pub const CODE_LIVES: Duration = Duration::from_secs(60);
/// How long a sign-in lasts.
pub const SIGN_IN_LIVES: Duration = Duration::from_secs(12 * 3600);
/// Codes that wait at a time; the oldest gives way.
const MOST_CODES: usize = 16;
/// Browsers that are signed in at a time; the oldest gives way.
const MOST_SIGN_INS: usize = 64;
/// Wrong passphrases after which a browser has to sign in anew.
const TRIES: u8 = 3;

/// What a browser gets for a code.
#[derive(Debug, Clone)]
pub struct Granted {
    /// Value of the cookie.
    pub cookie: String,
    /// What each POST carries besides.
    pub token: String,
}

/// A browser that is signed in, as the rest of the page knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The session under which what it does is recorded.
    pub session: String,
    pub token: String,
}

#[derive(Default)]
pub struct SignIns {
    codes: Vec<(Sha, Instant)>,
    signed: Vec<Signed>,
}

struct Signed {
    cookie: Sha,
    person: Person,
    since: Instant,
    wrong: u8,
}

impl SignIns {
    /// A new code, to be told to the person and nobody else.
    pub fn issue(&mut self, now: Instant) -> String {
        self.sweep(now);
        if self.codes.len() >= MOST_CODES {
            self.codes.remove(0);
        }
        let code = secret();
        self.codes.push((Sha::of(code.as_bytes()), now));
        code
    }

    /// Exchanges a code. A code that is unknown, used or too old is the same to whoever sent it.
    pub fn redeem(&mut self, code: &str, now: Instant) -> Option<Granted> {
        self.sweep(now);
        // Compared by digest, so the time it takes tells nothing about a code.
        let wanted = Sha::of(code.as_bytes());
        let at = self.codes.iter().position(|(digest, _)| *digest == wanted)?;
        self.codes.remove(at);
        if self.signed.len() >= MOST_SIGN_INS {
            self.signed.remove(0);
        }
        let granted = Granted { cookie: secret(), token: secret() };
        self.signed.push(Signed {
            cookie: Sha::of(granted.cookie.as_bytes()),
            person: Person { session: format!("ui-{}", uuid::Uuid::new_v4()), token: granted.token.clone() },
            since: now,
            wrong: 0,
        });
        Some(granted)
    }

    /// Whose cookie this is.
    pub fn person(&mut self, cookie: &str, now: Instant) -> Option<Person> {
        self.sweep(now);
        let wanted = Sha::of(cookie.as_bytes());
        self.signed.iter().find(|one| one.cookie == wanted).map(|one| one.person.clone())
    }

    /// Is this sign-in still one?
    pub fn holds(&mut self, person: &Person, now: Instant) -> bool {
        self.sweep(now);
        self.signed.iter().any(|one| one.person == *person)
    }

    /// A wrong passphrase was said; too many end the sign-in. How many tries are left?
    pub fn wrong(&mut self, person: &Person) -> u8 {
        let Some(one) = self.signed.iter_mut().find(|one| one.person == *person) else { return 0 };
        one.wrong += 1;
        let left = TRIES.saturating_sub(one.wrong);
        if left == 0 {
            self.end(person);
        }
        left
    }

    pub fn end(&mut self, person: &Person) {
        self.signed.retain(|one| one.person != *person);
    }

    fn sweep(&mut self, now: Instant) {
        self.codes.retain(|(_, since)| now.saturating_duration_since(*since) < CODE_LIVES);
        self.signed.retain(|one| now.saturating_duration_since(one.since) < SIGN_IN_LIVES);
    }
}

/// Does this token belong to that sign-in?
pub fn token_fits(person: &Person, said: &str) -> bool {
    Sha::of(person.token.as_bytes()) == Sha::of(said.as_bytes())
}

/// 244 random bits as 64 characters.
fn secret() -> String {
    format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once_and_for_a_minute() {
        let mut all = SignIns::default();
        let now = Instant::now();
        let code = all.issue(now);
        assert!(code.len() * 4 >= 128 && all.redeem("0".repeat(64).as_str(), now).is_none());
        assert!(all.redeem(&code, now + Duration::from_secs(59)).is_some());
        assert!(all.redeem(&code, now).is_none(), "a second time");
        let late = all.issue(now);
        assert!(all.redeem(&late, now + CODE_LIVES).is_none());
        assert!(all.redeem("", now).is_none());
    }

    #[test]
    fn a_sign_in_ends_after_twelve_hours() {
        let mut all = SignIns::default();
        let now = Instant::now();
        let code = all.issue(now);
        let granted = all.redeem(&code, now).unwrap();
        let person = all.person(&granted.cookie, now).unwrap();
        assert!(token_fits(&person, &granted.token) && !token_fits(&person, &granted.cookie));
        assert!(all.person(&granted.token, now).is_none());
        assert!(all.person(&granted.cookie, now + SIGN_IN_LIVES - Duration::from_secs(1)).is_some());
        assert!(all.person(&granted.cookie, now + SIGN_IN_LIVES).is_none());
        assert!(!all.holds(&person, now), "what ended does not come back");
    }

    #[test]
    fn three_wrong_passphrases_end_a_sign_in() {
        let mut all = SignIns::default();
        let now = Instant::now();
        let code = all.issue(now);
        let granted = all.redeem(&code, now).unwrap();
        let person = all.person(&granted.cookie, now).unwrap();
        assert_eq!([all.wrong(&person), all.wrong(&person), all.wrong(&person)], [2, 1, 0]);
        assert!(!all.holds(&person, now) && all.wrong(&person) == 0);
    }

    #[test]
    fn codes_and_sign_ins_are_bounded() {
        let mut all = SignIns::default();
        let now = Instant::now();
        let first = all.issue(now);
        let codes: Vec<String> = (0..MOST_CODES).map(|_| all.issue(now)).collect();
        assert!(all.redeem(&first, now).is_none());
        assert!(codes.iter().all(|code| all.redeem(code, now).is_some()));
        for _ in 0..2 * MOST_SIGN_INS {
            let code = all.issue(now);
            all.redeem(&code, now).unwrap();
        }
        assert_eq!(all.signed.len(), MOST_SIGN_INS);
    }
}
