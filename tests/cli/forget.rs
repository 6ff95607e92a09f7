//! Forgetting and moving: a value is nowhere afterwards, what happened stays, undo still works, and a crash leaves one
//! whole database.

use std::path::Path;

use serde_json::{Value, json};

use super::rig::Desk;
use crate::common::pty::{Pty, available};
use crate::common::real::Ran;

const SECRET: &str = "hunter2-secret";

/// A project in which a secret got into a task, a note and a pack, with a copy of the database from then.
fn with_secret() -> Desk {
    let desk = Desk::new();
    desk.packd(&["task", "add", &format!("Rotate {SECRET}"), "--step", "Ask for it"]).ok();
    desk.packd(&["task", "note", "TASK-001", "s:0", &format!("it was {SECRET}")]).ok();
    desk.packd(&["pack", "new", "Login", "--name", "login"]).ok();
    desk.packd(&["pack", "add", "login", "src/login.rs:1-3", "--why", &format!("checks {SECRET}")]).ok();
    // A refusal quotes what was asked.
    let wish = json!({"action": "create", "ttl_minutes": 60, "title": format!("a {SECRET}"), "mode": "ask"});
    desk.packd(&["call", "input", &wish.to_string()]).failed(1);
    let backup = desk.place.path().join("b.redb");
    desk.packd(&["backup", backup.to_str().unwrap()]).ok();
    desk.packd(&["restore", backup.to_str().unwrap(), "--yes"]).ok();
    desk
}

/// Every file of packd's home that has the text in its bytes.
fn holding(desk: &Desk, text: &str) -> Vec<String> {
    let dir = desk.place.home();
    let entries = std::fs::read_dir(dir.dir()).unwrap().flatten().map(|e| e.path());
    let has = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(text.len()).any(|w| w == text.as_bytes())
    };
    entries.filter(|p| p.is_file() && has(p)).map(|p| p.display().to_string()).collect()
}

#[test]
fn a_text_is_nowhere_afterwards_and_everything_else_is() {
    let desk = with_secret();
    assert!(holding(&desk, SECRET).len() >= 2, "the database and its older copy have it");
    let before: Value = desk.packd(&["history", "--json"]).json();
    desk.screen("forget_preview", &["forget", SECRET]);
    assert!(!holding(&desk, SECRET).is_empty(), "a preview changes nothing");
    desk.screen("forget_done", &["forget", SECRET, "--yes"]);
    desk.packd(&["stop"]).ok();
    assert_eq!(holding(&desk, SECRET), Vec::<String>::new());

    let after: Value = desk.packd(&["history", "--json"]).json();
    let ids = |v: &Value| -> Vec<Value> {
        v["operations"].as_array().unwrap().iter().map(|o| o["operation_id"].clone()).collect()
    };
    assert_eq!(ids(&before), ids(&after), "the records stay");
    let task = desk.packd(&["task", "show", "TASK-001"]).ok();
    assert!(task.contains(&format!("Rotate {}", "*".repeat(SECRET.len()))), "{task}");
    // The log still leads to the rows: what was done can be taken back and brought again, all of it.
    for _ in 0..4 {
        desk.packd(&["undo", "--yes"]).ok();
    }
    for _ in 0..4 {
        desk.packd(&["redo", "--yes"]).ok();
    }
    assert!(desk.packd(&["task", "show", "TASK-001"]).ok().contains("Rotate *"));
    assert!(desk.packd(&["doctor"]).stdout.contains("every row can be read"));

    // The chain of the audit stream goes on, and says what was blanked.
    desk.packd(&["audit", "verify"]).ok();
    let audit = desk.packd(&["history", "--audit", "--all", "--json"]).json();
    let forgot = &audit["operations"][0];
    assert!(forgot["summary"].as_str().unwrap().starts_with("Forgot values in"), "{forgot}");
    assert_eq!(desk.packd(&["forget", SECRET, "--yes"]).code, Some(1), "nothing is left to forget");
}

