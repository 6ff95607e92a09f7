//! The model behind the intents: ids, typed paths, shapes, resets, fields, lists, and each intent's codes.

use serde_json::{Value, json};

use super::rig::{Rig, confirm, step, text};

#[test]
fn create_numbers_items_and_checks_what_it_is_given() {
    let rig = Rig::new();
    let plan = rig.ok("create", json!({"title": " Plan ", "contract": "Text", "success_criteria": ["done"]}));
    assert_eq!(plan["plan_id"], "PLAN-001");
    assert_eq!(plan["plan"]["title"], "Plan");
    assert_eq!(plan["plan"]["contract_versions_count"], json!(1));
    assert_eq!(plan["plan"]["status"], "TODO");
    let task = rig.ok(
        "create",
        json!({"parent": "PLAN-001", "title": "Task", "steps": [step("One step of it", false)]}),
    );
    assert_eq!(task["task_id"], "TASK-001");
    let made = &task["task"]["steps"][0];
    assert!(text(&made["id"]).starts_with("STEP-") && text(&made["id"]).len() == 13);
    assert_eq!(made["tests_auto_confirmed"], json!(true));
    assert_eq!(made["needs"], json!(["criteria"]));
    rig.ok("delete", json!({"task": "TASK-001"}));
    let again = rig.ok("create", json!({"parent": "PLAN-001", "title": "Task"}));
    assert_eq!(again["task_id"], "TASK-002", "ids are never used twice");
    for (args, code) in [
        (json!({}), "MISSING_TITLE"),
        (json!({"title": "  "}), "MISSING_TITLE"),
        (json!({"title": 3}), "INVALID_TITLE"),
        (json!({"title": "x".repeat(501)}), "INVALID_TITLE"),
        (json!({"title": "x", "kind": "epic"}), "INVALID_KIND"),
        (json!({"title": "x", "kind": "task"}), "MISSING_PARENT"),
        (json!({"title": "x", "parent": "TASK-001"}), "INVALID_PARENT"),
        (json!({"title": "x", "parent": "../x"}), "INVALID_PARENT"),
        (json!({"title": "x", "parent": "PLAN-009"}), "PARENT_NOT_FOUND"),
        (json!({"title": "x", "priority": "urgent"}), "INVALID_PRIORITY"),
        (json!({"title": "x", "contract_data": {"aim": "y"}}), "INVALID_CONTRACT_DATA"),
        (json!({"title": "x", "contract_data": []}), "INVALID_CONTRACT_DATA"),
        (json!({"title": "x", "description": 3}), "INVALID_FIELDS"),
        (json!({"title": "x", "parent": "PLAN-001", "steps": [{"title": "s"}]}), "INVALID_STEPS"),
        (
            json!({"title": "x", "parent": "PLAN-001", "steps": [{"title": "s", "success_criteria": ["c"], "steps": []}]}),
            "INVALID_STEPS",
        ),
        (json!({"title": "x", "steps": [step("s", true)]}), "INVALID_STEPS"),
    ] {
        assert_eq!(rig.code("create", args.clone()), code, "{args}");
    }
}

/// A step with a node with two steps, twice nested: the same last index occurs at every depth.
fn deep() -> Rig {
    let rig = Rig::new();
    rig.ok("create", json!({"title": "Plan"}));
    let leaf = |name: &str| json!({"title": name, "success_criteria": ["c"], "id": format!("STEP-{name}")});
    let mut middle = leaf("MIDDLE");
    middle["plan"] = json!({"tasks": [{"title": "Inner node", "steps": [leaf("DEEP0"), leaf("DEEP1")]}]});
    let mut outer = leaf("OUTER");
    outer["plan"] = json!({"tasks": [{"title": "Outer node", "steps": [middle, leaf("SIDE")]}, {"title": "Second node"}]});
    rig.ok("create", json!({"parent": "PLAN-001", "title": "Task", "steps": [outer, leaf("LAST")]}));
    rig
}

