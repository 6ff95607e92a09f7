//! Every command of the grammar is run: it ends as documented, says nothing only a program can use, fits the screen it
//! is shown on, and answers in JSON where that is wanted. A command that nobody runs here fails the test.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rig::Desk;
use crate::common::real::{Process, Ran};

/// What is typed, and the exit code. In this order: later commands need what earlier ones made.
const TYPED: &[(&str, i32)] = &[
    ("status", 0),
    ("up", 0),
    ("restart", 0),
    ("tools", 0),
    ("call input {\"action\":\"list\"}", 0),
    ("help", 0),
    ("policy", 0),
    ("stats", 0),
    ("gc", 0),
    ("doctor", 0),
    ("mode", 0),
    ("confirm --list", 0),
    ("setup", 0),
    ("workspace list", 0),
    ("trash", 0),
    ("trash empty --yes", 0),
    ("audit verify", 0),
    ("audit export ../audit.jsonl --force", 0),
    ("backup ../backup.redb --force", 0),
    ("export ../out", 0),
    ("completions bash", 0),
    ("man ../man", 0),
    ("service status", 0),
    ("service logs", 0),
    ("service install --dry-run", 1),
    ("service uninstall", 1),
    ("repair", 0),
    ("pack new Login --name login", 0),
    ("pack add login src/login.rs:1-3", 0),
    ("pack edit login", 0),
    ("pack list", 0),
    ("pack show login", 0),
    ("pack check", 0),
    ("pack export login --to ../packs", 0),
    ("pack import ../packs/login.md", 1),
    ("task add Ship --step Wire --step Test", 0),
    ("task start TASK-001", 0),
    ("task step TASK-001 Document", 0),
    ("task ready", 0),
    ("task claim TASK-001", 0),
    ("task release TASK-001", 0),
    ("task focus", 0),
    ("task list", 0),
    ("task show", 0),
    ("find Ship", 0),
    ("task tree PLAN-001", 0),
    ("task radar", 0),
    ("task next", 0),
    ("task note TASK-001 s:0 begun", 0),
    ("task close TASK-001 s:0 --note done", 0),
    ("task done TASK-001 s:1 --force", 0),
    ("task edit TASK-001", 0),
    ("task export ../tasks", 0),
    ("task import ../tasks --dry-run", 0),
    ("task undo --yes", 0),
    ("history", 0),
    ("show", 0),
    ("at @", 0),
    ("log", 0),
    ("redo --yes", 0),
    ("undo --yes", 0),
    ("revert @- --yes", 1),
    ("forget nothing-has-this", 1),
    ("workspace move ../nosuch .", 1),
    ("deploy init", 0),
    ("deploy", 0),
    ("deploy --apply --yes", 0),
    ("deploy status", 0),
    ("deploy diff", 0),
    ("deploy doctor", 0),
    ("deploy snapshots", 0),
    ("deploy rollback 1", 1),
    ("deploy evolve propose", 0),
    ("deploy evolve restore", 0),
    ("pkg registry list", 0),
    ("pkg registry add spare ../registry", 0),
    ("pkg init --name mine", 0),
    ("pkg search greeter", 0),
    ("pkg install greeter", 0),
    ("pkg list", 0),
    ("pkg info greeter", 0),
    ("pkg validate", 0),
    ("pkg outdated", 0),
    ("pkg upgrade", 0),
    ("pkg verify", 0),
    ("pkg restore", 0),
    ("pkg config get", 0),
    ("pkg config set default_platform claude", 0),
    ("pkg doctor", 0),
    ("pkg create --name other", 1),
    ("pkg publish", 0),
    ("pkg uninstall greeter", 0),
    ("eco init second", 0),
    ("eco list", 0),
    ("eco validate demo", 0),
    ("eco describe demo", 0),
    ("eco install demo --yes", 0),
    ("eco status demo", 0),
    ("eco sync demo --yes", 0),
    ("eco ticket start ABC-1 demo --yes", 0),
    ("eco ticket list demo", 0),
    ("eco ticket switch main demo --yes", 0),
    ("eco ticket end ABC-1 demo --yes", 0),
    ("eco release status demo", 0),
    ("eco release validate demo", 0),
    ("eco release log demo", 0),
    ("eco release bump patch demo --yes", 0),
    ("eco release promote demo --yes", 1),
    ("eco deploy demo --yes", 0),
    ("run list", 0),
    ("run status", 0),
    ("run logs", 0),
    ("run cancel nosuch", 1),
    ("eco push demo --yes", 1),
    ("eco destroy demo --yes", 1),
    ("eco archive demo --yes", 1),
    ("eco discard demo --yes", 1),
    ("restore ../backup.redb --yes", 0),
    ("stop", 0),
];

