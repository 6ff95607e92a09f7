//! What replies cost: a write answers with what changed, whatever the size of the task, and nothing is sent twice.

use serde_json::{Value, json};

use super::rig::{Rig, confirm, text};

const KB: usize = 1024;

fn size(reply: &Value) -> usize {
    reply.to_string().len()
}

/// A plan and a task of so many steps, each with long texts; the reply to its creation.
fn large(rig: &Rig, steps: usize) -> Value {
    rig.brief("create", json!({"title": "Plan"}));
    let step = |i: usize| {
        json!({"title": format!("Step number {i} of a long list of steps"), "success_criteria": ["It is done", "It is seen"],
            "tests": ["cargo test"], "blockers": ["nothing at all"]})
    };
    let steps: Vec<Value> = (0..steps).map(step).collect();
    rig.brief(
        "create",
        json!({"parent": "PLAN-001", "title": "A task with many steps", "success_criteria": ["It works"],
            "description": "Lorem ipsum. ".repeat(200), "steps": steps}),
    )
}

fn close(path: &str) -> Value {
    json!({"task": "TASK-001", "path": path, "note": "done", "verification_outcome": "pass",
        "checkpoints": confirm(&["criteria", "tests"])})
}

#[test]
fn writes_cost_what_they_say() {
    let rig = Rig::new();
    let created = large(&rig, 10);
    assert!(size(&created) <= 3 * KB, "create with 10 steps: {}", size(&created));
    assert_eq!(created["result"]["steps"][9]["path"], "s:9", "where its steps are is said");
    let mut sizes = Vec::new();
    for (steps, limit) in [(3, 3 * KB / 2), (30, 3 * KB / 2), (150, 3 * KB / 2)] {
        let rig = Rig::new();
        large(&rig, steps);
        let closed = rig.brief("close_step", close("s:0"));
        assert!(size(&closed) <= limit, "close_step of {steps}: {} {closed}", size(&closed));
        assert_eq!(closed["result"]["task"]["revision"], 2);
        let changed = closed["result"]["changed"].as_array().unwrap();
        assert!(changed.iter().any(|c| text(&c["field"]).ends_with(".completed")), "{closed}");
        sizes.push(size(&closed));
        let radar = rig.brief("radar", json!({"task": "TASK-001"}));
        assert!(size(&radar) <= 4 * KB, "radar of {steps}: {}", size(&radar));
        let whole = rig.brief("resume", json!({"task": "TASK-001", "compact": false}));
        assert!(size(&whole) <= 40 * KB, "a page of steps: {}", size(&whole));
    }
    assert!(sizes[2].abs_diff(sizes[0]) < 100, "the size of the task does not matter: {sizes:?}");
}

#[test]
fn a_batch_is_one_line_per_operation_and_closing_is_short() {
    let rig = Rig::new();
    large(&rig, 30);
    rig.brief("close_step", close("s:0"));
    let operations: Vec<Value> = (1..30)
        .map(|i| {
            let mut op = close(&format!("s:{i}"));
            op["intent"] = json!("close_step");
            op
        })
        .collect();
    let batch = rig.brief("batch", json!({"atomic": true, "operations": operations}));
    assert!(size(&batch) <= 8 * KB, "a batch of 29: {}", size(&batch));
    assert_eq!(
        batch["result"]["results"][28],
        json!({"intent": "close_step", "success": true, "task_id": "TASK-001", "path": "s:29"})
    );
    assert_eq!(batch["result"]["completed"], 29);
    assert_eq!(batch["result"]["items"][0]["progress"], 100);
    let closed = rig.brief("close_task", json!({"task": "TASK-001", "apply": true}));
    assert!(size(&closed) <= 3 * KB, "close_task: {}", size(&closed));
    assert_eq!(closed["result"]["task"]["status"], "DONE");
    assert_eq!(closed["suggestions"][0]["params"]["plan"], "PLAN-001", "what is next is its plan");
    let plan = rig.brief("radar", json!({"plan": "PLAN-001"}));
    assert_eq!(plan["result"]["next"][0]["action"], "complete", "in the end the plan is closed: {plan}");
    rig.brief("complete", plan["result"]["next"][0]["params"].clone());
    assert_eq!(rig.task("PLAN-001")["status"], "DONE");
}

#[test]
fn steps_come_in_pages() {
    let rig = Rig::new();
    large(&rig, 30);
    let page = |cursor: &str| {
        rig.ok("resume", json!({"task": "TASK-001", "steps_limit": 12, "steps_cursor": cursor}))
    };
    let first = page("0");
    assert_eq!(first["task"]["steps"].as_array().unwrap().len(), 12);
    let last = page("24");
    assert_eq!(
        (last["task"]["steps"][0]["path"].clone(), last["steps_pagination"]["next_cursor"].clone()),
        (json!("s:24"), Value::Null)
    );
    assert_eq!(
        page(first["steps_pagination"]["next_cursor"].as_str().unwrap())["task"]["steps"][0]["path"],
        "s:12"
    );
}