/// The story: resolution stopped at the first segment equal to the last one, so `s:0.t:0.s:0` hit `s:0`.
#[test]
fn a_typed_path_means_exactly_that_node_at_any_depth() {
    let rig = deep();
    for (path, id) in [
        ("s:0", "STEP-OUTER"),
        ("s:0.t:0.s:0", "STEP-MIDDLE"),
        ("s:0.t:0.s:0.t:0.s:0", "STEP-DEEP0"),
        ("s:0.t:0.s:0.t:0.s:1", "STEP-DEEP1"),
        ("s:0.t:0.s:1", "STEP-SIDE"),
        ("s:1", "STEP-LAST"),
    ] {
        let done = rig.ok("note", json!({"task": "TASK-001", "path": path, "note": id}));
        assert_eq!(done["total_notes"], json!(1), "{path}");
        let by_id =
            rig.ok("note", json!({"task": "TASK-001", "step_id": id, "path": "s:9", "note": "again"}));
        assert_eq!(by_id["path"], path, "an id wins over a path");
        let subtree =
            rig.ok("context", json!({"subtree": {"task": "TASK-001", "path": path, "compact": false}}));
        assert_eq!(subtree["subtree"]["node"]["id"], id);
        assert_eq!(subtree["subtree"]["node"]["progress_notes"], json!([id, "again"]));
    }
    rig.ok("task_define", json!({"task": "TASK-001", "path": "s:0.t:0.s:0.t:0", "title": "Renamed"}));
    let task = rig.task("TASK-001");
    assert_eq!(task["steps"][0]["plan"]["tasks"][0]["title"], "Outer node");
    assert_eq!(task["steps"][0]["plan"]["tasks"][0]["steps"][0]["plan"]["tasks"][0]["title"], "Renamed");
    let gone = rig.ok("delete", json!({"task": "TASK-001", "path": "s:0.t:0.s:0.t:0.s:0"}));
    assert_eq!(gone["deleted_step"]["id"], "STEP-DEEP0");
    assert_eq!(
        rig.ok("mirror", json!({"task": "TASK-001", "path": "s:0.t:0.s:0.t:0"}))["items"][0]["id"],
        "STEP-DEEP1"
    );
    for (args, code) in [
        (json!({"path": "s:0.t:0.s:9"}), "PATH_NOT_FOUND"),
        (json!({"path": "s:0.t:0"}), "INVALID_PATH"),
        (json!({"path": "0"}), "INVALID_PATH"),
        (json!({}), "INVALID_PATH"),
        (json!({"step_id": "STEP-NONE"}), "STEP_ID_NOT_FOUND"),
        (json!({"step_id": "a/b"}), "INVALID_STEP_ID"),
    ] {
        let mut args = args;
        args["task"] = json!("TASK-001");
        args["note"] = json!("n");
        let failed = rig.failure("note", args.clone());
        assert_eq!(failed["error"]["code"], code, "{args}");
        assert_eq!(failed["suggestions"][0]["action"], "radar", "{args}");
    }
    assert_eq!(
        rig.code("task_delete", json!({"task": "TASK-001", "task_node_id": "NODE-NONE"})),
        "TASK_NODE_ID_NOT_FOUND"
    );
    assert_eq!(rig.code("task_delete", json!({"task": "TASK-001", "path": "s:0"})), "INVALID_PATH");
    assert_eq!(rig.code("mirror", json!({"task": "TASK-001", "path": "s:7"})), "STEP_NOT_FOUND");
    assert_eq!(rig.code("mirror", json!({"task": "TASK-001", "path": "s:0.t:7"})), "TASK_NODE_NOT_FOUND");
}

#[test]
fn progress_counts_the_whole_tree_and_status_follows() {
    let rig = deep();
    let close = |path: &str| {
        rig.ok("close_step", json!({"task": "TASK-001", "path": path, "checkpoints": confirm(&["criteria"])}))
    };
    let blocked = rig.failure("done", json!({"task": "TASK-001", "path": "s:0", "auto_verify": true, "checkpoints": confirm(&["criteria"])}));
    assert_eq!(blocked["result"]["needs"], json!(["plan_tasks"]));
    close("s:0.t:0.s:0.t:0.s:0");
    let task = rig.task("TASK-001");
    assert_eq!((task["progress"].clone(), task["status"].clone()), (json!(16), json!("ACTIVE")));
    for path in ["s:0.t:0.s:0.t:0.s:1", "s:0.t:0.s:0", "s:0.t:0.s:1"] {
        close(path);
    }
    assert_eq!(
        rig.failure("done", json!({"task": "TASK-001", "path": "s:0"}))["result"]["needs"],
        json!(["criteria", "plan_tasks"])
    );
    rig.ok("task_define", json!({"task": "TASK-001", "path": "s:0.t:1", "status": "done"}));
    close("s:0");
    close("s:1");
    let task = rig.task("TASK-001");
    assert_eq!(
        (task["progress"].clone(), task["status"].clone()),
        (json!(100), json!("ACTIVE")),
        "DONE is explicit"
    );
    rig.ok(
        "patch",
        json!({"task": "TASK-001", "ops": [{"op": "append", "field": "success_criteria", "value": "c"}]}),
    );
    rig.ok("complete", json!({"task": "TASK-001"}));
    rig.ok("progress", json!({"task": "TASK-001", "path": "s:1", "completed": false}));
    assert_eq!(rig.task("TASK-001")["status"], "ACTIVE", "a reopened step reopens its task");
}

