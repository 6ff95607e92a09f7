//! What can go wrong between two ends of the socket: one sentence, and the remedy.

use std::fmt;

/// Always complete: a person who reads it knows what happened and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketTrouble {
    pub message: String,
    pub hint: String,
}

impl SocketTrouble {
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> SocketTrouble {
        SocketTrouble { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for SocketTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.hint.is_empty() {
            write!(f, " {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for SocketTrouble {}
