//! Everything a person makes by hand works, is one operation, and says what it took for granted.

use serde_json::json;

use super::rig::Desk;
use crate::common::pty::{Pty, available};
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
        shown.contains("Entry\n")
            && shown.contains("src/login.rs:1-3\n")
            && shown.contains("src/login.rs:5-5\n")
            && shown.contains("!token.is_empty()"),
        "{shown}"
    );
    desk.packd(&["undo", "--yes"]).ok();
    assert!(!desk.packd(&["pack", "show", "login"]).ok().contains("login.rs"));
    // Named from a directory below, it is the same file.
    let mut command = desk.command(&["pack", "add", "login", "login.rs:1-2"]);
    command.current_dir(desk.work().join("src"));
    Ran::of(command).ok();
    assert!(desk.packd(&["pack", "show", "login"]).ok().contains("src/login.rs:1-2"));
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
    let again = desk.packd(&["pkg", "init"]).failed(1);
    assert!(
        again.contains("nothing to write") && !again.contains("Next:") && !again.contains("aam_"),
        "{again}"
    );
    let missing = desk.packd(&["pkg", "registry", "add", "own", "own-registry"]).failed(1);
    assert!(missing.contains("--create") && !missing.contains("Next:"), "{missing}");
    desk.packd(&["pkg", "registry", "add", "own", "own-registry", "--create"]).ok();
    assert!(desk.packd(&["pkg", "publish", "--registry", "own"]).ok().contains("mine 0.1.0 to own"));
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
    if !available() {
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

#[test]
fn a_task_is_taken_and_given_back() {
    let desk = Desk::new();
    desk.packd(&["task", "add", "Ship OAuth", "--step", "Wire it"]).ok();
    desk.screen("task_ready", &["task", "ready"]);
    desk.screen("task_claim", &["task", "claim", "--next"]);
    desk.screen("task_claim_again", &["task", "claim", "TASK-001", "--minutes", "120"]);
    desk.screen("dashboard_claimed", &[]);
    // Nobody else gets it meanwhile.
    let mut shim = desk.place.shim();
    shim.initialize();
    let taken =
        shim.ask(json!(2), "tools/call", json!({"name": "tasks_claim", "arguments": {"task": "TASK-001"}}));
    assert_eq!(taken["result"]["isError"], json!(true), "{taken}");
    desk.screen("task_ready_claimed", &["task", "ready"]);
    desk.screen("task_release", &["task", "release"]);
    desk.screen("task_release_again", &["task", "release", "TASK-001"]);
    assert_eq!(desk.screen("task_claim_nothing", &["task", "claim"]).code, Some(2));
    let taken =
        shim.ask(json!(3), "tools/call", json!({"name": "tasks_claim", "arguments": {"task": "TASK-001"}}));
    assert_eq!(taken["result"]["isError"], json!(false), "{taken}");
    assert_eq!(desk.screen("task_claim_held", &["task", "claim", "TASK-001"]).code, Some(1));
    let listed = desk.screen("task_list_held", &["task", "list"]).ok();
    assert!(listed.contains("Ship OAuth  ("), "{listed}");
    assert_eq!(desk.screen("task_claim_none", &["task", "claim", "--next"]).code, Some(1));
}

#[test]
fn who_installs_is_asked_once_for_which_platforms() {
    if !available() {
        return;
    }
    let desk = Desk::new();
    desk.registry();
    let mut pty = Pty::spawn(&desk.command(&["pkg", "install", "greeter"]));
    pty.until("[claude] ");
    pty.types("emacs");
    pty.until("'emacs' is none of");
    pty.types("codex, claude");
    let (code, screen) = pty.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(desk.work().join(".claude/skills/hello/SKILL.md").is_file(), "{screen}");
    assert!(!desk.work().join(".cursor").exists(), "never for Cursor without a sign of it");
    let settings = std::fs::read_to_string(desk.work().join(".aam/config.yaml")).unwrap();
    assert!(settings.contains("active_platforms: [codex, claude]"), "{settings}");
    desk.packd(&["pkg", "uninstall", "greeter"]).ok();
    // It is known now; and where nobody can be asked, what the project shows is taken.
    let pty = Pty::spawn(&desk.command(&["pkg", "install", "greeter"]));
    assert_eq!(pty.end().0, Some(0));
}
