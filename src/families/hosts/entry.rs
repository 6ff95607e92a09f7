//! What packd wants to stand in a host's file: one entry, and the same as a snippet to paste.

use serde_json::{Map, Value, json};

use super::json as json_file;
use super::table::{Format, McpHost};
use super::toml as toml_file;

/// The name of the entry.
pub const NAME: &str = "packd";
/// The one variable packd keeps in an entry's environment.
pub const HOME_VARIABLE: &str = "PACKD_HOME";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerEntry {
    pub command: String,
    pub args: Vec<String>,
    /// The value of `PACKD_HOME`; `None` takes the variable out.
    pub home: Option<String>,
    /// Fields only some hosts have.
    pub extra: Vec<(&'static str, Value)>,
}

impl ServerEntry {
    /// A new entry in the order people write it: kind, command, arguments, environment.
    pub fn fields(&self) -> Map<String, Value> {
        let mut out: Map<_, _> = self.extra.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
        out.insert("command".into(), json!(self.command));
        out.insert("args".into(), json!(self.args));
        if let Some(home) = &self.home {
            out.insert("env".into(), json!({HOME_VARIABLE: home}));
        }
        out
    }
}

/// What stands there now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntryFound {
    pub command: String,
    pub args: Vec<String>,
    pub home: Option<String>,
}

impl EntryFound {
    /// From an entry as JSON; what is not text is left out.
    pub fn of(value: &Value) -> EntryFound {
        let texts = |v: &Value| -> Vec<String> {
            v.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
        };
        EntryFound {
            command: value["command"].as_str().unwrap_or_default().to_string(),
            args: texts(&value["args"]),
            home: value["env"][HOME_VARIABLE].as_str().map(str::to_string),
        }
    }
}

/// The text with the entry in it. The error says why the file cannot be edited.
pub fn put(host: &McpHost, text: &str, entry: &ServerEntry) -> Result<String, String> {
    match host.format {
        Format::Json => json_file::put(text, host.section, entry),
        Format::Toml => toml_file::put(text, host.section, entry),
    }
}

/// The text without the entry.
pub fn remove(host: &McpHost, text: &str) -> Result<String, String> {
    match host.format {
        Format::Json => json_file::remove(text, host.section),
        Format::Toml => toml_file::remove(text, host.section),
    }
}

pub fn look(host: &McpHost, text: &str) -> Result<Option<EntryFound>, String> {
    match host.format {
        Format::Json => json_file::look(text, host.section),
        Format::Toml => toml_file::look(text, host.section),
    }
}

/// What a person pastes where packd must not write.
pub fn snippet(host: &McpHost, entry: &ServerEntry) -> String {
    // An empty file always takes an entry.
    put(host, "", entry).unwrap_or_default()
}
