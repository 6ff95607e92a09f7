//! A session as the engine knows it: one shim process, with what it said about itself.

use std::sync::{Mutex, PoisonError};

use crate::core::SessionInfo;

pub struct Session {
    info: Mutex<SessionInfo>,
}

impl Session {
    pub fn new(info: SessionInfo) -> Self {
        Session { info: Mutex::new(info) }
    }

    pub fn info(&self) -> SessionInfo {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The host said its name.
    pub fn set_client(&self, name: &str) {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).client = name.to_string();
    }
}
