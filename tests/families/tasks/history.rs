//! The task log: filters, cursors that never expire, snapshots, undo that stays inside the family.

use serde_json::{Value, json};

use super::rig::{Rig, text};

fn ids(result: &Value) -> Vec<String> {
    result["operations"].as_array().unwrap().iter().map(|o| text(&o["id"])).collect()
}

fn note(rig: &Rig, path: &str, note: &str) -> String {
    let done = rig.envelope("note", json!({"task": "TASK-001", "path": path, "note": note}));
    text(&done["meta"]["operation_id"])
}

#[test]
fn history_shows_the_newest_oldest_first_and_filters() {
    let rig = Rig::with_task();
    let a = note(&rig, "s:0", "a");
    let b = note(&rig, "s:1", "b");
    let log = rig.ok("history", json!({"limit": 2}));
    assert_eq!(ids(&log), [a.clone(), b.clone()]);
    let first = &log["operations"][0];
    assert_eq!(first["intent"], "note");
    assert_eq!(first["task_id"], "TASK-001");
    assert_eq!(first["data"]["note"], "a");
    assert_eq!(first["result"]["result"]["total_notes"], json!(1));
    assert_eq!((first["stream"].clone(), first["effect"].clone()), (json!("ops"), json!("write")));
    assert_eq!((log["can_undo"].clone(), log["can_redo"].clone()), (json!(true), json!(false)));
    assert_eq!(ids(&rig.ok("history", json!({"paths": ["s:1"]}))), vec![b.clone()]);
    assert_eq!(ids(&rig.ok("history", json!({"intents": ["note"], "task": "TASK-001"}))), [a, b]);
    assert_eq!(ids(&rig.ok("history", json!({"task": "PLAN-001"}))).len(), 1);
    rig.ok("focus_set", json!({"task": "TASK-001"}));
    rig.ok("note", json!({"path": "s:0", "note": "by focus"}));
    let last = rig.ok("history", json!({"limit": 1}))["operations"][0].clone();
    assert_eq!(last["data"]["task"], "TASK-001", "the focus that was filled in is on record");
    for (args, code) in [
        (json!({"stream": "x"}), "INVALID_STREAM"),
        (json!({"task": "a/b"}), "INVALID_TASK"),
        (json!({"intents": 3}), "INVALID_FILTER"),
        (json!({"limit": "x"}), "INVALID_LIMIT"),
    ] {
        assert_eq!(rig.code("history", args.clone()), code, "{args}");
        assert_eq!(rig.code("delta", args.clone()), code, "{args}");
    }
}

#[test]
fn delta_goes_on_strictly_after_its_cursor() {
    let rig = Rig::with_task();
    let a = note(&rig, "s:0", "a");
    let b = note(&rig, "s:1", "b");
    let c = note(&rig, "s:1", "c");
    let delta = rig.ok("delta", json!({"since": a, "limit": 1}));
    assert_eq!(ids(&delta), vec![b.clone()]);
    assert_eq!((delta["has_more"].clone(), delta["latest_id"].clone()), (json!(true), json!(c)));
    assert!(delta["operations"][0].get("data").is_none(), "short by default");
    let whole = rig.ok("delta", json!({"since": b, "include_details": true, "include_snapshot": true}));
    assert_eq!(whole["operations"][0]["data"]["note"], "c");
    let snapshot = &whole["operations"][0]["snapshot"];
    let (before, after) = (text(&snapshot["before"]), text(&snapshot["after"]));
    assert!(before.starts_with("---\n") && !before.contains("- c\n") && after.contains("- c\n"), "{after}");
    assert_eq!(ids(&rig.ok("delta", json!({"since": c}))), Vec::<String>::new());
    assert_eq!(rig.code("delta", json!({"since": "nope"})), "SINCE_NOT_FOUND");
    let elsewhere = rig.engine.session("s2", "/elsewhere");
    let other = rig.engine.err(&elsewhere, "tasks_delta", json!({"since": a}));
    assert_eq!(other["error"]["code"], "SINCE_NOT_FOUND", "a cursor belongs to its workspace");
}

