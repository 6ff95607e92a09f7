//! Radar, runway and suggestions: `next` is always one executable action, and following it ends in DONE.

use serde_json::{Value, json};

use super::rig::{Rig, confirm, step, text};

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
        let open = filled(&next[0]["params"]) != next[0]["params"];
        assert_eq!(next[0]["validated"], json!(!open), "what has to be filled in is not validated: {next:?}");
        if radar["result"]["focus"]["lifecycle_status"] == "DONE" {
            return actions;
        }
        if radar["result"]["runway"]["open"] == json!(false) && next[0]["action"] != "close_task" {
            let mut recipe = next[0]["params"].clone();
            recipe["intent"] = next[0]["action"].clone();
            assert_eq!(recipe, radar["result"]["runway"]["recipe"], "a closed runway is fixed first");
        }
        let action = text(&next[0]["action"]);
        if open {
            assert_eq!(rig.code(&action, next[0]["params"].clone()), "PLACEHOLDER", "{next:?}");
        }
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
        assert!(actions.len() <= 9, "no detours: {actions:?}");
        assert_eq!(actions[0], "evidence_capture", "nothing is confirmed that nobody looked at");
        let plan = format!("PLAN-{:03}", i + 1);
        for _ in 0..5 {
            let next = rig.ok("radar", json!({"plan": plan}))["next"][0].clone();
            assert_eq!(next["action"], "plan");
            rig.ok("plan", next["params"].clone());
        }
        assert_eq!(rig.ok("radar", json!({"plan": plan}))["focus"]["lifecycle_status"], "DONE");
    }
}

/// A tree with everything that can keep a task open: nested steps, a node without steps, a blocked node and
/// step, forced completion, no root criteria, an extra checkpoint.
#[test]
fn no_state_is_a_dead_end() {
    let rig = Rig::new();
    rig.ok("create", json!({"title": "Plan"}));
    let nested = json!({"title": "Outer step of the tree", "success_criteria": ["c"], "plan": {"tasks": [
        {"title": "Node with steps", "steps": [
            {"title": "Inner step of the tree", "success_criteria": ["c"], "plan": {"tasks": [
                {"title": "Deep node without steps"}]}}]},
        {"title": "Blocked node", "blocked": true, "status": "ACTIVE", "status_manual": true}]}});
    rig.ok(
        "create",
        json!({"parent": "PLAN-001", "title": "Task", "steps": [nested, step("A blocked step of the tree", true),
            step("A step that needs a review", true), step("A step that was forced", true)]}),
    );
    let at = |path: &str| json!({"task": "TASK-001", "path": path});
    rig.ok("block", at("s:1"));
    rig.ok(
        "patch",
        json!({"task": "TASK-001", "path": "s:2", "ops": [
            {"op": "set", "field": "required_checkpoints", "value": ["criteria", "security"]}]}),
    );
    rig.ok(
        "progress",
        json!({"task": "TASK-001", "path": "s:3", "completed": true, "force": true, "override_reason": "r"}),
    );
    rig.ok("patch", json!({"task": "TASK-001", "ops": [{"op": "set", "field": "blocked", "value": true}]}));
    let actions = drive(&rig, "TASK-001");
    for action in ["task_define", "block", "verify", "close_step", "close_task"] {
        assert!(actions.iter().any(|a| a == action), "{action} is missing: {actions:?}");
    }
}

/// The story: a step without tests could be closed, its task never: validation asked for tests, and the
/// suggested way out was the very call that failed.
#[test]
fn a_step_without_tests_does_not_keep_its_task_open() {
    let rig = Rig::with_task();
    for path in ["s:0", "s:1"] {
        let checkpoints = confirm(if path == "s:0" { &["criteria", "tests"] } else { &["criteria"] });
        rig.ok("close_step", json!({"task": "TASK-001", "path": path, "checkpoints": checkpoints}));
    }
    let preview = rig.ok("close_task", json!({"task": "TASK-001"}));
    assert_eq!(preview["runway"]["open"], json!(true));
    let done = rig.ok("close_task", json!({"task": "TASK-001", "apply": true}));
    assert_eq!(done["task"]["status"], "DONE");
}