#[test]
fn changing_what_was_confirmed_takes_the_confirmation_back() {
    let rig = Rig::with_task();
    rig.ok(
        "close_step",
        json!({"task": "TASK-001", "path": "s:0", "checkpoints": confirm(&["criteria", "tests"])}),
    );
    let step0 = || rig.task("TASK-001")["steps"][0].clone();
    rig.ok("define", json!({"task": "TASK-001", "path": "s:0", "tests": ["make other"]}));
    let step = step0();
    assert_eq!(step["tests_confirmed"], json!(false));
    assert_eq!(step["criteria_confirmed"], json!(true));
    assert_eq!((step["completed"].clone(), step["completed_at"].clone()), (json!(false), Value::Null));
    rig.ok("patch", json!({"task": "TASK-001", "path": "s:0", "ops": [{"op": "unset", "field": "tests"}]}));
    assert_eq!(step0()["tests_auto_confirmed"], json!(true));
    rig.ok("patch", json!({"task": "TASK-001", "path": "s:0", "ops": [{"op": "append", "field": "success_criteria", "value": "more"}]}));
    assert_eq!(step0()["criteria_confirmed"], json!(false));
    assert_eq!(rig.code("define", json!({"task": "TASK-001", "path": "s:0"})), "NO_FIELDS");
    assert_eq!(rig.code("define", json!({"task": "TASK-001", "path": "s:0", "title": ""})), "MISSING_TITLE");
    assert_eq!(
        rig.code("define", json!({"task": "TASK-001", "path": "s:0", "success_criteria": []})),
        "MISSING_CRITERIA"
    );
    assert_eq!(
        rig.code("define", json!({"task": "TASK-001", "path": "s:0", "tests": [1]})),
        "INVALID_FIELDS"
    );
}

#[test]
fn decompose_keeps_nested_plans_and_is_all_or_nothing() {
    let rig = deep();
    let nested = json!({"title": "More", "success_criteria": ["c"], "plan": {"tasks": [{"title": "Node", "steps": [step("Below", false)]}]}});
    let done = rig.ok("decompose", json!({"task": "TASK-001", "parent": "s:0.t:1", "steps": [nested]}));
    assert_eq!(done["total_created"], json!(1));
    let node = &done["task"]["steps"][0]["plan"]["tasks"][1];
    assert_eq!(node["steps"][0]["plan"]["tasks"][0]["steps"][0]["title"], "Below");
    let revision = rig.revision("TASK-001");
    let half = json!([step("Good", false), {"title": "Bad"}]);
    assert_eq!(rig.code("decompose", json!({"task": "TASK-001", "steps": half})), "INVALID_STEPS");
    assert_eq!(rig.revision("TASK-001"), revision);
    for (args, code) in [
        (json!({"task": "TASK-001"}), "MISSING_STEPS"),
        (json!({"task": "TASK-001", "steps": []}), "MISSING_STEPS"),
        (json!({"task": "TASK-001", "steps": [step("s", false)], "parent": "s:0"}), "INVALID_PARENT_PATH"),
        (json!({"task": "TASK-001", "steps": [step("s", false)], "parent": "s:0.t:9"}), "PATH_NOT_FOUND"),
        (
            json!({"task": "TASK-001", "steps": [step("s", false)], "parent_task_node_id": "NODE-X"}),
            "PARENT_TASK_NODE_ID_NOT_FOUND",
        ),
        (json!({"task": "PLAN-001", "steps": [step("s", false)]}), "NOT_A_TASK"),
        (json!({"task": "T/1", "steps": [step("s", false)]}), "INVALID_TASK"),
    ] {
        assert_eq!(rig.code("decompose", args.clone()), code, "{args}");
    }
}