/// Those that go on until somebody ends them, with what they say first.
const FOLLOWED: &[(&str, &str)] = &[("watch", "Watching"), ("daemon", "")];

fn leaves() -> BTreeSet<String> {
    let all = super::all();
    let is_leaf = |path: &str| !all.iter().any(|(other, _)| other.starts_with(&format!("{path} ")));
    let own = |path: &str| path.strip_prefix("packd ").unwrap_or_default().to_string();
    let mut out: BTreeSet<String> =
        all.iter().map(|(path, _)| path.as_str()).filter(|path| is_leaf(path)).map(own).collect();
    // These do something without a further word, too.
    out.extend(["deploy", "trash"].map(str::to_string));
    out.remove("");
    out
}

fn leaf_of(typed: &str, leaves: &BTreeSet<String>) -> Option<String> {
    let fits = leaves.iter().filter(|leaf| typed == *leaf || typed.starts_with(&format!("{leaf} ")));
    fits.max_by_key(|leaf| leaf.len()).cloned()
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ecosystem();
    desk.registry();
    desk
}

fn run(desk: &Desk, typed: &str, more: &[&str], columns: usize) -> Ran {
    let args: Vec<&str> = typed.split(' ').chain(more.iter().copied()).collect();
    let mut command = desk.command(&args);
    command.env("COLUMNS", columns.to_string()).env("EDITOR", "true");
    Ran::of(command)
}

