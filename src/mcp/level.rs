//! How loud a log message is, and what a client wants to hear of them.

use serde_json::{Map, Value};

use super::fault::RpcFault;
use super::params;

/// Quietest first, as the protocol names them.
const NAMES: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const META: &str = "io.modelcontextprotocol/logLevel";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageLevel(usize);

impl MessageLevel {
    pub const INFO: MessageLevel = MessageLevel(1);
    pub const WARNING: MessageLevel = MessageLevel(3);
    pub const ERROR: MessageLevel = MessageLevel(4);

    fn named(name: &str) -> Option<MessageLevel> {
        NAMES.iter().position(|known| *known == name).map(MessageLevel)
    }

    pub fn name(self) -> &'static str {
        NAMES[self.0]
    }

    /// What `logging/setLevel` asks for.
    pub fn asked(params: &Map<String, Value>) -> Result<MessageLevel, RpcFault> {
        let named = MessageLevel::named(params::text(params, "level")?);
        named.ok_or_else(|| RpcFault::params(format!("'level' must be one of: {}.", NAMES.join(", "))))
    }

    /// What a modern request wants to hear while it is under way; without a word, nothing.
    pub fn of_request(params: &Map<String, Value>) -> Option<MessageLevel> {
        MessageLevel::named(params.get("_meta")?.get(META)?.as_str()?)
    }
}
