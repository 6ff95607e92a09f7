//! What the tests of the tasks family share: an engine, one session, and short names for calls.

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

    /// A plan and a task of two steps, the second one without tests.
    pub fn with_task() -> Self {
        let rig = Rig::new();
        rig.ok(
            "create",
            json!({"title": "Plan", "contract_data": {"goal": "Ship", "checks": ["make check"]}}),
        );
        rig.ok(
            "create",
            json!({"parent": "PLAN-001", "title": "Task", "success_criteria": ["It works"],
                "steps": [step("First step of this task", true), step("Second step of this task", false)]}),
        );
        rig
    }

    /// The envelope of a call that must succeed, as it is sent to whoever does not ask for more.
    pub fn brief(&self, intent: &str, args: Value) -> Value {
        let reply = self.engine.call(&self.session, &format!("tasks_{intent}"), args.clone());
        assert!(!reply.is_error, "{intent} {args} failed: {}", reply.text);
        assert!(reply.same, "the text is the structured content");
        reply.structured.expect("an envelope")
    }

    /// The envelope of a call that must succeed, with whole objects unless it says otherwise.
    pub fn envelope(&self, intent: &str, args: Value) -> Value {
        let args = whole(intent, args);
        let reply = self.engine.call(&self.session, &format!("tasks_{intent}"), args.clone());
        assert!(!reply.is_error, "{intent} {args} failed: {}", reply.text);
        let structured = reply.structured.expect("an envelope");
        assert_eq!(
            serde_json::from_str::<Value>(&reply.text).unwrap(),
            structured,
            "text and structure differ"
        );
        structured
    }

    /// Its result.
    pub fn ok(&self, intent: &str, args: Value) -> Value {
        self.envelope(intent, args)["result"].clone()
    }

    /// The envelope of a call that must fail.
    pub fn failure(&self, intent: &str, args: Value) -> Value {
        let args = whole(intent, args);
        self.engine.err(&self.session, &format!("tasks_{intent}"), args)
    }

    /// Its code.
    pub fn code(&self, intent: &str, args: Value) -> String {
        text(&self.failure(intent, args)["error"]["code"])
    }

    pub fn task(&self, id: &str) -> Value {
        let result = self.ok("resume", json!({"task": id, "compact": false}));
        let found = result.get("task").or(result.get("plan"));
        found.cloned().expect("a task or plan")
    }

    pub fn revision(&self, id: &str) -> u64 {
        self.task(id)["revision"].as_u64().unwrap()
    }

    /// How many operations the tasks of this workspace have.
    pub fn operations(&self) -> usize {
        self.ok("history", json!({"limit": 500}))["operations"].as_array().unwrap().len()
    }
}

/// Most tests look into whole objects; what is sent by default is looked at in tests of its own.
fn whole(intent: &str, mut args: Value) -> Value {
    let claims = ["claim", "release", "ready"].contains(&intent);
    if let Some(map) = args.as_object_mut().filter(|map| !claims && !map.contains_key("compact")) {
        map.insert("compact".into(), json!(false));
    }
    args
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_string()
}

pub fn step(title: &str, tested: bool) -> Value {
    let tests = if tested { json!(["make test"]) } else { json!([]) };
    json!({"title": title, "success_criteria": ["It is done"], "tests": tests, "blockers": ["nothing"]})
}

/// Confirmations of these checkpoints.
pub fn confirm(names: &[&str]) -> Value {
    let mut out = json!({});
    for name in names {
        out[*name] = json!({"confirmed": true});
    }
    out
}