#[test]
fn a_blanked_audit_record_that_nobody_answers_for_breaks_the_chain() {
    let desk = with_secret();
    desk.packd(&["forget", SECRET, "--yes"]).ok();
    let file = desk.place.path().join("audit.jsonl");
    desk.packd(&["audit", "export", file.to_str().unwrap()]).ok();
    desk.packd(&["audit", "verify", file.to_str().unwrap()]).ok();
    // Without the record of the forgetting, a blanked one is simply a changed one.
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"forgotten\":true"), "{text}");
    let cut: Vec<&str> = text.lines().filter(|line| !line.contains("\"tool\":\"forget\"")).collect();
    std::fs::write(&file, format!("{}\n", cut.join("\n"))).unwrap();
    let broken = desk.packd(&["audit", "verify", file.to_str().unwrap()]).failed(1);
    assert!(broken.contains("blanked"), "{broken}");
}

#[test]
fn what_one_operation_did_is_dropped_and_that_it_happened_is_not() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "First title", "--name", "mine"]).ok();
    let id = desk.packd(&["history", "--json"]).json()["operations"][0]["operation_id"].clone();
    let id = id.as_str().unwrap();
    desk.screen("forget_operation", &["forget", "@", "--yes"]);
    let shown = desk.packd(&["show", id, "--json"]).json();
    assert_eq!(shown["operation_id"], json!(id));
    assert_eq!(shown["undoable"], json!(false));
    assert!(!shown.to_string().contains("First title"), "{shown}");
    assert!(desk.packd(&["pack", "list"]).ok().contains("First title"), "what is there now stays");
    assert!(desk.packd(&["revert", id, "--yes"]).failed(1).contains("forgotten"));
    desk.screen("forget_show", &["show"]);
}

#[test]
fn what_packd_needs_and_what_is_too_short_is_refused_with_nothing_changed() {
    let desk = with_secret();
    for (name, args) in [
        ("forget_short", &["forget", "abc"][..]),
        ("forget_regex", &["forget", "--regex", "(broken"]),
        ("forget_everywhere", &["forget", "--regex", "(x{5})?"]),
    ] {
        assert_eq!(desk.screen(name, args).code, Some(2), "{args:?}");
    }
    let project = desk.work().file_name().unwrap().to_string_lossy().into_owned();
    assert!(desk.packd(&["forget", &project, "--yes"]).failed(2).contains("name of a project"));
    assert!(desk.packd(&["forget", "draft", "--yes"]).failed(2).contains("packd itself"));
    desk.packd(&["pack", "show", "login"]).ok();
    assert_eq!(desk.packd(&["forget", "not in there", "--yes"]).code, Some(1));
}

#[test]
fn a_person_is_asked_twice() {
    if !available() {
        return;
    }
    let desk = with_secret();
    for (second, code) in [("no", Some(1)), ("forget", Some(0))] {
        let mut pty = Pty::spawn(&desk.command(&["forget", SECRET]));
        pty.until("Forget it? [y/N]");
        pty.types("y");
        pty.until("to go on:");
        pty.types(second);
        assert_eq!(pty.end().0, code);
    }
    desk.packd(&["stop"]).ok();
    assert_eq!(holding(&desk, SECRET), Vec::<String>::new());
}

/// What an interrupted rewriting leaves behind is no database and goes at the next start; the old one is whole.
#[test]
fn half_a_new_database_is_never_taken_for_one() {
    let desk = with_secret();
    desk.packd(&["stop"]).ok();
    let half = desk.place.home().dir().join(".packd-rewrite-Xy12");
    std::fs::write(&half, b"half of it").unwrap();
    assert!(desk.packd(&["task", "show", "TASK-001"]).ok().contains(SECRET));
    assert!(!half.exists());
    // A directory that cannot be written to: refused, and as it was.
    desk.packd(&["forget", "it was", "--yes"]).ok();
    assert!(desk.packd(&["task", "show", "TASK-001"]).ok().contains(SECRET));
}

