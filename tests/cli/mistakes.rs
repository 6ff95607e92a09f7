//! What goes wrong, for a person: the right exit code, a sentence, and a command that can be typed.
//!
//! Found by trying every command with values that cannot be meant: tools' arguments were named ("Pass parent=…", "Send 500
//! or less"), wrong values ended with 1, packages that could not be installed with 0, and files that are not there were
//! taken into packs.

use clap::Parser;
use clap::error::ErrorKind;
use packd::cli::Cli;
use serde_json::json;

use super::rig::Desk;
use super::words;
use crate::common::pty::Pty;
use crate::common::real::Ran;

/// What is typed in a project with one task, one pack, one ecosystem that is not installed and one registry.
const MISTAKES: &[(&str, i32)] = &[
    // Values that cannot be meant.
    ("task add ''", 2),
    ("task add Ship --step ''", 2),
    ("task step TASK-001 ''", 2),
    ("task close TASK-001 zz", 2),
    ("task done TASK-001 q", 2),
    ("task note TASK-001 s:0 ''", 2),
    ("task claim", 2),
    ("task claim TASK-001 --minutes 0", 2),
    ("task list --status FOO", 2),
    ("task list --limit 0", 2),
    ("pack new ''", 2),
    ("pack list --limit 0", 2),
    ("pack list --status nope", 2),
    ("pack add login src/login.rs:9-3", 2),
    ("pack add login src/login.rs", 2),
    ("pack import", 2),
    ("history --family nope", 2),
    ("history --tool nope", 2),
    ("history --by nope", 2),
    ("history --since yesterday", 2),
    ("history --target nope", 2),
    ("history --limit 0", 2),
    ("history --color sometimes", 2),
    ("undo --family nope", 2),
    ("undo --target nope", 2),
    ("redo --target nope", 2),
    ("undo --since 1h", 2),
    ("undo --by you --since soon", 2),
    ("at @ nope", 2),
    ("show zz", 2),
    ("call nope", 2),
    ("call input {", 2),
    ("call input []", 2),
    ("tools nope", 2),
    ("help nope", 2),
    ("mode fast", 2),
    ("find login --kind foo", 2),
    ("forget ab", 2),
    ("forget --regex (", 2),
    ("snap diff foo", 2),
    ("snap restore foo", 2),
    ("run list --limit 0", 2),
    ("run logs --tail 0", 2),
    ("deploy --target nope", 2),
    ("deploy status --only nope", 2),
    ("deploy --yes", 2),
    ("eco init ../x", 2),
    ("eco release bump big demo", 2),
    ("eco release bump patch demo --pre-release zzz", 2),
    ("eco release promote demo --stage zzz", 2),
    ("pkg search a --limit 0", 2),
    ("pkg install greeter --platform zzz", 2),
    ("pkg init --name 'Bad Name'", 2),
    ("setup nope", 2),
    ("setup cursor --toolsets nope", 2),
    ("completions nope", 2),
    // What is not there, or refused.
    ("task add Ship --plan PLAN-999", 1),
    ("task add Ship --plan TASK-001", 1),
    ("task start TASK-999", 1),
    ("task close TASK-001 s:9", 1),
    ("task close TASK-001", 1),
    ("task done TASK-001 s:0", 1),
    ("task claim TASK-999", 1),
    ("task release", 1),
    ("task ready PLAN-999", 1),
    ("task edit TASK-999", 1),
    ("task tree nope", 1),
    ("task import /nonexistent", 1),
    ("pack new Again --name login", 1),
    ("pack add login nosuch.rs:1-3", 1),
    ("pack add login src/login.rs:1-300", 1),
    ("pack add login src/login.rs --symbol nope", 1),
    ("pack show nope", 1),
    ("pack import src/login.rs", 1),
    ("history --session zzzz", 1),
    ("undo --session zzzz", 1),
    ("undo --expect @-", 1),
    ("show zzzzz", 1),
    ("at zzzz", 1),
    ("redo", 1),
    ("mode plan", 1),
    ("why nosuch.rs:1", 1),
    ("why src/login.rs:999", 1),
    ("snap diff sn-9", 1),
    ("workspace move /nope /alsonope", 1),
    ("restore /nonexistent", 1),
    ("restore src/login.rs", 1),
    ("run status", 1),
    ("run logs nope", 1),
    ("deploy", 1),
    ("deploy rollback 123", 1),
    ("eco status", 1),
    ("eco status nope", 1),
    ("eco init demo", 1),
    ("eco sync demo", 1),
    ("eco push demo", 1),
    ("eco archive demo", 1),
    ("eco discard demo", 1),
    ("eco ticket start ABC demo", 1),
    ("eco ticket switch nope demo", 1),
    ("eco install demo", 1),
    ("pkg info nope", 1),
    ("pkg install nope", 1),
    ("pkg install nope@^9 greeter@^7", 1),
    ("pkg upgrade nope", 1),
    ("pkg uninstall nope", 1),
    ("pkg publish --registry nope", 1),
    ("pkg verify nope", 1),
    ("pkg registry add x /nonexistent", 1),
    ("pkg config get nope", 1),
    ("pkg config set nope 1", 1),
];

