//! The way every request goes: focus, guards, previews, revisions, batches, and the codes of each refusal.

use serde_json::{Value, json};

use super::rig::{Rig, confirm, step, text};

#[test]
fn every_reply_is_the_envelope_in_its_order() {
    let rig = Rig::with_task();
    let keys =
        ["success", "intent", "result", "warnings", "suggestions", "context", "error", "meta", "timestamp"];
    let ok = rig.envelope("note", json!({"task": "TASK-001", "path": "s:0", "note": "n"}));
    let failed = rig.failure("note", json!({"task": "TASK-009", "path": "s:0", "note": "n"}));
    for envelope in [&ok, &failed] {
        let got: Vec<_> = envelope.as_object().unwrap().keys().collect();
        assert_eq!(got, keys);
    }
    assert_eq!(ok["error"], Value::Null);
    assert_eq!(failed["error"]["code"], "NOT_FOUND");
    assert!(failed["error"]["recovery"].is_string());
    assert_eq!(failed["result"]["task"], "TASK-009");
    assert!(!failed["suggestions"].as_array().unwrap().is_empty());
}

#[test]
fn focus_fills_in_a_target_and_says_so() {
    let rig = Rig::with_task();
    let missing = rig.failure("note", json!({"path": "s:0", "note": "n"}));
    assert_eq!(missing["error"]["code"], "MISSING_TARGET");
    assert_eq!(missing["context"]["target_resolution"]["source"], "missing");
    let offered: Vec<_> =
        missing["suggestions"].as_array().unwrap().iter().map(|s| text(&s["action"])).collect();
    assert_eq!(offered, ["context", "focus_get", "focus_set", "focus_set"]);
    assert!(missing["suggestions"].as_array().unwrap().iter().all(|s| s["validated"] == json!(true)));
    assert_eq!(rig.code("radar", json!({})), "MISSING_ID");
    assert_eq!(rig.ok("focus_set", json!({"task": "1"}))["focus"]["id"], "TASK-001");
    let done = rig.envelope("note", json!({"path": "s:0", "note": "n"}));
    assert_eq!(
        done["context"]["target_resolution"],
        json!({"source": "focus", "focus": "TASK-001", "task": "TASK-001", "domain": ""})
    );
    let plan = rig.envelope("plan", json!({"steps": ["a"]}));
    assert_eq!(plan["context"]["target_resolution"]["source"], "focus_task_parent");
    assert_eq!(plan["result"]["plan"]["id"], "PLAN-001");
    rig.ok("focus_set", json!({"task": "PLAN-001"}));
    let wrong = rig.failure("note", json!({"path": "s:0", "note": "n"}));
    assert_eq!(wrong["error"]["code"], "FOCUS_INCOMPATIBLE");
    assert_eq!(wrong["context"]["target_resolution"]["source"], "focus_incompatible");
    let explicit = rig.envelope("note", json!({"task": "TASK-001", "path": "s:0", "note": "n"}));
    assert_eq!(explicit["context"]["target_resolution"]["source"], "explicit");
    assert_eq!(rig.ok("focus_clear", json!({}))["cleared"], json!(true));
    assert_eq!(rig.ok("focus_get", json!({}))["focus"], Value::Null);
    assert_eq!(rig.ok("focus_clear", json!({}))["cleared"], json!(false));
}

#[test]
fn focus_is_the_sessions_with_the_workspaces_as_default_and_ends_with_its_item() {
    let rig = Rig::with_task();
    rig.ok("focus_set", json!({"task": "TASK-001"}));
    let other = rig.engine.session("s2", "/w");
    let focus_of = |s: &_| rig.engine.ok(s, "tasks_focus_get", json!({}))["result"]["focus"]["id"].clone();
    assert_eq!(focus_of(&other), "TASK-001", "a new session starts with the workspace's focus");
    rig.engine.ok(&other, "tasks_focus_set", json!({"task": "PLAN-001"}));
    assert_eq!(focus_of(&rig.session), "TASK-001", "another session's focus is its own");
    let elsewhere = rig.engine.session("s3", "/elsewhere");
    assert_eq!(focus_of(&elsewhere), Value::Null);
    rig.ok("delete", json!({"task": "TASK-001"}));
    assert_eq!(focus_of(&rig.session), "PLAN-001", "a focus on what is gone counts as none");
    rig.ok("undo", json!({}));
    assert_eq!(focus_of(&rig.session), "TASK-001");
    assert_eq!(rig.operations(), 4, "focus leaves no operations");
}

