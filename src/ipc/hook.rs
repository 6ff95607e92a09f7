//! What a hook tells the daemon and what it hears back, inside the Hello and the Welcome of one connection.
//!
//! Only what the daemon has a use for travels: never a prompt, a command line or the content of a file.

use serde::{Deserialize, Serialize};

/// Something happened in a host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Happened {
    /// `session-start`, `pre-tool`, `post-tool` or `stop`.
    pub event: String,
    /// The host's short name, as `packd setup` knows it; empty where it could not be told.
    pub host: String,
    /// The host's own id of its session.
    pub session: String,
    /// Why a session starts: `startup`, `resume`, `clear`, `compact`.
    pub source: String,
    /// The tool, and the host's id of this call of it.
    pub tool: String,
    pub call: String,
    /// Nothing else of this session runs beside it: the next call means that it is over.
    pub alone: bool,
    /// The directory the host works in.
    pub cwd: String,
    /// When the hook began, in microseconds since 1970, and how long it waits for an answer.
    pub began: u64,
    pub waits_ms: u64,
}

/// The daemon's answer. Nothing to say is the usual case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Said {
    /// For the model at the start of a session, for the person at its stop.
    pub text: String,
}
