//! What a look at the history costs, and what it says where there is nothing to find.

use packd::core::Reply;
use serde_json::{Value, json};

use crate::common::engine::TestEngine;

/// The bytes of a reply: its text, and the structured part unless the text is that same JSON.
fn bytes(reply: &Reply) -> usize {
    let structured = reply.structured.as_ref().map(Value::to_string).unwrap_or_default();
    reply.text.len() + if structured == reply.text { 0 } else { structured.len() }
}

#[test]
fn a_page_and_a_one_field_change_are_short() {
    let t = TestEngine::new();
    let s =
        t.session("0192f7a0-1111-7000-8000-0123456789ab", "/home/somebody/work/a-project-with-a-long-name");
    t.ok(&s, "tasks_create", json!({"kind": "plan", "title": "Release"}));
    t.ok(
        &s,
        "tasks_create",
        json!({"kind": "task", "parent": "PLAN-001", "title": "Write the notes of the release",
            "steps": [{"title": "Collect what changed", "success_criteria": ["Every change is named"]}]}),
    );
    for n in 0..24 {
        t.ok(
            &s,
            "tasks_edit",
            json!({"task": "TASK-001", "description": format!("What it is about, version {n}")}),
        );
    }
    let list = t.call(&s, "history_list", json!({}));
    assert_eq!(list.structured.as_ref().unwrap()["operations"].as_array().unwrap().len(), 20);
    assert!(bytes(&list) <= 6 * 1024, "{} bytes", bytes(&list));
    let newest = list.structured.unwrap()["operations"][0].clone();
    assert_eq!((&newest["undoable"], newest.get("workspace")), (&json!(true), None), "{newest}");
    let shown = t.call(&s, "history_show", json!({"operation_id": newest["operation_id"]}));
    assert!(bytes(&shown) <= 2 * 1024, "{} bytes: {}", bytes(&shown), shown.text);
    assert!(shown.text.contains("version 23") && shown.text.contains("version 22"), "{}", shown.text);
    let whole = t.ok(&s, "history_list", json!({"full": true, "limit": 1}));
    assert_eq!(whole["operations"][0]["kind"], "do");
}

#[test]
fn a_long_operation_is_shown_in_parts() {
    let t = TestEngine::new();
    let s = t.session("s", "/w");
    t.ok(&s, "input", json!({"action": "create", "name": "long", "ttl_minutes": 5}));
    let ops: Vec<Value> = (0..30)
        .map(|n| {
            json!({"action": "upsert_section", "section_key": format!("s-{n}"), "section_title": "T",
            "section_description": "words ".repeat(150)})
        })
        .collect();
    t.ok(&s, "input", json!({"action": "write", "name": "long", "expected_revision": 1, "ops": ops}));
    let list = t.ok(&s, "history_list", json!({"limit": 1}));
    let shown = t.call(&s, "history_show", json!({"operation_id": list["operations"][0]["operation_id"]}));
    assert!(bytes(&shown) <= 16 * 1024, "{} bytes", bytes(&shown));
    let id = &list["operations"][0]["operation_id"];
    let mut args = json!({"operation_id": id, "at": true});
    let mut text = String::new();
    loop {
        let part = t.call(&s, "history_show", args);
        assert!(bytes(&part) <= 16 * 1024, "{} bytes", bytes(&part));
        let part = part.structured.unwrap();
        text.push_str(part["text"].as_str().unwrap());
        if part["next"].is_null() {
            break;
        }
        assert_eq!(part["next"]["tool"], "history_show");
        args = part["next"]["arguments"].clone();
    }
    assert!(text.contains("s-29"), "all of it was read");
}

#[test]
fn nothing_is_found_in_silence() {
    let t = TestEngine::new();
    let s = t.session("s", "/w");
    t.ok(&s, "input", json!({"action": "create", "name": "one", "ttl_minutes": 5}));
    let wrong = t.err(&s, "history_list", json!({"family": "pack"}));
    assert!(wrong["hint"].as_str().unwrap().contains("packs"), "{wrong}");
    let odd = t.ok(&s, "history_list", json!({"tool": "inputs"}));
    assert!(odd["warnings"][0].as_str().unwrap().contains("Did you mean 'input'?"), "{odd}");
    let named = t.err(&s, "history_undo", json!({"operation_id": "x"}));
    assert!(named.to_string().contains("history_revert"), "{named}");
}