#[test]
fn guards_are_checked_before_anything_else_happens() {
    let rig = Rig::with_task();
    let note = |more: Value| {
        let mut args = json!({"task": "TASK-001", "path": "s:0", "note": "n"});
        for (key, value) in more.as_object().unwrap() {
            args[key] = value.clone();
        }
        args
    };
    assert_eq!(rig.code("note", note(json!({"expected_revision": true}))), "INVALID_EXPECTED_REVISION");
    assert_eq!(rig.code("radar", json!({"expected_revision": "x"})), "INVALID_EXPECTED_REVISION");
    rig.ok("radar", json!({"task": "TASK-001", "expected_revision": 99}));
    assert_eq!(rig.code("note", note(json!({"expected_target_id": "../x"}))), "INVALID_EXPECTED_TARGET_ID");
    assert_eq!(rig.code("note", note(json!({"expected_kind": "step"}))), "INVALID_EXPECTED_KIND");
    assert_eq!(
        rig.code("note", note(json!({"expected_target_id": "TASK-001", "expected_target": "TASK-002"}))),
        "EXPECTED_TARGET_MISMATCH"
    );
    let wrong = rig.failure("note", note(json!({"expected_target": "TASK-002"})));
    assert_eq!(wrong["error"]["code"], "EXPECTED_TARGET_MISMATCH");
    assert_eq!(wrong["result"]["resolved_target_id"], "TASK-001");
    assert_eq!(wrong["result"]["resolved_kind"], "task");
    assert_eq!(rig.code("note", note(json!({"expected_kind": "plan"}))), "EXPECTED_TARGET_MISMATCH");
    rig.ok("focus_set", json!({"task": "TASK-001"}));
    let focused = |more: Value| {
        let mut args = note(more);
        args.as_object_mut().unwrap().remove("task");
        args
    };
    let strict = rig.failure("note", focused(json!({"strict_writes": true})));
    assert_eq!(strict["error"]["code"], "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID");
    rig.ok("note", focused(json!({"strict_targeting": true, "expected_target_id": "TASK-001"})));
    assert_eq!(rig.task("TASK-001")["steps"][0]["progress_notes"], json!(["n"]));
}

#[test]
fn several_active_items_make_focus_writes_strict() {
    let rig = Rig::with_task();
    rig.ok("create", json!({"parent": "PLAN-001", "title": "Other"}));
    rig.ok("focus_set", json!({"task": "TASK-001"}));
    for id in ["TASK-001", "TASK-002"] {
        rig.ok("complete", json!({"task": id, "status": "ACTIVE"}));
    }
    let refused = rig.failure("note", json!({"path": "s:0", "note": "n"}));
    assert_eq!(refused["error"]["code"], "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID");
    assert_eq!(refused["context"]["strict_writes_auto"], json!(true));
    assert_eq!(refused["context"]["strict_writes_reason"], "multiple_active_targets");
    assert_eq!(refused["context"]["strict_writes_active_count"], json!(2));
    rig.ok("note", json!({"path": "s:0", "note": "n", "strict_targeting": false}));
    rig.ok("note", json!({"path": "s:0", "note": "n", "expected_target_id": "TASK-001"}));
    rig.ok("note", json!({"task": "TASK-001", "path": "s:0", "note": "n"}));
}

