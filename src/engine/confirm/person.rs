//! The person at the terminal: the passphrase that proves it, and what only they may change about it.
//!
//! The passphrase itself is never kept, logged or recorded. Wrong ones are recorded, slow, and tried one at a time.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::core::{Error, Kind, Result, SessionInfo};
use crate::engine::{Engine, Session};

/// Tries of one session.
const TRIES: u8 = 3;
/// What a wrong try costs.
const PAUSE: Duration = Duration::from_millis(300);
const SHORTEST: usize = 8;
const LONGEST: usize = 1024;

/// Where the passphrase is kept, as something it can be checked against.
pub trait Passphrase: Send + Sync {
    fn is_set(&self) -> bool;

    /// Something that changes with it and tells nothing about it.
    fn mark(&self) -> Option<String>;

    /// May take a while: it is meant to.
    fn fits(&self, said: &str) -> Result<bool>;

    /// `None` = there is none from now on.
    fn change(&self, new: Option<&str>) -> Result<()>;
}

/// For engines without a home.
pub struct NoPassphrase;

impl Passphrase for NoPassphrase {
    fn is_set(&self) -> bool {
        false
    }

    fn mark(&self) -> Option<String> {
        None
    }

    fn fits(&self, _said: &str) -> Result<bool> {
        Ok(false)
    }

    fn change(&self, _new: Option<&str>) -> Result<()> {
        Err(Error::io("There is no place to keep a passphrase."))
    }
}

impl Engine {
    /// A person who set a passphrase has to say it before anything counts as theirs.
    pub(in crate::engine) fn unlocked(&self, info: &SessionInfo) -> Result<()> {
        if info.unlocked || !self.shared.passphrase.is_set() {
            return Ok(());
        }
        Err(needs_passphrase())
    }

    /// The person says the passphrase; from then on this session may do what people may.
    pub(in crate::engine) async fn unlock(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let info = at_terminal(session)?;
        if self.shared.passphrase.is_set() {
            self.check_passphrase(session, &info, params["passphrase"].as_str().unwrap_or_default()).await?;
        }
        session.unlock();
        Ok(json!({"unlocked": true}))
    }

    /// Sets, changes or (without `new`) removes the passphrase.
    pub(in crate::engine) async fn change_passphrase(
        &self,
        session: &Arc<Session>,
        params: &Value,
    ) -> Result<Value> {
        let info = at_terminal(session)?;
        let shared = self.shared.clone();
        let before = shared.passphrase.is_set();
        // Said just before, on this very connection.
        self.unlocked(&info)?;
        let new = params["new"].as_str().map(str::to_string);
        if let Some(new) = &new {
            let length = new.chars().count();
            if !(SHORTEST..=LONGEST).contains(&length) {
                let message =
                    format!("The passphrase has {length} characters; {SHORTEST} to {LONGEST} are allowed.");
                return Err(Error::invalid("invalid_passphrase", message).hint("Choose another one."));
            }
        }
        let event = match (before, &new) {
            (false, Some(_)) => "The passphrase was set.",
            (true, Some(_)) => "The passphrase was changed.",
            (_, None) => "The passphrase was removed.",
        };
        let changed = tokio::task::spawn_blocking(move || shared.passphrase.change(new.as_deref())).await;
        changed
            .unwrap_or_else(|_| Err(Error::internal("Keeping the passphrase was stopped by a defect.")))?;
        session.unlock();
        crate::engine::settings::keep(&self.shared).await?;
        self.shared.note(&info, "passphrase", event, json!({"event": "passphrase"})).await;
        Ok(json!({"changed": true, "message": event}))
    }

    /// What a person should know about the gates before being asked.
    pub(in crate::engine) fn gates(&self) -> Value {
        json!({"human": self.shared.human_confirms, "passphrase": self.shared.passphrase.is_set()})
    }

    async fn check_passphrase(&self, session: &Arc<Session>, info: &SessionInfo, said: &str) -> Result<()> {
        // One at a time, for everybody: guessing does not get faster with more connections.
        let _turn = self.shared.guessing.lock().await;
        if session.wrong_tries() >= TRIES {
            return Err(wrong(0));
        }
        let (shared, text) = (self.shared.clone(), said.to_string());
        let checked = tokio::task::spawn_blocking(move || shared.passphrase.fits(&text)).await;
        let fits = checked.unwrap_or_else(|_| Err(Error::internal("Checking was stopped by a defect.")))?;
        if fits {
            return Ok(());
        }
        let left = TRIES.saturating_sub(session.wrong_try());
        let data = json!({"event": "wrong_passphrase", "attempts_left": left});
        self.shared.note(info, "passphrase", "Refused: the passphrase was wrong.", data).await;
        tokio::time::sleep(PAUSE).await;
        Err(wrong(left))
    }
}

/// Not a refusal yet: whoever asked can answer.
pub(in crate::engine) fn needs_passphrase() -> Error {
    Error::new(Kind::Denied, "needs_passphrase", "This needs your passphrase.")
        .hint("Run it in a terminal; you will be asked.")
        .noted()
}

fn at_terminal(session: &Session) -> Result<SessionInfo> {
    let info = session.info();
    if info.is_person() {
        return Ok(info);
    }
    Err(Error::new(Kind::Denied, "not_a_person", "Only a person at a terminal may do this.")
        .hint("Run it in a terminal of your own, in the foreground and without a pipe."))
}

fn wrong(left: u8) -> Error {
    let hint = match left {
        0 => "That was the last try.".to_string(),
        n => format!("{n} tr{} left.", if n == 1 { "y" } else { "ies" }),
    };
    Error::new(Kind::Denied, "wrong_passphrase", "The passphrase is wrong.")
        .hint(hint)
        .details(json!({"attempts_left": left}))
}
