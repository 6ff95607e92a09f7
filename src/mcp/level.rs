//! How loud a log message is, and what a client wants to hear of them.

use serde_json::{Map, Value};

use super::fault::Fault;
use super::params;

/// Quietest first, as the protocol names them.
const NAMES: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const META: &str = "io.modelcontextprotocol/logLevel";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(usize);

impl Level {
    pub const INFO: Level = Level(1);
    pub const WARNING: Level = Level(3);
    pub const ERROR: Level = Level(4);

    fn named(name: &str) -> Option<Level> {
        NAMES.iter().position(|known| *known == name).map(Level)
    }

    pub fn name(self) -> &'static str {
        NAMES[self.0]
    }

    /// What `logging/setLevel` asks for.
    pub fn asked(params: &Map<String, Value>) -> Result<Level, Fault> {
        let named = Level::named(params::text(params, "level")?);
        named.ok_or_else(|| Fault::params(format!("'level' must be one of: {}.", NAMES.join(", "))))
    }

    /// What a modern request wants to hear while it is under way; without a word, nothing.
    pub fn of_request(params: &Map<String, Value>) -> Option<Level> {
        Level::named(params.get("_meta")?.get(META)?.as_str()?)
    }
}
