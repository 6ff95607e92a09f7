//! A host that talks to packd through the real shim: handshake done, one call at a time.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::real::{Place, Process, SHIM};

pub struct Host {
    pub shim: Process,
    next: u64,
}

impl Host {
    pub fn new(place: &Place) -> Host {
        Host::with(place, &place.work(), &[])
    }

    /// A host that works in `dir` and starts the shim with flags.
    pub fn with(place: &Place, dir: &Path, flags: &[&str]) -> Host {
        Host::with_env(place, dir, flags, &[])
    }

    pub fn with_env(place: &Place, dir: &Path, flags: &[&str], env: &[(&str, &str)]) -> Host {
        let mut command = place.command(SHIM);
        command.args(flags).current_dir(dir).envs(env.iter().copied());
        let mut shim = Process::spawn(command);
        shim.initialize();
        Host { shim, next: 0 }
    }

    /// The whole reply to a request; notices in between are passed over.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.shim.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        loop {
            let line = self.shim.reply();
            if line["id"] == json!(self.next) {
                return line;
            }
        }
    }

    /// One tool call: text, structured content, and whether it failed.
    pub fn call(&mut self, tool: &str, args: Value) -> (String, Value, bool) {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": args}));
        let result = &reply["result"];
        assert!(result.is_object(), "{tool}: {reply}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_string();
        (text, result["structuredContent"].clone(), result["isError"] == json!(true))
    }

    /// What a call that must succeed answers as data.
    pub fn ok(&mut self, tool: &str, args: Value) -> Value {
        let (text, value, failed) = self.call(tool, args);
        assert!(!failed, "{tool}: {text}");
        value
    }

    /// What a call that must fail says.
    pub fn fails(&mut self, tool: &str, args: Value) -> String {
        let (text, _, failed) = self.call(tool, args);
        assert!(failed, "{tool} should have failed: {text}");
        text
    }
}

/// Writes a file with the directories above it.
pub fn write(path: &Path, text: &str) {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).unwrap();
    }
    fs::write(path, text).unwrap();
}