/// What only somebody who calls tools could make sense of.
const FOR_PROGRAMS: [&str; 9] =
    ["=true", "=\"", "packd://", "typed_value", "call again", "this call", "Pass ", "Send ", "ops["];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.registry();
    desk.ecosystem();
    desk.packd(&["task", "add", "Ship", "--step", "Wire", "--test", "true"]).ok();
    desk.packd(&["pack", "new", "Login", "--name", "login"]).ok();
    desk
}

/// The commands between backticks, as they can be typed. Words in capitals are the reader's own.
fn commands(said: &str) -> Vec<String> {
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    flat.split('`').skip(1).step_by(2).filter(|c| c.starts_with("packd")).map(str::to_string).collect()
}

#[test]
fn every_mistake_is_told_with_a_command_that_can_be_typed() {
    let desk = desk();
    let tools = packd::daemon::assemble::declared().unwrap();
    let tools: Vec<String> = tools.into_iter().map(|t| t.name).filter(|name| name.contains('_')).collect();
    let home = desk.place.path().canonicalize().unwrap();
    let mut wrong = Vec::new();
    for (typed, code) in MISTAKES {
        let args = words(typed);
        let ran = desk.packd(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let mut not = |why: String| wrong.push(format!("packd {typed}: {why}\n{said}"));
        if ran.code != Some(*code) {
            not(format!("exit {:?}, not {code}", ran.code));
        }
        if !ran.stderr.starts_with("packd: ") {
            not("says nothing".into());
        }
        let calls = typed.starts_with("call ") || typed.starts_with("tools ");
        if let Some(name) = tools.iter().find(|name| !calls && said.contains(name.as_str())) {
            not(format!("names {name}"));
        }
        if let Some(words) = FOR_PROGRAMS.iter().find(|words| !calls && said.contains(**words)) {
            not(format!("says {words:?}"));
        }
        if said.contains(home.to_str().unwrap()) {
            not("shows a path that could be shorter".into());
        }
        for command in commands(&ran.stderr) {
            match Cli::try_parse_from(words(&command)) {
                Err(e) if e.kind() != ErrorKind::DisplayHelp => {
                    not(format!("`{command}` cannot be typed: {e}"));
                }
                _ => {}
            }
        }
        let told = Ran::of({
            let mut command = desk.command(&args.iter().map(String::as_str).collect::<Vec<_>>());
            command.arg("--json");
            command
        });
        if !calls
            && (told.code != Some(*code) || serde_json::from_str::<serde_json::Value>(&told.stdout).is_err())
        {
            not(format!("--json: exit {:?}: {}", told.code, told.stdout));
        }
    }
    assert!(wrong.is_empty(), "{} mistakes:\n{}", wrong.len(), wrong.join("\n--\n"));
}

/// `history` refused more than 500 in the words of the tool, although its help allows 100,000.
#[test]
fn as_many_operations_are_listed_as_were_asked_for() {
    let desk = Desk::new();
    for title in ["One", "Two", "Three"] {
        desk.packd(&["pack", "new", title]).ok();
    }
    assert_eq!(desk.packd(&["history", "--limit", "1000"]).ok().lines().count(), 3);
    let page = desk.packd(&["history", "--since", "1h", "--limit", "2", "--json"]).json();
    assert_eq!((page["operations"].as_array().unwrap().len(), &page["has_more"]), (2, &json!(true)));
    let next = page["next_before"].as_str().unwrap();
    let rest = desk.packd(&["history", "--since", "1h", "--before", next, "--json"]).json();
    assert_eq!((rest["operations"].as_array().unwrap().len(), &rest["has_more"]), (1, &json!(false)));
}

/// At a terminal the question was the tool's: cut in the middle of words, with tools instead of commands, and what was
/// answered with no went on waiting.
#[test]
fn a_question_at_a_terminal_is_for_a_person_and_no_is_an_answer() {
    let desk = Desk::new();
    desk.ecosystem();
    desk.packd(&["eco", "install", "demo", "--yes"]).ok();
    let mut asked = Pty::spawn(&desk.command(&["eco", "discard", "demo"]));
    let said = asked.until("Name (nothing = no): ");
    asked.types("nonsense");
    asked.until("That is not the name.");
    asked.until("Name (nothing = no): ");
    asked.types("");
    assert_eq!(asked.end().0, Some(1));
    assert!(said.contains("You ask, in ~/work:") && said.contains("`packd undo`"), "{said}");
    assert!(said.contains("`packd eco archive`"), "{said}");
    assert!(!said.contains("amof_") && !said.contains("history_undo"), "{said}");
    assert!(said.lines().all(|line| line.trim_end().chars().count() <= 80), "{said}");
    assert!(desk.packd(&["confirm", "--list"]).ok().contains("Nothing waits"));

    // Nobody is there to ask: it waits for somebody who is, and says so.
    let alone = desk.packd(&["eco", "discard", "demo"]).failed(1);
    assert!(alone.contains("`packd confirm`"), "{alone}");
    assert!(!desk.packd(&["confirm", "--list"]).ok().contains("Nothing waits"));
}

/// A backup in a pipe replaced everything without a word.
#[test]
fn restoring_in_a_pipe_needs_yes() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Kept", "--name", "kept"]).ok();
    desk.packd(&["backup", "b.redb"]).ok();
    desk.packd(&["pack", "new", "Later", "--name", "later"]).ok();
    let said = desk.packd(&["restore", "b.redb"]).ok();
    assert!(said.contains("1 operation") && said.contains("Run it again with --yes"), "{said}");
    assert_eq!(desk.packd(&["restore", "b.redb", "--json"]).json()["preview"], json!(true));
    assert!(desk.packd(&["pack", "list"]).ok().contains("later"));
    desk.packd(&["restore", "b.redb", "--yes"]).ok();
    assert!(!desk.packd(&["pack", "list"]).ok().contains("later"));
}