#[test]
fn task_nodes_are_added_changed_and_taken_out() {
    let rig = Rig::with_task();
    let added = rig
        .ok("task_add", json!({"task": "TASK-001", "parent_step": "s:0", "title": "Node", "status": "DONE"}));
    assert_eq!(added["task_path"], "s:0.t:0");
    assert_eq!(added["task_node"]["done"], json!(true), "saying DONE counts");
    let id = text(&added["task_node"]["id"]);
    let changed = rig.ok(
        "task_define",
        json!({"task": "TASK-001", "task_node_id": id, "status": "ACTIVE", "priority": "high"}),
    );
    assert_eq!(changed["task_node"]["priority"], "HIGH");
    assert_eq!(changed["task_node"]["status_manual"], json!(true));
    for (intent, args, code) in [
        ("task_add", json!({"title": "x"}), "MISSING_PARENT_STEP"),
        ("task_add", json!({"parent_step": "s:9", "title": "x"}), "PATH_NOT_FOUND"),
        ("task_add", json!({"parent_step": "t:0", "title": "x"}), "INVALID_PARENT_STEP"),
        ("task_add", json!({"parent_step_id": "STEP-X", "title": "x"}), "PARENT_STEP_ID_NOT_FOUND"),
        ("task_add", json!({"parent_step": "s:0"}), "MISSING_TITLE"),
        ("task_add", json!({"parent_step": "s:0", "title": "x", "status": "LATER"}), "INVALID_STATUS"),
        ("task_add", json!({"parent_step": "s:0", "title": "x", "priority": "LATER"}), "INVALID_PRIORITY"),
        ("task_add", json!({"parent_step": "s:0", "title": "x", "risks": 1}), "INVALID_FIELDS"),
        ("task_define", json!({"path": "s:0.t:0"}), "NO_FIELDS"),
        ("task_define", json!({"path": "s:0.t:0", "status": "x"}), "INVALID_STATUS"),
        ("task_define", json!({"path": "s:0.t:0", "title": " "}), "MISSING_TITLE"),
    ] {
        let mut args = args;
        args["task"] = json!("TASK-001");
        assert_eq!(rig.code(intent, args.clone()), code, "{intent} {args}");
    }
    let gone = rig.ok("task_delete", json!({"task": "TASK-001", "path": "s:0.t:0"}));
    assert_eq!(gone["deleted_task"]["id"], json!(id));
}

#[test]
fn edit_checks_dependencies_and_moves_between_domains() {
    let rig = Rig::with_task();
    for title in ["Two", "Three"] {
        rig.ok("create", json!({"parent": "PLAN-001", "title": title}));
    }
    rig.ok("edit", json!({"task": "TASK-001", "depends_on": ["task-2"]}));
    rig.ok("edit", json!({"task": "TASK-002", "depends_on": ["TASK-003"]}));
    let circle = rig.failure("edit", json!({"task": "TASK-003", "depends_on": ["TASK-001"]}));
    assert_eq!(circle["error"]["code"], "CIRCULAR_DEPENDENCY");
    assert_eq!(circle["error"]["message"], "TASK-003 → TASK-001 → TASK-002 → TASK-003");
    let patch =
        json!({"task": "TASK-003", "ops": [{"op": "append", "field": "depends_on", "value": "TASK-001"}]});
    assert_eq!(rig.code("patch", patch), "CIRCULAR_DEPENDENCY", "patch checks what edit checks");
    for (args, code) in [
        (json!({}), "NO_FIELDS"),
        (json!({"depends_on": ["TASK-001"]}), "INVALID_DEPENDENCIES"),
        (json!({"depends_on": ["TASK-099"]}), "INVALID_DEPENDENCIES"),
        (json!({"depends_on": ["PLAN-001"]}), "INVALID_DEPENDS_ON"),
        (json!({"depends_on": 3}), "INVALID_DEPENDS_ON"),
        (json!({"tags": 3}), "INVALID_TAGS"),
        (json!({"priority": "x"}), "INVALID_PRIORITY"),
        (json!({"new_domain": "../out"}), "INVALID_FIELDS"),
    ] {
        let mut args = args;
        args["task"] = json!("TASK-001");
        assert_eq!(rig.code("edit", args.clone()), code, "{args}");
    }
    let moved = rig.ok("edit", json!({"task": "TASK-001", "new_domain": "alpha/api", "tags": ["A", "b"]}));
    assert_eq!(moved["updated_fields"], json!(["tags", "new_domain"]));
    let find = |filter: Value| {
        let mut args = filter;
        args["include_all"] = json!(true);
        let found = rig.ok("context", args);
        found["tasks"].as_array().unwrap().iter().map(|t| text(&t["id"])).collect::<Vec<_>>()
    };
    assert_eq!(find(json!({"domain": "alpha/api"})), ["TASK-001"]);
    rig.ok("undo", json!({}));
    assert_eq!(find(json!({"domain": "alpha/api"})), Vec::<String>::new());
    assert_eq!(find(json!({})), ["TASK-001", "TASK-002", "TASK-003"]);
}

