//! `packd snap` and `packd why` through the real binaries.

use std::fs;
use std::io::Write;

use serde_json::json;

use super::rig::Desk;
use crate::common::real::{Place, Ran, SHIM};
use crate::families::snapshots::rig::git;

#[test]
fn a_person_takes_compares_and_goes_back() {
    let place = Place::new();
    git(&place.work(), &["init", "-q"]);
    fs::write(place.work().join("a.txt"), "one\ntwo\n").unwrap();
    fs::write(place.work().join(".env"), "SECRET=1\n").unwrap();
    let said = place.packd(&["snap", "list"]).ok();
    assert!(said.contains("no snapshot of this work tree yet"), "{said}");
    let said = place.packd(&["snap", "take", "--label", "good"]).ok();
    assert!(said.contains("sn-1: 1 file.") && said.contains("not stored .env"), "{said}");
    fs::write(place.work().join("a.txt"), "one\nTWO\n").unwrap();
    let said = place.packd(&["snap", "diff", "sn-1"]).ok();
    assert!(said.contains("changed a.txt") && said.contains("+TWO"), "{said}");
    let said = place.packd(&["why", "a.txt:2"]).ok();
    assert!(said.contains("since the last snapshot"), "{said}");
    let said = place.packd(&["snap", "take"]).ok();
    assert!(said.contains("sn-2: 1 file changed") && said.contains("packd revert"), "{said}");
    let said = place.packd(&["why", "a.txt:2"]).ok();
    assert!(said.contains("Somebody outside packd changed a.txt"), "{said}");
    let said = place.packd(&["why", "a.txt"]).ok();
    assert!(said.starts_with("a.txt\n  Somebody outside packd changed a.txt"), "{said}");
    let said = place.packd(&["why", "a.txt:1"]).ok();
    assert!(said.contains("older than the first snapshot"), "{said}");
    let said = place.packd(&["snap", "list"]).ok();
    assert!(said.contains("sn-2") && said.contains("good"), "{said}");
    let said = place.packd(&["snap", "restore", "sn-1"]).ok();
    assert!(said.contains("Would put back 1 file to sn-1"), "{said}");
    let said = place.packd(&["snap", "restore", "sn-1", "--yes"]).ok();
    assert!(said.contains("Put back 1 file to sn-1"), "{said}");
    assert_eq!(fs::read_to_string(place.work().join("a.txt")).unwrap(), "one\ntwo\n");
    place.packd(&["undo", "--yes"]).ok();
    assert_eq!(fs::read_to_string(place.work().join("a.txt")).unwrap(), "one\nTWO\n");
    let said = place.packd(&["snap", "restore", "sn-9", "--yes"]).failed(1);
    assert!(said.contains("has no snapshot sn-9"), "{said}");
    let said = place.packd(&["why", "none.txt:1"]).failed(1);
    assert!(said.contains("There is no file"), "{said}");
}

#[test]
fn a_person_sees_which_files_stay_before_an_undo() {
    let place = Place::new();
    git(&place.work(), &["init", "-q"]);
    for name in ["a", "b"] {
        fs::write(place.work().join(name), "one\n").unwrap();
    }
    place.packd(&["snap", "take"]).ok();
    for name in ["a", "b"] {
        fs::write(place.work().join(name), "two\n").unwrap();
    }
    place.packd(&["snap", "take"]).ok();
    let op = place.packd(&["history", "--json"]).json()["operations"][0]["operation_id"]
        .as_str()
        .unwrap()
        .to_string();
    fs::write(place.work().join("a"), "three\n").unwrap();
    let said = place.packd(&["revert", &op]).ok();
    assert!(said.contains("stays") && said.contains("changed since"), "{said}");
    place.packd(&["revert", &op, "--yes"]).ok();
    let now = |name: &str| fs::read_to_string(place.work().join(name)).unwrap();
    assert_eq!((now("a").as_str(), now("b").as_str()), ("three\n", "one\n"));
}

/// What Claude Code says before and after a call of its shell.
fn told(desk: &Desk, event: &str) {
    let mut command = desk.place.command(SHIM);
    command.args(["hook", event, "--host", "claude"]).env("PACKD_HOOK_MS", "10000");
    let mut hook = command.spawn().unwrap();
    let said = json!({"session_id": "s1", "cwd": desk.work(), "tool_name": "Bash", "tool_use_id": "toolu_1"});
    hook.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
    assert!(hook.wait_with_output().unwrap().status.success());
}

#[test]
fn every_screen_of_snapshots() {
    let desk = Desk::new();
    desk.screen("snap_list_empty", &["snap", "list"]);
    desk.screen("why_nowhere", &["why", "src/none.rs:1"]);
    fs::write(desk.work().join(".env"), "TOKEN=1\n").unwrap();
    desk.screen("snap_take", &["snap", "take", "--label", "before the refactoring"]);
    told(&desk, "pre-tool");
    let login = desk.work().join("src/login.rs");
    fs::write(&login, fs::read_to_string(&login).unwrap().replace("is_empty()", "trim().is_empty()"))
        .unwrap();
    fs::write(desk.work().join("notes.md"), "# Notes\n").unwrap();
    told(&desk, "post-tool");
    desk.screen("snap_take_nothing", &["snap", "take"]);
    desk.screen("snap_list", &["snap", "list"]);
    desk.screen("snap_diff", &["snap", "diff", "sn-1"]);
    desk.screen("why_line", &["why", "src/login.rs:2"]);
    desk.screen("why_older", &["why", "src/login.rs:1"]);
    fs::write(desk.work().join("notes.md"), "# Notes\n\nBy hand.\n").unwrap();
    desk.screen("why_unrecorded", &["why", "notes.md:3"]);
    desk.screen("snap_undo_preview", &["undo"]);
    desk.screen("snap_restore_preview", &["snap", "restore", "sn-1"]);
    desk.screen("snap_restore", &["snap", "restore", "sn-1", "--yes"]);
    desk.screen("snap_restore_nothing", &["snap", "restore", "sn-1", "--yes"]);
    desk.screen("missing_snap", &["snap", "diff", "sn-99"]);
    desk.screen("wrong_snap", &["snap", "restore", "yesterday"]);
}

#[test]
fn every_screen_of_setting_up_more() {
    let desk = Desk::new();
    desk.screen("setup_hooks_dry_run", &["setup", "claude", "--hooks", "--dry-run"]);
    desk.screen("setup_hooks", &["setup", "claude", "--hooks"]);
    desk.screen("setup_hooks_list", &["setup", "--hooks"]);
    desk.screen("setup_hooks_none", &["setup", "zed", "--hooks"]);
    desk.screen("setup_hooks_remove", &["setup", "claude", "--hooks", "--remove"]);
    desk.screen("setup_agents_md", &["setup", "--agents-md"]);
    desk.screen("setup_agents_md_again", &["setup", "--agents-md"]);
    desk.screen("setup_agents_md_remove", &["setup", "--agents-md", "--remove"]);
    let dir = desk.place.path().join("plugin");
    desk.screen("plugin_build", &["plugin", "build", dir.to_str().unwrap()]);
    let mut without = desk.command(&["setup", "gemini", "--plugin"]);
    let ran = Ran::of({
        without.env("PATH", "/nowhere");
        without
    });
    crate::common::text_snapshot(
        "setup_plugin_no_program",
        &desk.seen(&["setup", "gemini", "--plugin"], &ran),
    );
}