/// What one agent did is taken back whole or not at all, and who is in the way is named.
#[test]
fn what_others_changed_since_stops_all_of_it() {
    let desk = Desk::new();
    desk.packd(&["task", "add", "Ship", "--step", "Wire"]).ok();
    let mut agent = desk.place.shim();
    agent.initialize();
    let mut call = |id: &str, tool: &str, args: serde_json::Value| {
        let made = agent.ask(json!(id), "tools/call", json!({"name": tool, "arguments": args}));
        assert!(!made["result"]["isError"].as_bool().unwrap_or(false), "{made}");
    };
    call("a", "tasks_edit", json!({"task": "TASK-001", "priority": "LOW"}));
    call("b", "tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "seen"}));
    desk.packd(&["call", "tasks_edit", r#"{"task":"TASK-001","priority":"HIGH"}"#]).ok();
    let newest = desk.packd(&["history", "--json"]).json();
    let id = newest["operations"][0]["operation_id"].as_str().unwrap();
    for args in [&["undo", "--by", "test"][..], &["undo", "--by", "test", "--yes"]] {
        let said = desk.packd(args).failed(1);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&id[id.len() - 8..]), "{said}");
        assert!(said.contains("was done by you."), "{said}");
    }
    let after = desk.packd(&["history", "--json"]).json();
    assert_eq!(after["operations"][0]["operation_id"], json!(id), "nothing was done");
}