#[test]
fn notes_survive_a_handover() {
    let rig = Rig::with_task();
    for i in 0..7 {
        rig.brief("note", json!({"task": "TASK-001", "path": "s:0", "note": format!("note {i}")}));
    }
    let wanted = json!(["note 2", "note 3", "note 4", "note 5", "note 6"]);
    for intent in ["radar", "handoff", "context_pack"] {
        assert_eq!(
            rig.brief(intent, json!({"task": "TASK-001"}))["result"]["now"]["notes"],
            wanted,
            "{intent}"
        );
    }
    assert_eq!(rig.brief("resume", json!({"task": "TASK-001"}))["result"]["notes"], wanted);
}

/// Short replies leave out what is empty, never what a client of the contract reads.
#[test]
fn short_replies_keep_the_fields_of_the_contract() {
    let rig = Rig::new();
    let created = large(&rig, 3)["result"]["task"].clone();
    for key in
        ["id", "kind", "title", "revision", "status", "status_code", "progress", "parent", "steps_count"]
    {
        assert!(created.get(key).is_some(), "{key} is not in {created}");
    }
    let artifacts = json!([{"kind": "cmd_output", "command": "cargo test", "stdout": "ok"}]);
    let at = json!({"task": "TASK-001", "path": "s:0", "artifacts": artifacts, "checks": ["looked"]});
    let captured = rig.brief("evidence_capture", at)["result"]["captured"].clone();
    for key in ["kind", "uri", "size", "sha256", "truncated", "original_size"] {
        assert!(captured["artifacts_written"][0].get(key).is_some(), "{key} is not in {captured}");
    }
    assert_eq!(captured["attachments_added"][0]["kind"], "cmd_output");
    assert_eq!(captured["checks_added"][0]["kind"], "command");
    assert_eq!(captured.get("verification_outcome"), Some(&Value::Null));
    let radar = rig.brief("radar", json!({"task": "TASK-001"}));
    assert_eq!(
        radar["result"]["verify"]["missing"],
        json!([{"checkpoint": "criteria", "path": "s:0"}, {"checkpoint": "tests", "path": "s:0"}])
    );

    let criteria = json!({"task": "TASK-001", "path": "s:0", "checkpoints": confirm(&["criteria"])});
    let verified = rig.brief("verify", criteria)["result"].clone();
    let closed = rig.brief("close_step", close("s:0"))["result"].clone();
    let opened = rig.brief("progress", json!({"task": "TASK-001", "path": "s:0", "completed": false}));
    for (reply, before, after) in
        [(&verified, [false, false], [true, false]), (&closed, [true, false], [true, true])]
    {
        for (i, gate) in ["criteria", "tests"].into_iter().enumerate() {
            assert_eq!(reply["checkpoints_before"][gate]["confirmed"], before[i], "{gate} {reply}");
            assert_eq!(reply["checkpoints_after"][gate]["confirmed"], after[i], "{gate} {reply}");
        }
        assert!(reply["checkpoints_after"]["criteria"]["evidence_refs_count"].as_u64() >= Some(2), "{reply}");
        assert_eq!(reply["step"]["computed_status"], reply["step"]["status"]);
        for key in ["task_id", "path", "ready", "needs", "task", "step"] {
            assert!(reply.get(key).is_some(), "{key} is not in {reply}");
        }
    }
    assert_eq!(opened["result"]["checkpoints_after"]["tests"]["confirmed"], true, "{opened}");
    let node = rig.brief("task_add", json!({"task": "TASK-001", "parent_step": "s:1", "title": "Node"}));
    assert_eq!(node["result"]["task_node"]["status_code"], "TODO");
    let listed = rig.brief("context", json!({"include_all": true}))["result"]["tasks"][0].clone();
    assert_eq!(listed["status_code"], listed["status"]);

    let done = json!({"task": "TASK-001", "apply": true, "force": true, "override_reason": "given up"});
    let closed = rig.brief("close_task", done)["result"].clone();
    assert_eq!(
        (closed["batch"]["total"].clone(), closed["batch"]["completed"].clone()),
        (json!(1), json!(1))
    );
    assert_eq!(closed["batch"]["results"][0]["intent"], "complete");
    assert_eq!(closed["batch"]["operation_ids"].as_array().unwrap().len(), 1);
    assert_eq!(closed["diff"]["patches"], json!([]));
    assert_eq!(closed["diff"]["apply_mode"], "forced");
    let plan =
        rig.brief("contract", json!({"plan": "PLAN-001", "current": "Ship it"}))["result"]["plan"].clone();
    assert_eq!(plan["contract_preview"], "Ship it");
    assert_eq!(plan["contract_versions_count"], 1);
}
