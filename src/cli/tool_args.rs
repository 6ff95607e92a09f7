//! The arguments of one call, by name. What a person left out is left out of the call as well, so that each tool's own
//! default holds; whether a name is known is the tool's to say.

use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct ToolArgs(Map<String, Value>);

impl ToolArgs {
    /// A call without arguments, or the beginning of one with some.
    pub fn new() -> ToolArgs {
        ToolArgs::default()
    }

    pub fn with(mut self, name: &str, value: impl Serialize) -> ToolArgs {
        self.set(name, value);
        self
    }

    /// With this argument if it was given.
    pub fn given(mut self, name: &str, value: Option<impl Serialize>) -> ToolArgs {
        if let Some(value) = value {
            self.set(name, value);
        }
        self
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub fn set(&mut self, name: &str, value: impl Serialize) {
        // Only a map with keys other than text cannot be told as JSON, and no argument is one.
        self.0.insert(name.into(), serde_json::to_value(value).unwrap_or_default());
    }
}
