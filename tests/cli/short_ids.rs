//! Few characters are enough to name a thing, and never name the wrong one.

use serde_json::json;

use super::rig::Desk;
use crate::common::pty::{self, Pty};

fn ids(desk: &Desk) -> Vec<String> {
    let reply = desk.packd(&["history", "--json"]).json();
    let ops = reply["operations"].as_array().unwrap();
    ops.iter().map(|op| op["operation_id"].as_str().unwrap().to_string()).collect()
}

fn shown(desk: &Desk, said: &[&str]) -> String {
    let mut args = vec!["show", "--json"];
    args.extend(said);
    desk.packd(&args).json()["operation_id"].as_str().unwrap_or_default().to_string()
}

#[test]
fn operations_are_named_by_head_tail_and_place() {
    let desk = Desk::new();
    for title in ["One", "Two", "Three"] {
        desk.packd(&["pack", "new", title]).ok();
    }
    let ids = ids(&desk);
    assert_eq!(shown(&desk, &[]), ids[0]);
    assert_eq!(shown(&desk, &["@"]), ids[0]);
    assert_eq!(shown(&desk, &["@-"]), ids[1]);
    assert_eq!(shown(&desk, &["@--"]), ids[2]);
    assert_eq!(shown(&desk, &[&ids[1][28..]]), ids[1]);
    assert_eq!(shown(&desk, &[&ids[2]]), ids[2]);
    assert!(desk.packd(&["history"]).ok().contains(&ids[1][28..]), "history shows what can be typed");
    assert!(desk.packd(&["show", "@-----"]).failed(1).contains("Only 3 operations"));
    // They were made within the same minute, so their heads agree.
    let ambiguous = desk.packd(&["show", &ids[0][..6]]).failed(1);
    assert!(ids.iter().all(|id| ambiguous.contains(&id[28..])), "{ambiguous}");
    let told = desk.packd(&["show", &ids[0][..6], "--json"]).json();
    assert_eq!(told["details"]["candidates"], json!(ids));

    // From another directory the same characters still name it.
    let elsewhere = desk.place.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut command = desk.command(&["show", "--json", &ids[1][28..]]);
    command.current_dir(&elsewhere);
    assert_eq!(crate::common::real::Ran::of(command).json()["operation_id"], json!(ids[1]));
}

#[test]
fn one_operation_in_the_middle_is_taken_back() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Keep", "--name", "keep"]).ok();
    desk.packd(&["pack", "new", "Drop", "--name", "drop"]).ok();
    desk.packd(&["pack", "new", "Also", "--name", "also"]).ok();
    assert!(desk.packd(&["revert", "@-", "--yes"]).ok().contains("Took back"));
    let list = desk.packd(&["pack", "list"]).ok();
    assert!(list.contains("keep") && list.contains("also") && !list.contains("drop"), "{list}");
    // What one expects is checked before anything happens.
    let ids = ids(&desk);
    let wrong = &ids[ids.len() - 1][28..];
    desk.packd(&["undo", "--expect", wrong, "--yes"]).failed(1);
    assert!(desk.packd(&["pack", "list"]).ok().contains("also"));
}

#[test]
fn packs_are_named_by_the_beginning_of_their_name() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "One", "--name", "login-flow"]).ok();
    desk.packd(&["pack", "new", "Two", "--name", "login-page"]).ok();
    assert!(desk.packd(&["pack", "show", "login-f"]).ok().contains("login-flow, pk_"));
    let two = desk.packd(&["pack", "show", "login"]).failed(1);
    assert!(two.contains("login-flow") && two.contains("login-page"), "{two}");
    desk.packd(&["undo", "--target", "login-f", "--yes"]).ok();
    assert!(!desk.packd(&["pack", "list"]).ok().contains("login-flow"));
}

#[test]
fn undo_asks_a_person_and_no_means_no() {
    if !pty::available() {
        return;
    }
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Mine", "--name", "mine"]).ok();
    let mut no = Pty::spawn(&desk.command(&["undo"]));
    let before = no.until("Do it? [y/N] ");
    assert!(before.contains("Would take back") && before.contains("Made pack"), "{before}");
    no.types("n");
    let (code, after) = no.end();
    assert!(code == Some(1) && after.contains("Not done."), "{after}");
    assert!(desk.packd(&["pack", "list"]).ok().contains("mine"));
    let mut yes = Pty::spawn(&desk.command(&["undo"]));
    yes.until("Do it? [y/N] ");
    yes.types("y");
    let (code, after) = yes.end();
    assert!(code == Some(0) && after.contains("Undid"), "{after}");
    assert!(desk.packd(&["pack", "list"]).ok().contains("There are no packs"));
    let mut redo = Pty::spawn(&desk.command(&["redo"]));
    redo.until("Do it? [y/N] ");
    redo.types("y");
    assert_eq!(redo.end().0, Some(0));
    assert!(desk.packd(&["pack", "list"]).ok().contains("mine"));
}

#[test]
fn what_writes_files_is_only_previewed_in_a_pipe() {
    let desk = Desk::new();
    desk.packd(&["eco", "init", "demo"]).ok();
    let file = desk.work().join("ecosystems/demo/ecosystem.yaml");
    let preview = desk.packd(&["undo"]).ok();
    assert!(
        preview.contains("delete ecosystems/demo/ecosystem.yaml") && preview.contains("--yes"),
        "{preview}"
    );
    assert!(file.exists());
    desk.packd(&["undo", "--yes"]).ok();
    assert!(!file.exists() && !desk.work().join("ecosystems").exists(), "directories it made go with it");
    desk.packd(&["redo", "--yes"]).ok();
    assert!(file.exists());
}

/// One agent did several things; the person takes all of them back at once and leaves what others did.
#[test]
fn everything_one_client_did_is_taken_back_as_one() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Mine", "--name", "mine"]).ok();
    let mut agent = desk.place.shim();
    agent.initialize();
    for name in ["first", "second"] {
        let args = json!({"action": "create", "name": name, "title": name, "ttl_minutes": 60});
        let made = agent.ask(json!(name), "tools/call", json!({"name": "input", "arguments": args}));
        assert!(!made["result"]["isError"].as_bool().unwrap_or(false), "{made}");
    }
    let preview = desk.packd(&["undo", "--by", "test", "--since", "1h"]).ok();
    assert!(preview.contains("Would take back 2 operations:") && preview.contains("--yes"), "{preview}");
    assert!(desk.packd(&["pack", "list"]).ok().contains("second"));
    let done = desk.packd(&["undo", "--by", "test", "--yes"]).ok();
    assert!(done.contains("Took back 2 operations:"), "{done}");
    let left = desk.packd(&["pack", "list"]).ok();
    assert!(left.contains("mine") && !left.contains("first") && !left.contains("second"), "{left}");
    desk.packd(&["redo", "--yes"]).ok();
    let back = desk.packd(&["pack", "list"]).ok();
    assert!(back.contains("first") && back.contains("second"), "{back}");
    let nobody = desk.packd(&["undo", "--by", "nobody"]).failed(2);
    assert!(nobody.contains("Known: you, test.") || nobody.contains("Known: test, you."), "{nobody}");
    desk.packd(&["undo", "--since", "1h"]).failed(2);
}
