//! Radar, runway and suggestions: `next` is always one executable action, and following it ends in DONE.

use serde_json::{Value, json};

use super::tasks_rig::{Rig, confirm, step, text};

/// Fills what a suggestion leaves to its reader.
fn filled(value: &Value) -> Value {
    match value {
        Value::String(s) if s.starts_with('<') && s.ends_with('>') => json!("Something concrete"),
        Value::Array(items) => items.iter().map(filled).collect(),
        Value::Object(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), filled(v))).collect()),
        other => other.clone(),
    }
}

/// Executes `next` until the task is DONE; returns the actions taken.
fn drive(rig: &Rig, id: &str) -> Vec<String> {
    let mut actions = Vec::new();
    for _ in 0..60 {
        let radar = rig.envelope("radar", json!({"task": id}));
        let next = radar["result"]["next"].as_array().unwrap().clone();
        assert_eq!(next.len(), 1, "exactly one next: {next:?}");
        assert_eq!(next[0], radar["suggestions"][0], "next mirrors the first suggestion");
        assert_eq!(next[0]["validated"], json!(true), "{next:?}");
        if radar["result"]["focus"]["lifecycle_status"] == "DONE" {
            return actions;
        }
        if radar["result"]["runway"]["open"] == json!(false) && next[0]["action"] != "close_task" {
            assert_eq!(next[0], radar["result"]["runway"]["recipe"], "a closed runway is fixed first");
        }
        let action = text(&next[0]["action"]);
        rig.ok(&action, filled(&next[0]["params"]));
        actions.push(action);
    }
    panic!("{id} is not DONE after {actions:?}");
}

#[test]
fn following_next_closes_a_task_from_every_template() {
    let rig = Rig::new();
    let templates = rig.ok("templates_list", json!({}))["templates"].clone();
    assert_eq!(templates.as_array().unwrap().len(), 4);
    for (i, template) in templates.as_array().unwrap().iter().enumerate() {
        let id = template["id"].clone();
        rig.ok("scaffold", json!({"template": id, "kind": "plan", "title": "Plan", "dry_run": false}));
        let made = rig.ok(
            "scaffold",
            json!({"template": id, "kind": "task", "title": "Task", "parent": format!("PLAN-{:03}", i + 1),
                "dry_run": false}),
        );
        let task = text(&made["task_id"]);
        let actions = drive(&rig, &task);
        assert_eq!(actions.last().unwrap(), "close_task", "{actions:?}");
        assert!(actions.len() <= 6, "no detours: {actions:?}");
        let plan = format!("PLAN-{:03}", i + 1);
        for _ in 0..5 {
            let next = rig.ok("radar", json!({"plan": plan}))["next"][0].clone();
            assert_eq!(next["action"], "plan");
            rig.ok("plan", next["params"].clone());
        }
        assert_eq!(rig.ok("radar", json!({"plan": plan}))["focus"]["lifecycle_status"], "DONE");
    }
}