#[test]
fn every_command_is_run_and_ends_as_documented() {
    let leaves = leaves();
    let run_here: BTreeSet<String> = TYPED
        .iter()
        .map(|(typed, _)| *typed)
        .chain(FOLLOWED.iter().map(|(typed, _)| *typed))
        .filter_map(|typed| leaf_of(typed, &leaves))
        .collect();
    let missed: Vec<&String> = leaves.difference(&run_here).filter(|leaf| !elsewhere(leaf)).collect();
    assert!(missed.is_empty(), "no test runs: {missed:?}");
    assert!(leaves.len() > 95, "{}", leaves.len());

    let desk = desk();
    // Only what the grammar of programs has and people never type; their own words may contain the shorter ones.
    let tools = packd::daemon::assemble::declared().unwrap();
    let names: Vec<String> =
        tools.into_iter().map(|t| t.name).filter(|n| n.matches('_').count() > 0).collect();
    let mut wrong = Vec::new();
    for (typed, code) in TYPED {
        let ran = run(&desk, typed, &[], 80);
        if ran.code != Some(*code) {
            wrong.push(format!(
                "packd {typed}: exit {:?}, not {code}\n{}{}",
                ran.code, ran.stdout, ran.stderr
            ));
        }
        let may_name =
            ["tools", "call", "policy", "stats", "show"].contains(&typed.split(' ').next().unwrap());
        let said = format!("{}{}", ran.stdout, ran.stderr);
        if let Some(name) = names.iter().find(|name| !may_name && said.contains(name.as_str())) {
            wrong.push(format!("packd {typed} names {name}:\n{said}"));
        }
        if said.contains("panicked") || said.contains("\x1b[") {
            wrong.push(format!("packd {typed}:\n{said}"));
        }
    }
    for (typed, first) in FOLLOWED {
        let mut command = desk.command(&[typed]);
        command.env("COLUMNS", "80");
        let mut process = Process::spawn(command);
        match *first {
            "" => crate::common::real::until("the daemon runs", || desk.place.daemon_pid().is_some()),
            first => assert!(process.line().contains(first), "{typed}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n--\n"));
}

/// Commands of others, which their own tests run.
fn elsewhere(leaf: &str) -> bool {
    ["ui", "hook", "snap", "why", "plugin", "now", "team", "sync", "agent", "skill"]
        .iter()
        .any(|theirs| leaf == *theirs || leaf.starts_with(&format!("{theirs} ")))
}

#[test]
fn what_is_looked_at_fits_every_width_and_is_json_on_request() {
    let desk = desk();
    for typed in [
        "task add Ship_the_new_login_with_all_of_its_pages --step Wire",
        "pack new How_the_login_flow_works_and_why_it_asks_twice --name login",
        "pack add login src/login.rs:1-3",
        "deploy init",
        "eco install demo --yes",
        "pkg install greeter",
    ] {
        run(&desk, &typed.replace('_', "\u{a0}"), &[], 80).ok();
    }
    let mut wrong = Vec::new();
    for typed in [
        "",
        "status",
        "history",
        "history --all",
        "show",
        "pack list",
        "pack show login",
        "task list",
        "task tree",
        "task radar",
        "task ready",
        "eco list",
        "eco status demo",
        "run list",
        "pkg list",
        "pkg info greeter",
        "deploy",
        "deploy status",
        "doctor",
        "stats",
        "setup",
        "mode",
        "policy",
        "help",
        "workspace list",
        "trash",
        "tools",
        "confirm --list",
        "pkg registry list",
        "pkg config get",
    ] {
        let words: Vec<&str> = typed.split(' ').filter(|word| !word.is_empty()).collect();
        for columns in [40, 60, 80, 120, 200] {
            let mut command = desk.command(&words);
            command.env("COLUMNS", columns.to_string());
            let ran = Ran::of(command);
            // What is one word cannot be broken, and code and diffs are shown as they are.
            let kept = |row: &str| {
                !row.trim().contains(' ')
                    || row.contains("packd call ")
                    || row.trim_start().starts_with(['+', '-'])
            };
            let wide = ran.stdout.lines().find(|row| row.chars().count() > columns && !kept(row));
            wrong.extend(wide.map(|row| format!("packd {typed} at {columns} columns: {row:?}")));
        }
        let ran = Ran::of(desk.command(&[words.as_slice(), &["--json"]].concat()));
        let json: Result<Value, _> = serde_json::from_str(&ran.stdout);
        if !json.is_ok_and(|v| v.is_object() || v.is_array()) {
            wrong.push(format!("packd {typed} --json: {}", ran.stdout));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bad input on every command: one sentence, the command to type next, exit code 2, and nothing is done.
#[test]
fn what_is_mistyped_is_answered_in_one_sentence_with_the_command_to_type() {
    let desk = Desk::new();
    // A hook answers nothing it does not know: it must never stand in a host's way.
    for leaf in leaves().into_iter().filter(|leaf| leaf != "hook") {
        let words: Vec<&str> = leaf.split(' ').chain(["--no-such-flag"]).collect();
        let said = desk.packd(&words).failed(2);
        let next = format!("`packd {leaf} --help`");
        assert!(
            said.starts_with("packd: ") && said.replace("\n       ", " ").contains(&next),
            "{leaf}: {said}"
        );
        assert!(said.lines().count() <= 4, "{leaf}: {said}");
    }
    assert!(!desk.place.home().database().exists(), "nothing was done");
    desk.screen("wrong_command", &["histroy"]);
    desk.screen("wrong_flag", &["history", "--famly", "packs"]);
    desk.screen("wrong_missing", &["task", "add"]);
    let told = desk.packd(&["mode", "fast", "--json"]);
    assert_eq!((told.code, told.json()["error"].clone()), (Some(2), serde_json::json!(true)));
}
