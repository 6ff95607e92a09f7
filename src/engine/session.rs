//! A session as the engine knows it: one shim process, with what it said about itself.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Engine;
use crate::core::{SessionInfo, Sha};

pub struct Session {
    info: Mutex<SessionInfo>,
    /// Held while the session itself changes (its mode, its scope): calls that came later wait for that.
    pub(super) barrier: tokio::sync::RwLock<()>,
}

impl Session {
    pub fn new(info: SessionInfo) -> Self {
        Session { info: Mutex::new(info), barrier: tokio::sync::RwLock::new(()) }
    }

    pub fn info(&self) -> SessionInfo {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The host said its name.
    pub fn set_client(&self, name: &str) {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).client = name.to_string();
    }
}

/// The sessions that are open now.
#[derive(Default)]
pub struct Open(Mutex<Vec<Weak<Session>>>);

impl Open {
    pub fn add(&self, session: &Arc<Session>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|s| s.strong_count() > 0);
        open.push(Arc::downgrade(session));
    }

    pub fn all(&self) -> Vec<Arc<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
    }
}

impl Engine {
    /// What a client must show to continue a session after it lost its daemon. Computed from the store's
    /// secret, so it survives a restart without a write.
    pub fn resume_key(&self, session: &str) -> String {
        let secret = self.shared.store.secret();
        let inner = Sha::of(&[secret, session.as_bytes()].concat());
        Sha::of(&[secret, inner.as_str().as_bytes()].concat()).0
    }

    pub fn may_resume(&self, session: &str, key: &str) -> bool {
        self.resume_key(session) == key
    }
}