#[test]
fn a_stale_revision_is_refused_with_the_current_one() {
    let rig = Rig::with_task();
    let note = json!({"task": "TASK-001", "path": "s:0", "note": "n", "expected_revision": "1"});
    rig.ok("note", note.clone());
    let stale = rig.failure("note", note);
    assert_eq!(stale["error"]["code"], "REVISION_MISMATCH");
    assert_eq!(stale["result"], json!({"task": "TASK-001", "expected_revision": 1, "current_revision": 2}));
    assert_eq!(stale["suggestions"][0]["action"], "resume");
    rig.ok("note", json!({"task": "TASK-001", "path": "s:0", "note": "n", "expected_version": 2}));
    assert_eq!(rig.revision("TASK-001"), 3);
}

/// Every writing intent with arguments that succeed on the rig's task.
fn writes() -> Vec<(&'static str, Value)> {
    let at = |more: Value| {
        let mut args = json!({"task": "TASK-001", "path": "s:0"});
        for (key, value) in more.as_object().unwrap() {
            args[key] = value.clone();
        }
        args
    };
    vec![
        ("create", json!({"title": "Another"})),
        ("scaffold", json!({"template": "bugfix", "kind": "plan", "title": "Another"})),
        ("decompose", json!({"task": "TASK-001", "steps": [step("Third", true)]})),
        ("define", at(json!({"title": "Renamed"}))),
        ("note", at(json!({"note": "n"}))),
        ("block", at(json!({"reason": "r"}))),
        ("task_add", json!({"task": "TASK-001", "parent_step": "s:0", "title": "Node"})),
        ("verify", at(json!({"checkpoints": confirm(&["criteria"])}))),
        ("evidence_capture", at(json!({"checks": ["make test"]}))),
        ("close_step", at(json!({"checkpoints": confirm(&["criteria", "tests"])}))),
        ("done", at(json!({"force": true, "override_reason": "r"}))),
        ("progress", at(json!({"completed": true, "force": true, "override_reason": "r"}))),
        ("edit", json!({"task": "TASK-001", "description": "d"})),
        ("patch", json!({"task": "TASK-001", "ops": [{"op": "set", "field": "description", "value": "d"}]})),
        ("complete", json!({"task": "TASK-001", "status": "ACTIVE"})),
        ("close_task", json!({"task": "TASK-001", "apply": true, "force": true, "override_reason": "r"})),
        ("contract", json!({"plan": "PLAN-001", "current": "c"})),
        ("plan", json!({"plan": "PLAN-001", "steps": ["a"]})),
        ("delete", json!({"task": "TASK-001"})),
        ("batch", json!({"task": "TASK-001", "operations": [{"intent": "edit", "context": "c"}]})),
    ]
}

/// The story: `delete(dry_run=true)` really deleted, and could not even be undone.
#[test]
fn a_preview_of_any_intent_changes_nothing_and_leaves_no_trace() {
    let rig = Rig::with_task();
    let state = |rig: &Rig| {
        (
            rig.task("TASK-001"),
            rig.task("PLAN-001"),
            rig.ok("context", json!({"include_all": true})),
            rig.operations(),
        )
    };
    let before = state(&rig);
    for (intent, mut args) in writes() {
        args["dry_run"] = json!(true);
        let preview = rig.envelope(intent, args.clone());
        assert_eq!(preview["meta"], json!({}), "{intent}");
        if intent != "batch" {
            assert_eq!(preview["result"]["dry_run"], json!(true), "{intent}");
        }
        assert!(state(&rig) == before, "{intent} left a trace");
        args["audit"] = json!(true);
        let audited = rig.envelope(intent, args);
        let id = text(&audited["meta"]["audit_operation_id"]);
        let log = rig.ok("history", json!({"stream": "audit", "limit": 1}));
        assert_eq!(log["operations"][0]["id"], json!(id), "{intent}");
        assert_eq!(log["operations"][0]["intent"], intent);
        rig.ok("delta", json!({"stream": "audit", "since": id}));
        assert!(state(&rig) == before, "{intent} with audit changed something");
    }
    let made = rig.ok("create", json!({"title": "Another"}));
    assert_eq!(made["plan_id"], "PLAN-002", "previews reserve no ids");
}