#[test]
fn radar_has_its_stable_keys_and_says_why_and_how() {
    let rig = Rig::with_task();
    let radar = rig.ok("radar", json!({"task": "TASK-001"}));
    for key in
        ["focus", "now", "why", "verify", "next", "blockers", "open_checkpoints", "runway", "links", "budget"]
    {
        assert!(radar.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(radar["focus"]["lifecycle_status"], "TODO");
    assert_eq!(radar["now"]["path"], "s:0");
    assert_eq!(radar["now"]["queue_status"], "pending");
    assert_eq!(radar["why"]["contract"]["goal"], "Ship");
    assert_eq!(radar["verify"]["commands"], json!(["make check", "make test"]));
    assert_eq!(radar["open_checkpoints"], json!(["criteria", "tests"]));
    assert_eq!(radar["runway"]["blocking"]["validation"]["code"], "TASK_NOT_COMPLETE");
    let next = &radar["next"][0];
    assert_eq!(next["target"], "tasks_evidence_capture");
    assert_eq!(next["params"]["artifacts"][0]["command"], "make test");
    assert_eq!(next["params"]["expected_revision"], json!(1));
    assert_eq!(next["params"]["expected_target_id"], "TASK-001");
    assert_eq!(next["params"]["strict_targeting"], json!(true));
    rig.ok("block", json!({"task": "TASK-001", "path": "s:0", "reason": "no access"}));
    let radar = rig.ok("radar", json!({"task": "TASK-001"}));
    assert_eq!(radar["now"]["path"], "s:0");
    assert_eq!(radar["open_checkpoints"][0], "unblocked");
    assert_eq!(radar["next"][0]["action"], "block");
}

#[test]
fn budgets_count_what_is_sent_and_keep_runway_and_next() {
    let rig = Rig::new();
    let long = "Ünïcödé text that goes on and on. ".repeat(12);
    let steps: Vec<Value> = (0..6)
        .map(|i| json!({"title": format!("{i} {long}"), "success_criteria": [long], "tests": [long, "b", "c"], "blockers": [long]}))
        .collect();
    rig.ok(
        "create",
        json!({"title": long, "contract": long, "contract_data": {"goal": long, "checks": [long],
        "done": [long], "risks": [long, long]}}),
    );
    rig.ok("create", json!({"parent": "PLAN-001", "title": long, "steps": steps}));
    for i in 0..10 {
        rig.ok("note", json!({"task": "TASK-001", "path": "s:0", "note": format!("{i} {long}")}));
    }
    let whole = rig.ok("radar", json!({"task": "TASK-001", "max_chars": 50_000}));
    assert_eq!(whole["budget"]["truncated"], json!(false));
    let mut sizes = Vec::new();
    for max in [1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 9_000, 14_000] {
        for intent in ["radar", "handoff", "context_pack"] {
            let reply = rig.envelope(intent, json!({"task": "TASK-001", "max_chars": max}));
            let result = &reply["result"];
            let size = reply.to_string().len();
            assert!(size <= max, "{intent} at {max} takes {size}: {result}");
            assert_eq!(result["budget"]["used_chars"], json!(size), "{intent} at {max}");
            assert!(result["runway"]["open"].is_boolean(), "{intent} at {max} lost the runway");
            assert_eq!(result["next"].as_array().unwrap().len(), 1, "{intent} at {max} lost next");
            assert_eq!(result["next"][0], reply["suggestions"][0]);
            let omitted = result["budget"]["omitted"].as_array().unwrap();
            assert_eq!(result["budget"]["truncated"], json!(!omitted.is_empty()));
            if intent == "context_pack" {
                let shown = result["delta"]["operations"].as_array().unwrap().len();
                assert!(shown == 11 || result["delta"]["has_more"] == json!(true), "{max}: {result}");
            } else {
                sizes.push(size);
            }
        }
    }
    sizes.dedup();
    assert!(sizes.len() >= 8, "the cuts are graded, not a cliff: {sizes:?}");
    assert_eq!(rig.code("radar", json!({"task": "TASK-001", "max_chars": "many"})), "INVALID_MAX_CHARS");
    assert_eq!(rig.code("radar", json!({"task": "TASK-001", "limit": 11})), "INVALID_LIMIT");
    assert_eq!(
        rig.code("context_pack", json!({"task": "TASK-001", "delta_limit": -1})),
        "INVALID_DELTA_LIMIT"
    );
}

#[test]
fn a_context_pack_starts_with_the_newest_operations() {
    let rig = Rig::with_task();
    for note in ["one", "two", "three"] {
        rig.ok("note", json!({"task": "TASK-001", "path": "s:0", "note": note}));
    }
    let pack = rig.ok("context_pack", json!({"task": "TASK-001", "delta_limit": 2}));
    let intents: Vec<_> =
        pack["delta"]["operations"].as_array().unwrap().iter().map(|o| text(&o["intent"])).collect();
    assert_eq!(intents, ["note", "note"]);
    assert_eq!(pack["delta"]["has_more"], json!(true));
    let first = text(&pack["delta"]["operations"][1]["id"]);
    let since = rig.ok("context_pack", json!({"task": "TASK-001", "since": first}));
    assert_eq!(since["delta"]["operations"].as_array().unwrap().len(), 1);
    let failed = rig.failure("context_pack", json!({"task": "TASK-001", "since": "nope"}));
    assert_eq!(failed["error"]["code"], "SINCE_NOT_FOUND");
    assert!(failed["result"]["radar"]["runway"].is_object());
}

#[test]
fn a_handoff_lists_what_is_done_and_what_remains() {
    let rig = Rig::with_task();
    rig.ok("close_step", json!({"task": "TASK-001", "path": "s:1", "checkpoints": confirm(&["criteria"])}));
    let handoff = rig.ok("handoff", json!({"task": "TASK-001"}));
    assert_eq!(handoff["done"], json!({"count": 1, "total": 2, "items": ["Second step of this task"]}));
    assert_eq!(handoff["remaining"]["items"], json!(["First step of this task"]));
}

#[test]
fn a_plan_without_tasks_asks_for_one_and_one_without_anything_is_shown() {
    let rig = Rig::new();
    assert_eq!(rig.envelope("context", json!({}))["suggestions"][0]["action"], "create");
    rig.ok("create", json!({"title": "Plan"}));
    let next = rig.ok("radar", json!({"plan": "PLAN-001"}))["next"][0].clone();
    assert_eq!(next["action"], "create");
    rig.ok("create", filled(&next["params"]));
    let next = rig.ok("radar", json!({"plan": "PLAN-001"}))["next"][0].clone();
    assert_eq!((&next["action"], &next["params"]["task"]), (&json!("radar"), &json!("TASK-001")));
}

/// The story: a red test run was evidence like any other, and the next action after it was to confirm the tests with it.
#[test]
fn evidence_that_speaks_against_a_step_never_leads_to_closing_it() {
    let rig = Rig::with_task();
    let capture = |code: Value, stdout: &str, outcome: &str| {
        let artifact =
            json!({"kind": "cmd_output", "command": "make test", "exit_code": code, "stdout": stdout});
        let mut args = json!({"task": "TASK-001", "path": "s:0", "artifacts": [artifact]});
        if !outcome.is_empty() {
            args["verification_outcome"] = json!(outcome);
        }
        rig.ok("evidence_capture", args)["captured"]["attachments_added"][0]["digest"].clone()
    };
    let next = || rig.ok("radar", json!({"task": "TASK-001"}))["next"][0].clone();
    let green = capture(json!(0), "ok", "");
    assert_eq!(next()["action"], "close_step");
    capture(json!(1), "1 failed", "");
    assert_eq!(next()["action"], "evidence_capture", "the same command failed since");
    assert!(text(&next()["reason"]).contains("failed: mend it"), "{}", next());
    capture(json!(0), "ok", "");
    let close = next();
    assert_eq!(close["action"], "close_step", "it prints what it printed when it succeeded first");
    let refs = json!(close["params"]["checkpoints"]["criteria"]["evidence_refs"]);
    assert_eq!(refs, json!([green]), "a run that failed proves nothing");
    capture(json!("2"), "2 failed", "pass");
    assert_eq!(next()["action"], "evidence_capture", "hosts write numbers as strings");
    capture(json!(0), "fine", "Failed: the page is still empty");
    assert_eq!(next()["action"], "evidence_capture", "somebody looked and says that it is not done");
    rig.ok("evidence_capture", json!({"task": "TASK-001", "path": "s:0", "verification_outcome": "pass"}));
    let close = next();
    assert_eq!(close["action"], "close_step");
    rig.ok("close_step", close["params"].clone());
}

#[test]
fn lint_names_what_blocks_closing_first() {
    let rig = Rig::with_task();
    rig.ok("create", json!({"parent": "PLAN-001", "title": "Other"}));
    rig.ok("edit", json!({"task": "TASK-001", "depends_on": ["TASK-002"]}));
    let lint = rig.ok("lint", json!({"task": "TASK-001"}));
    let codes: Vec<_> = lint["issues"].as_array().unwrap().iter().map(|i| text(&i["code"])).collect();
    assert_eq!(codes, ["DEPENDS_ON_BLOCKING", "STEP_TESTS_MISSING"]);
    let lint = rig.envelope("lint", json!({"task": "TASK-002"}));
    assert_eq!(lint["result"]["issues"][0]["code"], "TASK_SUCCESS_CRITERIA_MISSING");
    assert_eq!(lint["suggestions"][0]["action"], "patch");
    rig.ok("delete", json!({"task": "TASK-002"}));
    let lint = rig.ok("lint", json!({"task": "TASK-001"}));
    assert_eq!(lint["issues"][0]["code"], "INVALID_DEPENDENCIES");
    let lint = rig.ok("lint", json!({"plan": "PLAN-001"}));
    let codes: Vec<_> = lint["issues"].as_array().unwrap().iter().map(|i| text(&i["code"])).collect();
    assert_eq!(codes, ["DONE_CRITERIA_MISSING", "PLAN_STEPS_EMPTY"]);
    rig.ok("plan", json!({"plan": "PLAN-001", "steps": ["a", "b"]}));
    rig.ok("patch", json!({"task": "PLAN-001", "ops": [{"op": "set", "field": "plan_current", "value": 9}]}));
    let radar = rig.ok("radar", json!({"plan": "PLAN-001"}));
    assert_eq!(radar["runway"]["blocking"]["lint"]["top_errors"][0]["code"], "PLAN_CURRENT_OUT_OF_RANGE");
    rig.ok("patch", radar["next"][0]["params"].clone());
    assert_eq!(rig.task("PLAN-001")["plan"]["current"], json!(2));
}

/// Kinds were a list of names; how many there are of each was lost.
#[test]
fn evidence_is_counted_by_kind() {
    let rig = Rig::with_task();
    let checks = json!(["cargo test", "cargo clippy"]);
    let artifacts = json!([{"kind": "url", "url": "https://example.com"}]);
    rig.ok(
        "evidence_capture",
        json!({"task": "TASK-001", "path": "s:0", "checks": checks, "artifacts": artifacts,
        "verification_outcome": "passed"}),
    );
    let radar = rig.ok("radar", json!({"task": "TASK-001"}));
    let evidence = &radar["verify"]["evidence"];
    assert_eq!(evidence["checks"]["count"], 2, "{evidence}");
    assert_eq!(evidence["checks"]["kinds"], json!({"command": 2}), "{evidence}");
    assert_eq!(
        evidence["attachments"]["kinds"].as_object().unwrap().values().next(),
        Some(&json!(1)),
        "{evidence}"
    );
    let task = &radar["verify"]["evidence_task"];
    assert_eq!(task["verification_outcomes"], json!({"count": 1, "kinds": {"passed": 1}}), "{task}");
}
