//! A session through the real shim, and what it is answered with.

use serde_json::{Value, json};

use crate::common::real::{Place, Process, SHIM};

/// A session through the shim.
pub struct Agent {
    shim: Process,
    next_id: u64,
}

/// What a call was answered with.
#[derive(Debug)]
pub struct Said {
    pub failed: bool,
    pub text: String,
    pub body: Value,
}

impl Agent {
    pub fn new(place: &Place, flags: &[&str]) -> Agent {
        let mut command = place.command(SHIM);
        command.args(flags);
        let mut shim = Process::spawn(command);
        shim.initialize();
        Agent { shim, next_id: 0 }
    }

    /// The reply to a request; notices that come before it are passed over.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = json!(self.next_id);
        self.shim.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let reply = self.shim.reply();
            if reply["id"] == id {
                return reply;
            }
        }
    }

    pub fn call(&mut self, tool: &str, args: &Value) -> Said {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": args}));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        match reply.get("error") {
            Some(error) => Said { failed: true, text: text(&error["message"]), body: error.clone() },
            None => Said {
                failed: reply["result"]["isError"] == json!(true),
                text: text(&reply["result"]["content"][0]["text"]),
                body: reply["result"]["structuredContent"].clone(),
            },
        }
    }

    pub fn ok(&mut self, tool: &str, args: Value) -> Value {
        let said = self.call(tool, &args);
        assert!(!said.failed, "{tool} {args}: {}", said.text);
        said.body
    }
}

impl Said {
    /// Its text, and its structured content unless the text is that same JSON.
    pub fn bytes(&self) -> usize {
        let told = if self.body.is_null() { String::new() } else { self.body.to_string() };
        self.text.len() + if told == self.text { 0 } else { told.len() }
    }

    /// The call it names: as a field in the form of its family, or as the last line of a text.
    pub fn next(&self) -> Option<(String, Value)> {
        let body = &self.body;
        let first = |value: &Value| if value.is_array() { value[0].clone() } else { value.clone() };
        let suggested = &body["suggestions"][0];
        if let Some(tool) = suggested["target"].as_str() {
            return Some((tool.to_string(), or_empty(&suggested["params"])));
        }
        let by_field = [first(&body["next"]), first(&body["errors"][0]["details"]["next_calls"])];
        let by_text = self.text.split_once("\nNext: ").and_then(|(_, call)| serde_json::from_str(call).ok());
        let call = by_field.into_iter().chain(by_text).find(|call: &Value| call["tool"].is_string())?;
        Some((call["tool"].as_str()?.to_string(), call["arguments"].clone()))
    }
}

/// A call without arguments leaves them out.
fn or_empty(arguments: &Value) -> Value {
    if arguments.is_null() { json!({}) } else { arguments.clone() }
}