#[test]
fn patch_is_typed_and_all_or_nothing() {
    let rig = Rig::with_task();
    rig.ok("task_add", json!({"task": "TASK-001", "parent_step": "s:0", "title": "Node"}));
    let patch = |ops: Value| json!({"task": "TASK-001", "ops": ops});
    let done = rig.ok(
        "patch",
        patch(json!([
        {"op": "append", "field": "tags", "value": [" a ", "b", "a", ""]},
        {"op": "set", "field": "priority", "value": "low"},
        {"op": "set", "field": "contract_data.goal", "value": "g"},
        {"op": "append", "field": "contract_data.checks", "value": "make"}])),
    );
    assert_eq!(
        done["updated_fields"],
        json!(["contract_data.checks", "contract_data.goal", "priority", "tags"])
    );
    let task = rig.task("TASK-001");
    assert_eq!(task["tags"], json!(["a", "b"]));
    assert_eq!(task["contract_data"], json!({"goal": "g", "checks": ["make"]}));
    let revision = rig.revision("TASK-001");
    let same = rig.envelope("patch", patch(json!([{"op": "remove", "field": "tags", "value": "zzz"}])));
    assert_eq!(same["result"]["no_op"], json!(true));
    assert_eq!(same["meta"], json!({"no_op": true}));
    let half = json!([{"op": "set", "field": "description", "value": "d"}, {"op": "set", "field": "id", "value": "x"}]);
    assert_eq!(rig.code("patch", patch(half)), "FORBIDDEN_FIELD");
    assert_eq!(rig.revision("TASK-001"), revision);
    for (ops, code) in [
        (json!(null), "MISSING_OPS"),
        (json!([]), "MISSING_OPS"),
        (json!("x"), "INVALID_OPS"),
        (json!(["x"]), "INVALID_OPS"),
        (json!([{"op": "replace", "field": "title"}]), "INVALID_OP"),
        (json!([{"op": "append", "field": "title", "value": "x"}]), "INVALID_OP"),
        (json!([{"op": "set", "value": "x"}]), "MISSING_FIELD"),
        (json!([{"op": "set", "field": 3, "value": "x"}]), "INVALID_FIELD"),
        (json!([{"op": "set", "field": "contract_data.aim", "value": "x"}]), "INVALID_FIELD"),
        (json!([{"op": "set", "field": "title"}]), "MISSING_VALUE"),
        (json!([{"op": "set", "field": "title", "value": " "}]), "INVALID_VALUE"),
        (json!([{"op": "set", "field": "tags", "value": "x"}]), "INVALID_VALUE"),
        (json!([{"op": "set", "field": "blocked", "value": "x"}]), "INVALID_VALUE"),
        (json!([{"op": "set", "field": "priority", "value": "x"}]), "INVALID_VALUE"),
        (json!([{"op": "set", "field": "plan_doc", "value": "x"}]), "NOT_A_PLAN"),
    ] {
        assert_eq!(rig.code("patch", patch(ops.clone())), code, "{ops}");
    }
    let gates = json!({"task": "TASK-001", "path": "s:0", "ops": [{"op": "set", "field": "required_checkpoints", "value": ["vibes"]}]});
    assert_eq!(rig.code("patch", gates), "INVALID_VALUE");
    assert_eq!(rig.code("patch", json!({"task": "PLAN-001", "kind": "step", "path": "s:0", "ops": [{"op": "unset", "field": "tests"}]})), "NOT_A_TASK");
    assert_eq!(
        rig.code(
            "patch",
            json!({"task": "TASK-001", "kind": "epic", "ops": [{"op": "unset", "field": "tests"}]})
        ),
        "INVALID_KIND"
    );
    let node = rig.ok("patch", json!({"task": "TASK-001", "path": "s:0.t:0", "ops": [{"op": "set", "field": "status", "value": "DONE"}]}));
    assert_eq!(node["kind"], "task");
    assert_eq!(rig.task("TASK-001")["steps"][0]["plan"]["tasks"][0]["status_manual"], json!(true));
}

