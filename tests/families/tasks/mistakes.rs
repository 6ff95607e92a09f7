//! Mistakes that agents make with tasks: each is answered with what to send instead, and nothing changes.

use serde_json::{Value, json};

use super::rig::{Rig, step, text};

/// What was sent, the words the answer must hold, and the call that then succeeds.
type Mistake = (&'static str, Value, &'static [&'static str], &'static str, Value);

#[test]
fn every_mistake_is_mended_by_following_the_reply() {
    let mistakes: Vec<Mistake> = vec![
        (
            "create",
            json!({"kind": "task", "parent": "PLAN-001", "title": "T", "success_criterion": ["c"]}),
            &["'success_criterion'", "Did you mean 'success_criteria'?"],
            "create",
            json!({"kind": "task", "parent": "PLAN-001", "title": "T", "success_criteria": ["c"]}),
        ),
        (
            "create",
            json!({"parent": "PLAN-001", "title": "T", "steps": [{"title": "S", "success_criteria": ["c"], "test": ["x"]}]}),
            &["steps[0].test", "Did you mean 'tests'?"],
            "create",
            json!({"parent": "PLAN-001", "title": "T", "steps": [{"title": "S", "success_criteria": ["c"], "tests": ["x"]}]}),
        ),
        (
            "create",
            json!({"kind": "task", "title": "T"}),
            &["PLAN-001"],
            "create",
            json!({"title": "T", "parent": "PLAN-001"}),
        ),
        (
            "create",
            json!({"title": "T", "parent": "PLAN-7"}),
            &["PLAN-001"],
            "create",
            json!({"title": "T", "parent": "PLAN-001"}),
        ),
        (
            "edit",
            json!({"task": "TASK-001", "title": "New"}),
            &["tasks_patch", "\"field\":\"title\""],
            "patch",
            json!({"task": "TASK-001", "ops": [{"op": "set", "field": "title", "value": "New"}]}),
        ),
        (
            "edit",
            json!({"task": "TASK-001", "status": "DONE", "description": "d"}),
            &["tasks_complete"],
            "complete",
            json!({"task": "TASK-001", "status": "ACTIVE"}),
        ),
        (
            "context",
            json!({"status": "ACTIVE"}),
            &["'status'", "tasks_status"],
            "context",
            json!({"tasks_status": ["ACTIVE"]}),
        ),
        (
            "plan",
            json!({"plan": "PLAN-001", "steps": "x"}),
            &["must be a list", "[\"x\"]"],
            "plan",
            json!({"plan": "PLAN-001", "steps": ["x"]}),
        ),
        (
            "note",
            json!({"task": "The only task", "path": "s:0", "note": "n"}),
            &["task=\"TASK-001\""],
            "note",
            json!({"task": "TASK-001", "path": "s:0", "note": "n"}),
        ),
        (
            "done",
            json!({"task": "TASK-001", "path": "s:0", "force": true}),
            &["override_reason"],
            "done",
            json!({"task": "TASK-001", "path": "s:0", "force": true, "override_reason": "r"}),
        ),
        ("radar", json!({}), &["TASK-001"], "radar", json!({"task": "TASK-001"})),
    ];
    for (intent, args, words, then, mended) in mistakes {
        let rig = Rig::new();
        rig.ok("create", json!({"title": "Plan"}));
        rig.ok(
            "create",
            json!({"parent": "PLAN-001", "title": "The only task", "steps": [step("A step of it", true)]}),
        );
        let before = rig.operations();
        let answer = rig.engine.err(&rig.session, &format!("tasks_{intent}"), args.clone());
        let said = format!(
            "{} {}",
            text(&answer["error"]["message"]),
            answer["error"]["recovery"].as_str().unwrap_or_default()
        );
        for word in words {
            assert!(said.contains(word), "{intent} {args}: '{word}' is not in: {said}");
        }
        assert_eq!(rig.operations(), before, "{intent} {args} changed something");
        rig.brief(then, mended);
    }
}

/// Words of our own replies, and values as hosts send them, are taken.
#[test]
fn what_is_meant_is_understood() {
    let rig = Rig::with_task();
    rig.brief("note", json!({"task_id": "TASK-001", "path": "s:0", "note": "n", "intent": "note"}));
    rig.brief("radar", json!({"task": "task"}));
    rig.brief("radar", json!({"plan_id": "PLAN-001", "max_chars": "4000"}));
    assert_eq!(rig.brief("focus_set", json!({"task": "Task"}))["result"]["focus"]["id"], "TASK-001");
    rig.brief(
        "patch",
        json!({"task": "TASK-001", "ops": "[{\"op\":\"set\",\"field\":\"description\",\"value\":\"d\"}]"}),
    );
    assert_eq!(
        rig.code("note", json!({"task": "TASK-001", "path": "s:0", "note": "n", "intent": "block"})),
        "INVALID_FIELDS"
    );
    let text = json!({"task": "TASK-001", "apply": "true"});
    assert_eq!(rig.code("close_task", text), "INVALID_FIELDS", "consent is never taken from a text");
    let all = rig.failure("create", json!({"priority": 3, "tags": "x"}));
    assert_eq!(all["error"]["code"], "MISSING_TITLE");
    let message = super::rig::text(&all["error"]["message"]);
    assert!(message.contains("'priority'") && message.contains("'tags'"), "all faults at once: {message}");
}
