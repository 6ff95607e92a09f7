//! One session of a host with the real binaries, for tests that look at one call's answer.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::real::{Place, Process, SHIM};

pub struct Client {
    shim: Process,
    id: u64,
}

impl Client {
    pub fn new(place: &Place, flags: &[&str]) -> Client {
        Client::with_env(place, flags, &[])
    }

    pub fn with_env(place: &Place, flags: &[&str], env: &[(&str, &str)]) -> Client {
        let mut command = place.command(SHIM);
        command.args(flags).envs(env.iter().copied());
        let mut shim = Process::spawn(command);
        shim.initialize();
        Client { shim, id: 0 }
    }

    pub fn send(&mut self, tool: &str, args: Value) -> u64 {
        self.id += 1;
        self.shim.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/call",
                               "params": {"name": tool, "arguments": args}}));
        self.id
    }

    /// The result of a request, whatever it is, or the protocol's error; notices in between are passed over.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.shim.reply();
            if line["id"] == id {
                return if line["result"].is_object() {
                    line["result"].clone()
                } else {
                    line["error"].clone()
                };
            }
        }
    }

    pub fn call(&mut self, tool: &str, args: Value) -> Value {
        let id = self.send(tool, args);
        self.answer(id)
    }

    pub fn ok(&mut self, tool: &str, args: Value) -> Value {
        let result = self.call(tool, args);
        assert!(result["code"].is_null() && result["isError"] != json!(true), "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Everything a call that must fail says.
    pub fn refused(&mut self, tool: &str, args: Value) -> String {
        let result = self.call(tool, args);
        assert_eq!(result["isError"], json!(true), "{tool}: {result}");
        result.to_string()
    }
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