#[test]
fn a_patch_preview_shows_before_and_after_under_both_names() {
    let rig = Rig::with_task();
    let ops = json!([{"op": "append", "field": "success_criteria", "value": "more"}, {"op": "set", "field": "blocked", "value": true}]);
    let preview = rig.ok("patch", json!({"task": "TASK-001", "dry_run": true, "ops": ops}));
    assert_eq!(preview["would_execute"], json!(true));
    assert_eq!(preview["computed"], preview["after"]);
    assert_eq!(preview["current"]["state"]["blocked"], json!(false));
    assert_eq!(preview["computed"]["state"]["blocked"], json!(true));
    assert_eq!(preview["computed"]["revision"], json!(1), "the revision is still the stored one");
    assert_eq!(preview["diff"]["state"]["blocked"], json!({"from": false, "to": true}));
    assert_eq!(
        preview["diff"]["fields"][0],
        json!({"field": "success_criteria", "type": "str_list", "before": ["It works"], "after": ["It works", "more"],
            "before_meta": {"total_items": 1, "truncated": false}, "after_meta": {"total_items": 2, "truncated": false}})
    );
    let nothing = rig.ok("patch", json!({"task": "TASK-001", "dry_run": true, "ops": [{"op": "set", "field": "title", "value": "Task"}]}));
    assert_eq!(nothing["would_execute"], json!(false));
}

#[test]
fn contracts_are_versioned_and_checklists_move_on() {
    let rig = Rig::with_task();
    let plan = rig.ok("contract", json!({"plan": "PLAN-001", "current": "Text"}));
    assert_eq!(plan["plan"]["contract_versions_count"], json!(2));
    let same = rig.envelope("contract", json!({"plan": "PLAN-001", "current": "Text"}));
    assert_eq!(same["meta"]["no_op"], json!(true));
    rig.ok("contract", json!({"plan": "PLAN-001", "clear": true}));
    let plan = rig.task("PLAN-001");
    assert_eq!((plan["contract"].clone(), plan["contract_data"].clone()), (json!(""), json!({})));
    rig.ok("plan", json!({"plan": "PLAN-001", "steps": ["a", "b"], "current": 7, "doc": "How"}));
    let plan = rig.task("PLAN-001");
    assert_eq!(plan["plan"], json!({"steps": ["a", "b"], "current": 2, "doc": "How"}));
    assert_eq!(plan["status"], "ACTIVE", "a plan with an open task is never DONE");
    rig.ok("plan", json!({"plan": "PLAN-001", "current": 0}));
    rig.ok("plan", json!({"plan": "PLAN-001", "advance": true}));
    assert_eq!(rig.task("PLAN-001")["status"], "ACTIVE");
    for (intent, args, code) in [
        ("plan", json!({"plan": "PLAN-001", "steps": 3}), "INVALID_STEPS"),
        ("plan", json!({"plan": "PLAN-001", "current": "x"}), "INVALID_CURRENT"),
        ("plan", json!({"plan": "TASK-001", "advance": true}), "NOT_A_PLAN"),
        ("plan", json!({"plan": "a b"}), "INVALID_PLAN"),
        ("plan", json!({"plan": "PLAN-009", "advance": true}), "NOT_FOUND"),
        ("contract", json!({"plan": "PLAN-001", "contract_data": 3}), "INVALID_CONTRACT_DATA"),
        ("contract", json!({"current": "x"}), "MISSING_TARGET"),
    ] {
        assert_eq!(rig.code(intent, args.clone()), code, "{intent} {args}");
    }
}

