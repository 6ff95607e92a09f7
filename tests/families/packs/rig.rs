//! What the tests of packs share: an engine, one session, and short ways to call `input`.

use std::sync::Arc;

use packd::engine::Session;
use serde_json::{Value, json};

use crate::common::engine::TestEngine;

pub struct Rig {
    pub engine: TestEngine,
    pub session: Arc<Session>,
}

impl Rig {
    pub fn new() -> Self {
        let engine = TestEngine::new();
        let session = engine.session("s1", "/w");
        Rig { engine, session }
    }

    /// The payload of a call that must succeed.
    pub fn ok(&self, args: Value) -> Value {
        self.engine.ok(&self.session, "input", args)["payload"].clone()
    }

    /// `kind/code: message` of a call that must fail.
    pub fn err(&self, args: Value) -> String {
        let e = self.engine.err(&self.session, "input", args);
        format!(
            "{}/{}: {}",
            e["kind"].as_str().unwrap(),
            e["code"].as_str().unwrap(),
            e["message"].as_str().unwrap()
        )
    }

    pub fn create(&self, name: &str) -> String {
        let pack = self.ok(json!({"action": "create", "name": name, "ttl_minutes": 60}));
        pack["id"].as_str().unwrap().to_string()
    }

    /// A draft with one section, in revision 2.
    pub fn with_section(&self, name: &str) -> String {
        let id = self.create(name);
        self.ok(json!({"action": "upsert_section", "id": id, "expected_revision": 1, "section_key": "main", "section_title": "Main"}));
        id
    }

    /// Names of a list, in its order.
    pub fn names(&self, mut args: Value) -> Vec<String> {
        args["action"] = json!("list");
        let packs = self.ok(args)["packs"].clone();
        packs.as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap_or("-").to_string()).collect()
    }

    pub fn undo(&self) -> Value {
        self.engine.ok(&self.session, "history_undo", json!({}))
    }
}