fn at(desk: &Desk, dir: &Path, args: &[&str]) -> Ran {
    let mut command = desk.command(args);
    command.current_dir(dir);
    Ran::of(command)
}

#[test]
fn a_project_moves_with_everything_that_was_done_in_it() {
    let desk = Desk::new();
    let (old, new) = (desk.work(), desk.place.path().canonicalize().unwrap().join("elsewhere"));
    desk.packd(&["task", "add", "Ship it", "--step", "Wire it"]).ok();
    desk.packd(&["task", "start", "TASK-001"]).ok();
    desk.packd(&["pack", "new", "Login", "--name", "login"]).ok();
    desk.packd(&["pack", "add", "login", "src/login.rs:1-3"]).ok();
    desk.packd(&["pkg", "init", "--name", "mine"]).ok();
    let (from, to) = (old.to_str().unwrap(), new.to_str().unwrap());
    desk.screen("move_still_there", &["workspace", "move", from, to]);
    std::fs::rename(&old, &new).unwrap();
    std::fs::create_dir(desk.place.work()).unwrap();
    std::fs::remove_dir(desk.place.work()).unwrap();
    let gone = at(&desk, &new, &["doctor"]);
    assert!(gone.stdout.contains("gone: ~/work") && gone.stdout.contains("packd workspace move"), "{gone:?}");
    let seen = at(&desk, &new, &["workspace", "move", from, to]);
    crate::common::text_snapshot("move_preview", &desk.seen(&["workspace", "move", "OLD", "NEW"], &seen));
    let done = at(&desk, &new, &["workspace", "move", from, to, "--yes"]);
    crate::common::text_snapshot(
        "move_done",
        &desk.seen(&["workspace", "move", "OLD", "NEW", "--yes"], &done),
    );
    done.ok();

    assert!(at(&desk, &new, &["task", "show"]).ok().contains("Ship it"), "the focus came along");
    assert!(at(&desk, &new, &["pack", "show", "login"]).ok().contains("fn verify"));
    at(&desk, &new, &["pack", "check"]).ok();
    assert!(at(&desk, &new, &["workspace", "list"]).ok().contains("~/elsewhere"));
    assert!(!at(&desk, &new, &["doctor"]).stdout.contains("gone:"));
    // Numbers go on, and what was done before can be taken back: files in their new place, rows under their new name.
    assert!(at(&desk, &new, &["task", "add", "Next"]).ok().contains("TASK-002"));
    at(&desk, &new, &["undo", "--yes"]).ok();
    at(&desk, &new, &["undo", "--yes"]).ok();
    assert!(!new.join("aam.yaml").exists(), "the undo of `pkg init` took the file away where it is now");
    at(&desk, &new, &["redo", "--yes"]).ok();
    assert!(new.join("aam.yaml").exists());
    at(&desk, &new, &["audit", "verify"]).ok();

    // And back.
    std::fs::rename(&new, &old).unwrap();
    desk.packd(&["workspace", "move", to, from, "--yes"]).ok();
    assert!(desk.packd(&["task", "show", "TASK-001"]).ok().contains("Ship it"));
}

#[test]
fn two_projects_with_the_same_task_are_not_made_one() {
    let desk = Desk::new();
    let (old, new) = (desk.work(), desk.place.path().canonicalize().unwrap().join("elsewhere"));
    desk.packd(&["task", "add", "Here"]).ok();
    std::fs::rename(&old, &new).unwrap();
    at(&desk, &new, &["task", "add", "There"]).ok();
    let refused = at(&desk, &new, &["workspace", "move", old.to_str().unwrap(), ".", "--yes"]).failed(1);
    assert!(refused.contains("Both places have"), "{refused}");
    assert!(at(&desk, &new, &["task", "show", "TASK-001"]).ok().contains("There"));
    assert_eq!(at(&desk, &new, &["workspace", "move", "nosuch", "."]).code, Some(1));
}