#[test]
fn context_pages_and_filters_without_reading_everything() {
    let rig = Rig::with_task();
    for i in 2..=12 {
        let tags = if i % 2 == 0 { json!(["Even"]) } else { json!([]) };
        rig.ok("create", json!({"parent": "PLAN-001", "title": format!("Task {i}"), "tags": tags}));
    }
    rig.ok("complete", json!({"task": "TASK-004", "status": "ACTIVE"}));
    let page = |args: Value| {
        let mut args = args;
        args["include_all"] = json!(true);
        rig.ok("context", args)
    };
    let ids =
        |page: &Value| page["tasks"].as_array().unwrap().iter().map(|t| text(&t["id"])).collect::<Vec<_>>();
    let first = page(json!({"tasks_limit": 5}));
    assert_eq!(first["counts"], json!({"plans": 1, "tasks": 12}));
    assert_eq!(first["by_status"], json!({"DONE": 0, "ACTIVE": 1, "TODO": 11}));
    assert_eq!(
        first["tasks_pagination"],
        json!({"cursor": "0", "next_cursor": "5", "total": 12, "count": 5, "limit": 5})
    );
    let last = page(json!({"tasks_limit": 5, "tasks_cursor": "10"}));
    assert_eq!(ids(&last), ["TASK-011", "TASK-012"]);
    assert_eq!(last["tasks_pagination"]["next_cursor"], Value::Null);
    let active = page(json!({"tasks_status": "active"}));
    assert_eq!(ids(&active), ["TASK-004"]);
    assert_eq!(active["filters_applied"], json!(["tasks_status"]));
    assert_eq!(
        page(json!({"tasks_status": ["ACTIVE", "TODO"], "tasks_limit": 4}))["tasks_pagination"]["total"],
        json!(12)
    );
    let both = page(json!({"tags": ["EVEN"], "tasks_status": ["TODO"], "tasks_parent": "PLAN-001"}));
    assert_eq!(both["filtered_counts"]["tasks"], json!(5));
    let full = page(json!({"tasks_limit": 1, "compact": false}));
    assert_eq!(full["tasks"][0]["steps"].as_array().unwrap().len(), 2);
    for (args, code) in [
        (json!({"include_all": true, "tasks_status": "LATER"}), "INVALID_FILTER"),
        (json!({"include_all": true, "tasks_limit": 201}), "INVALID_PAGINATION"),
        (json!({"include_all": true, "tasks_cursor": "x"}), "INVALID_PAGINATION"),
        (json!({"include_all": true, "tasks_parent": "a/b"}), "INVALID_PARENT"),
        (json!({"task": "a/b"}), "INVALID_ID"),
        (json!({"subtree": 1}), "INVALID_SUBTREE"),
        (json!({"subtree": {"path": "s:0"}}), "MISSING_SUBTREE_TASK"),
        (json!({"subtree": {"task": "a/b"}}), "INVALID_SUBTREE_TASK"),
        (json!({"subtree": {"task": "TASK-099", "path": "s:0"}}), "SUBTREE_NOT_FOUND"),
        (json!({"subtree": {"task": "TASK-001"}}), "MISSING_SUBTREE_PATH"),
        (json!({"subtree": {"task": "TASK-001", "path": "x"}}), "INVALID_SUBTREE_PATH"),
        (json!({"subtree": {"task": "TASK-001", "path": "s:7"}}), "SUBTREE_NOT_FOUND"),
        (json!({"subtree": {"task": "TASK-001", "path": "s:7", "kind": "plan"}}), "SUBTREE_NOT_FOUND"),
        (json!({"subtree": {"task": "TASK-001", "path": "s:0", "kind": "leaf"}}), "INVALID_SUBTREE"),
    ] {
        assert_eq!(rig.code("context", args.clone()), code, "{args}");
    }
}

/// The plan of a step could be verified, but not looked at.
#[test]
fn a_subtree_may_be_a_plan() {
    let rig = Rig::with_task();
    rig.ok("task_add", json!({"task": "TASK-001", "parent_step": "s:0", "title": "Node of the plan"}));
    let subtree = |wanted: Value| rig.ok("context", json!({"subtree": wanted}))["subtree"].clone();
    let nested = subtree(json!({"task": "TASK-001", "path": "s:0", "kind": "plan"}));
    assert_eq!((&nested["kind"], &nested["path"]), (&json!("plan"), &json!("s:0")));
    assert_eq!(nested["task_id"], "TASK-001");
    assert_eq!(nested["node"]["tasks"][0]["title"], "Node of the plan", "{nested}");
    let root = subtree(json!({"task": "PLAN-001", "kind": "plan"}));
    assert_eq!((&root["kind"], &root["node"]["id"]), (&json!("plan"), &json!("PLAN-001")), "{root}");
}

/// A wrong id was answered with an error and no way on.
#[test]
fn a_wrong_id_is_answered_with_some_that_exist() {
    let rig = Rig::with_task();
    for intent in ["resume", "radar", "handoff", "context_pack", "lint", "mirror", "context"] {
        let failure = rig.failure(intent, json!({"task": "no such id!"}));
        assert_eq!(failure["error"]["code"], "INVALID_ID", "{intent}: {failure}");
        let next = &failure["suggestions"][0];
        assert!(next["action"].is_string(), "{intent}: {failure}");
        rig.ok(next["action"].as_str().unwrap(), next["params"].clone());
    }
    let failure = rig.failure("evidence_get", json!({"sha256": "x"}));
    assert!(failure["suggestions"][0]["action"].is_string(), "{failure}");
}

