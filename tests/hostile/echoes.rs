//! A request may be megabytes; what is said about what is wrong with it is not.

use packd::daemon::assemble;
use serde_json::{Map, Value, json};

use crate::common::engine::TestEngine;

/// What a reply may be that nobody asked to be longer.
const UNASKED: usize = 16 * 1024;

/// Errors quote what was sent. Every field of every tool gets a text and an object larger than any reply.
#[test]
fn no_refusal_sends_back_what_was_sent() {
    let t = TestEngine::new();
    let s = t.session("s", "/w");
    t.ok(&s, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    t.ok(&s, "tasks_create", json!({"parent": "PLAN-001", "title": "Task"}));
    let long = "y".repeat(20_000);
    let mut refused = 0;
    for tool in assemble::declared().unwrap() {
        let fields = tool.schema["properties"].as_object().cloned().unwrap_or_default();
        let base: Map<String, Value> = [("task", "TASK-001"), ("plan", "PLAN-001"), ("mode", "execute")]
            .into_iter()
            .filter(|(name, _)| fields.contains_key(*name))
            .map(|(name, value)| (name.to_string(), json!(value)))
            .collect();
        for field in fields.keys().map(String::as_str).chain(["no_such_field"]) {
            for value in [json!(long), json!({"a": long})] {
                let mut args = base.clone();
                args.insert(field.to_string(), value);
                let reply = t.call(&s, &tool.name, Value::Object(args));
                let structured = reply.structured.filter(|_| !reply.same).map_or(0, |s| s.to_string().len());
                if reply.is_error {
                    refused += 1;
                    let bytes = reply.text.len().max(structured);
                    assert!(bytes <= UNASKED, "{} {field}: {bytes} bytes: {:.300}", tool.name, reply.text);
                }
            }
        }
    }
    assert!(refused > 500, "{refused}");
}