/// Plan mode is the same preview, decided from outside.
#[test]
fn plan_mode_previews_and_ask_mode_explains() {
    let rig = Rig::with_task();
    for (intent, mut args) in writes() {
        args["mode"] = json!("plan");
        rig.engine.ok(&rig.session, &format!("tasks_{intent}"), args);
    }
    assert_eq!(rig.operations(), 2);
    let refused = rig.failure("note", json!({"task": "TASK-001", "path": "s:0", "note": "n", "mode": "ask"}));
    assert_eq!(refused["error"]["code"], "MODE_DENIED");
    assert!(text(&refused["error"]["message"]).contains("TASK-001"));
    rig.engine.ok(&rig.session, "tasks_radar", json!({"task": "TASK-001", "mode": "ask"}));
}

#[test]
fn every_write_is_one_operation_and_one_undo_brings_everything_back() {
    for (intent, mut args) in writes() {
        let rig = Rig::with_task();
        let state = || {
            let strip = |mut item: Value| {
                item.as_object_mut().unwrap().remove("revision");
                item
            };
            (
                strip(rig.task("TASK-001")),
                strip(rig.task("PLAN-001")),
                rig.ok("context", json!({}))["counts"].clone(),
            )
        };
        let (before, revision) = (state(), rig.revision("TASK-001"));
        if intent == "scaffold" {
            args["dry_run"] = json!(false);
        }
        let done = rig.envelope(intent, args);
        let id = text(&done["meta"]["operation_id"]);
        assert_eq!(rig.operations(), 3, "{intent} is one operation");
        let undone = rig.ok("undo", json!({"expected_operation_id": id}));
        assert_eq!(undone["undone_operation"]["id"], json!(id), "{intent}");
        assert_eq!(undone["can_redo"], json!(true));
        assert!(state() == before, "undo of {intent} does not bring everything back");
        assert!(rig.revision("TASK-001") >= revision, "{intent}: a revision never goes back");
        let redone = rig.ok("redo", json!({}));
        assert_eq!(redone["redone_operation"]["id"], json!(id), "{intent}");
        rig.ok("undo", json!({}));
        assert!(state() == before, "{intent}");
    }
}

#[test]
fn an_atomic_batch_is_all_or_nothing() {
    let rig = Rig::with_task();
    let before = rig.task("TASK-001");
    let operations = json!([
        {"intent": "note", "path": "s:0", "note": "n"},
        {"intent": "create", "title": "Another"},
        {"intent": "close_step", "path": "s:0", "checkpoints": confirm(&["criteria"])},
        {"intent": "note", "path": "s:1", "note": "never"},
    ]);
    let failed = rig.failure("batch", json!({"atomic": true, "task": "TASK-001", "operations": operations}));
    assert_eq!(failed["error"]["code"], "GATING_FAILED");
    assert_eq!(failed["result"]["rolled_back"], json!(true));
    assert_eq!(failed["result"]["completed"], json!(2));
    assert_eq!(
        failed["result"]["results"][2]["result"]["needs"],
        json!(["tests"]),
        "the failing op tells why"
    );
    assert_eq!(rig.task("TASK-001"), before);
    assert_eq!(rig.operations(), 2);
    let partial = rig.failure("batch", json!({"task": "TASK-001", "operations": operations}));
    assert_eq!(partial["result"]["rolled_back"], json!(false));
    assert_eq!(partial["result"]["operation_ids"].as_array().unwrap().len(), 2);
    let now = rig.task("TASK-001");
    assert_eq!(now["steps"][0]["progress_notes"], json!(["n"]), "what came before the failure stays");
    assert_eq!(now["steps"][0]["criteria_confirmed"], json!(false), "the failing operation does not");
    assert_eq!(rig.operations(), 3);
    rig.ok("undo", json!({}));
    assert_eq!(rig.task("TASK-001")["steps"], before["steps"]);
    assert_eq!(rig.code("resume", json!({"plan": "PLAN-002"})), "NOT_FOUND");
}