#[test]
fn mirror_has_exactly_one_item_in_progress() {
    let rig = Rig::with_task();
    rig.ok("create", json!({"parent": "PLAN-001", "title": "Other"}));
    let statuses = |args: Value| {
        let mirror = rig.ok("mirror", args);
        mirror["items"].as_array().unwrap().iter().map(|i| text(&i["status"])).collect::<Vec<_>>()
    };
    assert_eq!(statuses(json!({"task": "TASK-001"})), ["in_progress", "pending"]);
    rig.ok(
        "close_step",
        json!({"task": "TASK-001", "path": "s:0", "checkpoints": confirm(&["criteria", "tests"])}),
    );
    assert_eq!(statuses(json!({"task": "TASK-001"})), ["completed", "in_progress"]);
    for id in ["TASK-001", "TASK-002"] {
        rig.ok("complete", json!({"task": id, "status": "ACTIVE"}));
    }
    assert_eq!(statuses(json!({"plan": "PLAN-001"})), ["in_progress", "pending"]);
    assert_eq!(rig.code("mirror", json!({"task": "TASK-001", "limit": "x"})), "INVALID_LIMIT");
    let one = rig.ok("mirror", json!({"task": "TASK-001", "limit": 1}));
    assert_eq!(one["summary"], json!({"total": 1, "completed": 1, "in_progress": 0, "pending": 0}));
    assert_eq!(one["items"][0]["queue_status"], "completed");
}

#[test]
fn scaffold_previews_unless_told_to_write() {
    let rig = Rig::new();
    let args = json!({"template": "feature", "kind": "plan", "title": "Plan"});
    let preview = rig.envelope("scaffold", args.clone());
    assert_eq!(preview["result"]["dry_run"], json!(true));
    assert_eq!(preview["suggestions"][0]["params"]["dry_run"], json!(false));
    assert_eq!(rig.operations(), 0);
    let made = rig.ok("scaffold", preview["suggestions"][0]["params"].clone());
    assert_eq!(made["plan"]["plan"]["steps"].as_array().unwrap().len(), 5);
    let task = json!({"template": "feature", "kind": "task", "title": "Task"});
    assert_eq!(rig.code("scaffold", task.clone()), "MISSING_PARENT");
    rig.ok("focus_set", json!({"task": "PLAN-001"}));
    let preview = rig.envelope("scaffold", task.clone());
    assert_eq!(preview["result"]["parent_source"], "focus_plan");
    assert_eq!(preview["context"]["used_focus_parent"], json!(true));
    assert_eq!(preview["result"]["task"]["steps"][0]["id"], "STEP-PREVIEW-1");
    for (args, code) in [
        (json!({"kind": "plan", "title": "x"}), "MISSING_TEMPLATE"),
        (json!({"template": "novel", "kind": "plan", "title": "x"}), "UNKNOWN_TEMPLATE"),
        (json!({"template": "bugfix", "kind": "epic", "title": "x"}), "INVALID_KIND"),
        (json!({"template": "bugfix", "kind": "plan"}), "MISSING_TITLE"),
        (
            json!({"template": "bugfix", "kind": "task", "title": "x", "parent": "PLAN-009"}),
            "PARENT_NOT_FOUND",
        ),
        (json!({"template": "bugfix", "kind": "task", "title": "x", "parent": "TASK-001"}), "INVALID_PARENT"),
    ] {
        assert_eq!(rig.code("scaffold", args.clone()), code, "{args}");
    }
}

#[test]
fn resume_is_short_or_whole_and_deleting_is_forgiving() {
    let rig = Rig::with_task();
    rig.ok("verify", json!({"task": "TASK-001", "path": "s:1", "checkpoints": confirm(&["criteria"])}));
    let short = rig.ok("resume", json!({"task": "TASK-001", "compact": true}));
    assert_eq!(short["checkpoint_status"]["next_ready"], "s:1");
    assert_eq!(short["checkpoint_status"]["pending"], json!(["s:0"]));
    assert_eq!(short["task"]["steps_count"], json!(2));
    assert!(short["task"].get("steps").is_none());
    let whole = rig.ok("resume", json!({"task": "TASK-001", "compact": false, "events_limit": 1}));
    assert_eq!(whole["timeline"][0]["event_type"], "checkpoint");
    assert_eq!(whole["timeline"][0]["target"], "step:s:1");
    let gone = rig.envelope("delete", json!({"task": "TASK-099"}));
    assert_eq!(gone["result"]["deleted"], json!(false));
    assert_eq!(rig.operations(), 3, "deleting nothing is no operation");
    let plan = rig.envelope("delete", json!({"task": "PLAN-001"}));
    assert!(text(&plan["warnings"][0]).contains("TASK-001"));
}