#[test]
fn undone_records_stay_and_revisions_only_grow() {
    let rig = Rig::with_task();
    let a = note(&rig, "s:0", "a");
    let b = note(&rig, "s:0", "b");
    assert_eq!(rig.revision("TASK-001"), 3);
    let undone = rig.envelope("undo", json!({}));
    assert_eq!(undone["result"]["undone_operation"]["id"], json!(b));
    assert_eq!(undone["result"]["can_undo"], json!(true));
    assert_eq!(rig.task("TASK-001")["steps"][0]["progress_notes"], json!(["a"]));
    assert_eq!(rig.revision("TASK-001"), 4, "old content, new revision");
    let stale = json!({"task": "TASK-001", "path": "s:0", "note": "x", "expected_revision": 3});
    assert_eq!(rig.code("note", stale), "REVISION_MISMATCH", "an undo cannot fool a precondition");
    let log = rig.ok("history", json!({}));
    let record = log["operations"].as_array().unwrap().iter().find(|o| o["id"] == json!(b)).unwrap();
    assert_eq!(record["undone"], json!(true));
    rig.ok("undo", json!({}));
    let c = note(&rig, "s:0", "c");
    assert_eq!(rig.code("redo", json!({})), "NOTHING_TO_REDO", "a new operation forks");
    let delta = rig.ok("delta", json!({"since": a}));
    assert!(ids(&delta).contains(&b) && ids(&delta).contains(&c), "cursors of others survive the fork");
    let live = rig.ok("delta", json!({"since": a, "include_undone": false}));
    assert!(!ids(&live).contains(&b));
    rig.ok("delta", json!({"since": undone["meta"]["operation_id"]}));
    for _ in 0..3 {
        rig.ok("undo", json!({}));
    }
    assert_eq!(rig.code("undo", json!({})), "NOTHING_TO_UNDO");
    assert_eq!(rig.ok("context", json!({}))["counts"], json!({"plans": 0, "tasks": 0}));
    for _ in 0..3 {
        rig.ok("redo", json!({}));
    }
    assert_eq!(rig.task("TASK-001")["steps"][0]["progress_notes"], json!(["c"]));
    assert_eq!(rig.code("redo", json!({})), "NOTHING_TO_REDO");
}

#[test]
fn tasks_undo_leaves_other_families_alone() {
    let rig = Rig::with_task();
    rig.engine.ok(&rig.session, "input", json!({"action": "create", "name": "a-pack", "ttl_minutes": 60}));
    let undone = rig.ok("undo", json!({}));
    assert_eq!(undone["undone_operation"]["task_id"], "TASK-001");
    let next = rig.engine.ok(&rig.session, "history_undo", json!({}));
    assert_eq!(next["undid"]["family"], "packs", "history_undo takes the newest of all");
}

#[test]
fn a_deleted_task_comes_back_whole_and_so_does_its_evidence() {
    let rig = Rig::with_task();
    let captured = rig.ok(
        "evidence_capture",
        json!({"task": "TASK-001", "path": "s:0",
        "artifacts": [{"kind": "diff", "diff": "+ line"}]}),
    );
    let sha = &captured["captured"]["artifacts_written"][0]["sha256"];
    let before = rig.task("TASK-001");
    rig.ok("delete", json!({"task": "TASK-001"}));
    assert_eq!(rig.code("evidence_get", json!({"sha256": sha})), "NOT_FOUND");
    rig.ok("undo", json!({}));
    let mut after = rig.task("TASK-001");
    assert!(after["revision"].as_u64() > before["revision"].as_u64());
    after["revision"] = before["revision"].clone();
    assert_eq!(after, before);
    assert_eq!(rig.ok("evidence_get", json!({"sha256": sha}))["content"], "+ line");
    rig.ok("redo", json!({}));
    assert_eq!(rig.code("resume", json!({"task": "TASK-001"})), "NOT_FOUND", "redo of a delete deletes");
}
