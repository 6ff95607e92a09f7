//! Whose a change is: the call that was under way, all of them where several were, nobody's where none was.

use serde_json::{Value, json};

use super::rig::Rig;

fn shown(rig: &Rig, op: &Value) -> Value {
    rig.ok("history_show", json!({"operation_id": op["operation_id"]}))
}

#[test]
fn overlapping_calls_of_two_sessions_are_marked_shared() {
    let rig = Rig::new();
    rig.hook("before", "s1", "c1");
    rig.write("one.txt", "before the other began\n");
    rig.hook("before", "s2", "c2");
    rig.write("two.txt", "while both were at work\n");
    let first = rig.hook("after", "s1", "c1");
    rig.write("three.txt", "after the first was done\n");
    let second = rig.hook("after", "s2", "c2");
    assert_eq!((first["shared"].as_bool(), second["shared"].as_bool()), (Some(true), Some(false)));
    let ops = rig.ops();
    let who: Vec<_> = ops.iter().map(|op| op["who"]["session"].as_str().unwrap()).collect();
    assert_eq!(who, ["s2", "s1", "s1"], "{:?}", rig.summaries());
    assert_eq!(ops[0]["summary"], "Bash in claude-code created three.txt");
    assert_eq!(shown(&rig, &ops[1])["data"]["shared_with"][0]["session"], "s2");
    assert!(ops[1]["summary"].as_str().unwrap().contains("shared"), "{ops:?}");
    assert!(shown(&rig, &ops[2])["data"].get("shared_with").is_none(), "it was alone until then");
}

#[test]
fn a_call_whose_beginning_nobody_told_is_marked() {
    let rig = Rig::new();
    rig.bash("s1", "c0", |_| {});
    rig.write("a.txt", "by whom?\n");
    rig.hook("after", "s1", "c9");
    let op = rig.ops()[0].clone();
    assert_eq!(op["who"]["session"], "s1");
    assert_eq!(shown(&rig, &op)["data"]["unannounced"], true);
}

#[test]
fn a_session_that_ends_leaves_no_window_open() {
    let rig = Rig::new();
    rig.hook("before", "s1", "c1");
    rig.hook("end", "s1", "");
    rig.write("a.txt", "later, by hand\n");
    rig.hook("before", "s2", "c2");
    rig.settled();
    assert_eq!(rig.ops()[0]["who"]["client"], "outside");
}

#[test]
fn a_host_that_is_gone_leaves_no_window_open() {
    let rig = Rig::new();
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    rig.hook_with("before", "s1", "c1", json!({"pid": pid}));
    rig.write("a.txt", "later, by hand\n");
    rig.hook("before", "s2", "c2");
    rig.settled();
    assert_eq!(rig.ops()[0]["who"]["client"], "outside", "{:?}", rig.summaries());
}

/// A hook that is gone before its snapshot is finished: the tool may be writing already. What it wrote so far must not
/// pass for what was there before it.
#[test]
fn a_late_snapshot_is_no_before_state_of_what_changed_since_the_hook_began() {
    let rig = Rig::new();
    rig.bash("s1", "c0", |_| {});
    let began = now_micros();
    // The tool writes before the late snapshot is taken.
    rig.write("a.txt", "by the tool, early\n");
    rig.write("new.txt", "by the tool\n");
    let late = rig.hook_with("before", "s1", "c1", json!({"at": began, "budget_ms": 0}));
    assert_eq!(late["late"], true, "{late}");
    rig.write("a.txt", "by the tool, in the end\n");
    rig.hook("after", "s1", "c1");
    assert_eq!(rig.summaries()[0], "Bash in claude-code changed 2 files");
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!((rig.read("a.txt").as_deref(), rig.read("new.txt")), (Some("one\n"), None));
}

#[test]
fn where_the_first_snapshot_of_all_is_late_what_changed_since_cannot_come_back() {
    let rig = Rig::new();
    let old = now_micros() - 60_000_000;
    for path in ["a.txt", "src/b.txt", ".gitignore"] {
        assert!(rig.root().join(path).exists());
    }
    // Everything in this tree is younger than a minute: nothing of it is a before-state.
    rig.hook_with("before", "s1", "c1", json!({"at": old, "budget_ms": 0}));
    rig.write("a.txt", "by the tool\n");
    rig.write("fresh.txt", "by the tool\n");
    rig.hook("after", "s1", "c1");
    let op = rig.ops()[0].clone();
    let lost = shown(&rig, &op)["data"]["not_reversible"].clone();
    assert_eq!(lost[0]["path"], "a.txt", "{lost}");
    let undone = rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(undone["clashes"][0]["path"], json!(rig.root().join("a.txt")), "{undone}");
    assert_eq!((rig.read("a.txt").as_deref(), rig.read("fresh.txt")), (Some("by the tool\n"), None));
}

#[test]
fn a_task_and_a_call_are_recorded_with_it() {
    let rig = Rig::new();
    rig.hook_with("before", "s1", "c1", json!({"task": "TASK-007"}));
    rig.write("a.txt", "x\n");
    rig.hook("after", "s1", "c1");
    let op = shown(&rig, &rig.ops()[0]);
    assert_eq!(op["who"]["task"], "TASK-007", "{op}");
    assert_eq!(op["data"]["call"]["call_id"], "c1");
    let why = rig.admin("packd/why", &json!({"path": rig.root().join("a.txt"), "line": 1}));
    assert_eq!(why["operation"]["task"], "TASK-007", "{why}");
}

#[test]
fn every_line_tells_who_wrote_it() {
    let rig = Rig::new();
    rig.write("a.txt", "one\ntwo\nthree\n");
    rig.bash("s0", "c0", |_| {});
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "zero\none\ntwo\nthree\n"));
    rig.bash("s2", "c2", |rig| rig.write("a.txt", "zero\none\nTWO\nthree\n"));
    let why = |line: u64| rig.admin("packd/why", &json!({"path": "a.txt", "line": line}));
    assert_eq!(why(1)["operation"]["session"], "s1");
    assert_eq!(why(3)["operation"]["session"], "s2");
    assert_eq!(why(4)["known"], "older");
    rig.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    assert_eq!(why(5)["known"], "unrecorded");
    assert_eq!(why(3)["operation"]["session"], "s2", "what was written since does not hide it");
}

fn now_micros() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_micros()).unwrap()
}
