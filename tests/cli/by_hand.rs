//! Everything a person makes by hand works, is one operation, and says what it took for granted.

use serde_json::json;

use super::rig::Desk;
use crate::common::real::Ran;

/// An editor that does one thing with the file it is given.
fn with_editor(desk: &Desk, args: &[&str], script: &str) -> Ran {
    let mut command = desk.command(args);
    command.env("EDITOR", script);
    Ran::of(command)
}

#[test]
fn a_task_is_edited_in_the_persons_editor() {
    let desk = Desk::new();
    desk.packd(&["task", "add", "Ship it"]).ok();
    let same = with_editor(&desk, &["task", "edit", "TASK-001"], "true").ok();
    assert!(same.contains("Nothing was changed."), "{same}");
    let script = "sh -c 'sed -i \"s/^description:$/description:\\nWhat it is for/\" \"$0\"'";
    let done = with_editor(&desk, &["task", "edit", "TASK-001"], script).ok();
    assert!(done.contains("changed  TASK-001: description"), "{done}");
    assert!(desk.packd(&["task", "show", "TASK-001"]).ok().contains("What it is for"));
    let broken = with_editor(&desk, &["task", "edit", "TASK-001"], "false").failed(1);
    assert!(broken.contains("nothing was changed"), "{broken}");
}

#[test]
fn a_pack_is_edited_as_markdown() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Old title", "--name", "mine"]).ok();
    let done = with_editor(&desk, &["pack", "edit", "mine"], "sed -i s/Old/New/").ok();
    assert!(done.contains("New title"), "{done}");
    let list = desk.packd(&["pack", "list"]).ok();
    assert!(list.contains("New title") && list.lines().count() == 2, "one pack, not two: {list}");
}

#[test]
fn several_places_are_one_operation() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Login", "--name", "login"]).ok();
    desk.packd(&["pack", "add", "login", "src/login.rs:1-3", "src/login.rs:5", "--section", "entry"]).ok();
    let shown = desk.packd(&["pack", "show", "login"]).ok();
    assert!(
        shown.contains("Entry [entry]") && shown.contains("lines: 1-3") && shown.contains("lines: 5-5"),
        "{shown}"
    );
    desk.packd(&["undo", "--yes"]).ok();
    assert!(!desk.packd(&["pack", "show", "login"]).ok().contains("lines:"));
    // Named from a directory below, it is the same file.
    let mut command = desk.command(&["pack", "add", "login", "login.rs:1-2"]);
    command.current_dir(desk.work().join("src"));
    Ran::of(command).ok();
    assert!(desk.packd(&["pack", "show", "login"]).ok().contains("path: src/login.rs"));
}

#[test]
fn what_init_writes_works_and_nothing_is_overwritten() {
    let desk = Desk::new();
    desk.packd(&["deploy", "init"]).ok();
    let plan = desk.packd(&["deploy"]).ok();
    assert!(plan.contains("create  AGENTS.md") && plan.contains("review.md"), "{plan}");
    let again = desk.packd(&["deploy", "init"]).failed(1);
    assert!(again.contains("exists already"), "{again}");
    desk.packd(&["eco", "init", "demo"]).ok();
    assert!(desk.packd(&["eco", "validate", "demo"]).ok().contains("is in order"));
    desk.packd(&["pkg", "init", "--name", "mine"]).ok();
    assert!(desk.packd(&["pkg", "validate"]).ok().contains("mine 0.1.0 is in order"));
    let platform = desk.packd(&["pkg", "config", "get", "default_platform", "--json"]).json();
    assert_eq!(platform["value"], json!("claude"), "not Cursor, which nobody here uses");
}

#[test]
fn the_platform_is_the_one_the_project_uses() {
    let desk = Desk::new();
    std::fs::create_dir(desk.work().join(".cursor")).unwrap();
    desk.packd(&["pkg", "init", "--name", "mine"]).ok();
    assert_eq!(
        desk.packd(&["pkg", "config", "get", "default_platform", "--json"]).json()["value"],
        json!("cursor")
    );
}

#[test]
fn numbers_are_numbers_and_times_are_of_this_place() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Clock"]).ok();
    let status = desk.packd(&["status", "--json"]).json();
    for field in ["calls", "operations", "store_bytes", "pid", "uptime_seconds", "sessions"] {
        assert!(status[field].is_u64(), "{field}: {status}");
    }
    let at = |zone: &str, flag: &str| {
        let mut command = desk.command(&[flag, "history"]);
        command.env("TZ", zone);
        Ran::of(command).ok()[..19].to_string()
    };
    assert_ne!(at("<+05>-5", "--absolute"), at("UTC0", "--absolute"));
    assert_eq!(at("<+05>-5", "--utc"), at("UTC0", "--utc"));
    assert!(desk.packd(&["--utc", "history"]).ok().contains(" UTC  "));
}

#[test]
fn tables_fit_every_width() {
    let desk = Desk::new();
    desk.packd(&[
        "pack",
        "new",
        "How the whole login flow works from the first page to the last",
        "--name",
        "login-flow",
    ])
    .ok();
    desk.packd(&["task", "add", "Write everything down that somebody new has to know about it"]).ok();
    for width in [40, 50, 72, 120, 200] {
        for args in [&["pack", "list"][..], &["history"], &["task", "list"], &[], &["doctor"], &["help"]] {
            let mut command = desk.command(args);
            command.env("COLUMNS", width.to_string());
            let text = Ran::of(command).stdout;
            let wide = text.lines().find(|line| line.chars().count() > width && line.contains(' '));
            assert_eq!(wide, None, "{args:?} at {width}:\n{text}");
        }
    }
}

#[test]
fn colour_comes_when_it_is_asked_for() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Red"]).ok();
    assert!(desk.packd(&["--color", "always", "pack", "list"]).ok().contains("\x1b["));
    assert!(!desk.packd(&["--color", "never", "pack", "list"]).ok().contains('\x1b'));
    assert!(!desk.packd(&["pack", "list"]).ok().contains('\x1b'));
}

#[test]
fn a_long_answer_goes_to_the_pager_on_a_terminal_only() {
    use crate::common::pty::{self, Pty};
    if !pty::available() {
        return;
    }
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Long"]).ok();
    let paged = |args: &[&str]| {
        let mut command = desk.command(args);
        command.env("TERM", "xterm").env("PAGER", "sed s/^/PAGED:/");
        Pty::spawn(&command).end().1
    };
    // A screen of no known height never pages; help is longer than any that has one.
    let text = paged(&["help"]);
    assert!(text.contains("Everyday"), "{text}");
    assert!(!paged(&["--no-pager", "help"]).contains("PAGED:"));
    assert!(!desk.packd(&["help"]).ok().contains("PAGED:"));
}