#[test]
fn batches_unfold_paths_and_pass_their_defaults_on() {
    let rig = Rig::with_task();
    let done = rig.envelope(
        "batch",
        json!({"task": "TASK-001", "expected_target_id": "TASK-001", "strict_targeting": true, "expected_revision": 1,
            "operations": [{"intent": "note", "paths": ["s:0", "s:1"], "note": "n"}, {"intent": "context"}]}),
    );
    let result = &done["result"];
    assert_eq!(result["total"], json!(3));
    let ids = result["operation_ids"].as_array().unwrap();
    assert_eq!(ids.len(), 2);
    assert_eq!(result["results"][0]["meta"]["operation_id"], ids[0]);
    assert_eq!(result["latest_id"], done["meta"]["operation_id"]);
    rig.ok("note", json!({"task": "TASK-001", "path": "s:0", "note": "later"}));
    for cursor in ids.iter().chain([&result["latest_id"]]) {
        let delta = rig.ok("delta", json!({"since": cursor}));
        let after = delta["operations"].as_array().unwrap();
        assert_eq!(after.len(), 1, "{cursor}");
        assert_eq!(after[0]["intent"], "note");
    }
    let empty = rig.ok("batch", json!({"operations": [{"intent": "note", "paths": []}]}));
    assert_eq!(empty["total"], json!(0));
    for (args, code) in [
        (json!({}), "MISSING_OPERATIONS"),
        (json!({"operations": []}), "MISSING_OPERATIONS"),
        (json!({"operations": {}}), "INVALID_OPERATIONS"),
        (json!({"operations": [3], "atomic": true}), "INVALID_OPERATIONS"),
        (json!({"operations": [{"intent": "note", "paths": ["x"]}]}), "INVALID_PATH"),
        (json!({"operations": [{"note": "x"}]}), "MISSING_INTENT"),
        (json!({"operations": [{"intent": "frobnicate"}]}), "UNKNOWN_INTENT"),
        (
            json!({"operations": [{"intent": "context"}], "expected_revision": 1}),
            "MISSING_TASK_FOR_EXPECTED_REVISION",
        ),
        (
            json!({"operations": [{"intent": "context"}], "expected_revision": 1, "task": "TASK-001"}),
            "REVISION_MISMATCH",
        ),
        (
            json!({"operations": vec![json!({"intent": "context"}); 201]}),
            "TOO_MANY_OPERATIONS_AFTER_EXPANSION",
        ),
    ] {
        assert_eq!(rig.code("batch", args.clone()), code, "{args}");
    }
}

/// Each level was counted for itself: fifty batches of fifty notes were one commit that everybody waited for.
#[test]
fn batches_in_a_batch_count_towards_the_same_limit() {
    let rig = Rig::with_task();
    let note = json!({"intent": "note", "task": "TASK-001", "path": "s:0", "note": "x"});
    let inner = json!({"intent": "batch", "operations": vec![note; 50]});
    let whole = json!({"operations": vec![inner.clone(); 4], "atomic": true});
    assert_eq!(rig.code("batch", whole), "TOO_MANY_OPERATIONS_AFTER_EXPANSION");
    let step = rig.ok("resume", json!({"task": "TASK-001"}))["task"]["steps"][0].clone();
    assert_eq!(step["progress_notes"], json!([]), "nothing of it was kept");
    rig.ok("batch", json!({"operations": vec![inner; 3]}));
}

#[test]
fn a_batch_inside_a_batch_is_still_one_operation() {
    let rig = Rig::with_task();
    let inner = json!({"intent": "batch", "operations": [{"intent": "note", "task": "TASK-001", "path": "s:0", "note": "a"},
        {"intent": "note", "task": "TASK-001", "path": "s:1", "note": "b"}]});
    let done =
        rig.ok("batch", json!({"atomic": true, "operations": [inner, {"intent": "create", "title": "P2"}]}));
    assert_eq!(done["operation_ids"].as_array().unwrap().len(), 3);
    assert_eq!(rig.operations(), 3);
    rig.ok("undo", json!({}));
    assert_eq!(rig.task("TASK-001")["steps"][1]["progress_notes"], json!([]));
}
