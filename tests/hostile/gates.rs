//! The human gate with the real programs: what runs without a person at a controlling terminal does nothing, and a
//! person at one decides, with the passphrase where there is one.
//!
//! Before, `confirm = "human"` governed ecosystems alone, and `packd confirm` took any pipe for a person.

use std::process::Command;

use serde_json::{Value, json};

use crate::common::pty::{self, Pty};
use crate::common::real::{PACKD, Place, Process, Ran};
use crate::families::deploy::rig::write;

const YAML: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
";

const PASSPHRASE: &str = "correct horse battery";

fn place(config: &str) -> Place {
    let place = Place::with_config(config);
    let repo = place.path().join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), YAML);
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
    place
}

fn human() -> Place {
    place("confirm = \"human\"\n")
}

fn packd(place: &Place, args: &[&str]) -> Command {
    let mut command = place.command(PACKD);
    command.args(args);
    command
}

/// A person at a terminal.
fn person(place: &Place, args: &[&str]) -> Pty {
    Pty::spawn(&packd(place, args))
}

fn call(agent: &mut Process, id: u64, tool: &str, args: Value) -> Value {
    let reply = agent.ask(json!(id), "tools/call", json!({"name": tool, "arguments": args}));
    reply["result"].clone()
}

/// An agent that asked for a deploy: the agent, and the id of what a person has to decide.
fn asking(place: &Place) -> (Process, String) {
    let mut agent = place.shim();
    agent.initialize();
    let plan = call(&mut agent, 1, "deploy", json!({}));
    let token = plan["structuredContent"]["data"]["confirm_token"].clone();
    assert!(token.is_string(), "the contract's token is still there: {plan}");
    let told = call(&mut agent, 2, "deploy_apply", json!({"yes": true, "confirm_token": token}));
    let error = &told["structuredContent"]["errors"][0];
    assert_eq!((&told["isError"], &error["code"]), (&json!(true), &json!("E_NEEDS_HUMAN")), "{told}");
    assert!(!deployed(place));
    let id = error["details"]["confirmation"]["id"].as_str().unwrap().to_string();
    (agent, id)
}

fn deployed(place: &Place) -> bool {
    place.work().join("AGENTS.md").exists()
}

#[test]
fn without_a_controlling_terminal_nothing_is_done() {
    let place = human();
    let (_agent, id) = asking(&place);
    for args in [
        vec!["confirm"],
        vec!["confirm", &id],
        vec!["confirm", "--set-passphrase"],
        vec!["call", "amof_confirm", &format!("{{\"token\":\"{id}\"}}")],
        vec!["deploy", "--apply", "--yes"],
        vec!["pkg", "registry", "add", "main", "."],
        vec!["pkg", "config", "set", "default_platform", "claude"],
        vec!["setup", "claude"],
    ] {
        let told = Ran::of(packd(&place, &args)).failed(1);
        assert!(told.contains("terminal") || told.contains("packd confirm"), "{args:?}: {told}");
    }
    assert!(!deployed(&place) && !place.path().join(".aam").exists());
    assert!(!place.path().join(".claude.json").exists() && !place.home().dir().join("passphrase").exists());
    // Nor with a terminal that is somebody else's.
    let (_master, slave) = pty::pair();
    let mut command = pty::attached(packd(&place, &["confirm", &id]), slave);
    assert_eq!(command.status().unwrap().code(), Some(1));
    assert!(!deployed(&place));
}

#[test]
fn a_person_at_the_terminal_decides_and_the_agent_learns_it() {
    if !pty::available() {
        return;
    }
    let place = human();
    let (mut agent, id) = asking(&place);
    let mut terminal = person(&place, &["confirm"]);
    let shown = terminal.until("Proceed? [y/N] ");
    assert!(
        shown.contains("test asks, in ") && shown.contains("create ") && shown.contains("AGENTS.md"),
        "{shown}"
    );
    assert!(!shown.contains("amof_") && !shown.contains("deploy_apply"), "words of people: {shown}");
    terminal.types("n");
    let (code, told) = terminal.end();
    assert_eq!((code, deployed(&place)), (Some(0), false), "{told}");
    let decided = call(&mut agent, 3, "amof_list_pending", json!({"id": id}));
    assert_eq!(decided["structuredContent"]["decided"][0]["status"], "declined", "{decided}");
    drop(agent);
    let (mut agent, id) = asking(&place);
    let mut terminal = person(&place, &["confirm", &id]);
    terminal.until("Proceed? [y/N] ");
    terminal.types("y");
    assert_eq!(terminal.end().0, Some(0));
    assert!(deployed(&place));
    let decided = call(&mut agent, 3, "amof_list_pending", json!({"id": id, "wait_seconds": 5}));
    assert_eq!(decided["structuredContent"]["decided"][0]["status"], "done", "{decided}");
    // The same command that a script may not give is the person's own word at a terminal.
    Ran::of(packd(&place, &["undo", "--yes"])).failed(1);
    assert!(deployed(&place));
    assert_eq!(person(&place, &["undo", "--yes"]).end().0, Some(0));
    assert!(!deployed(&place));
    assert_eq!(person(&place, &["deploy", "--apply", "--yes"]).end().0, Some(0));
    assert!(deployed(&place));
}

#[test]
fn undo_of_rows_needs_no_person() {
    let place = human();
    place.packd(&["call", "input", r#"{"action":"create","title":"Notes","ttl_minutes":60}"#]).ok();
    place.packd(&["undo", "--yes"]).ok();
}

#[test]
fn a_passphrase_is_asked_for_three_times_and_no_more() {
    if !pty::available() {
        return;
    }
    let place = human();
    let set = |old: Option<&str>, new: &str| {
        let mut terminal = person(&place, &["confirm", "--set-passphrase"]);
        if let Some(old) = old {
            terminal.until("Passphrase: ");
            terminal.types(old);
        }
        terminal.until("New passphrase: ");
        terminal.types(new);
        terminal.until("The same again: ");
        terminal.types(new);
        let (code, told) = terminal.end();
        assert!(!told.contains(new), "what is typed is not shown: {told}");
        code
    };
    assert_eq!(set(None, "short"), Some(1));
    assert_eq!(set(None, PASSPHRASE), Some(0));
    let file = place.home().dir().join("passphrase");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.starts_with("$argon2id$") && !kept.contains("horse"), "{kept}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let (_agent, id) = asking(&place);
    // What is said right before the end can be lost with the terminal; what is said between the tries cannot.
    let wrong = |terminal: &mut Pty| {
        let mut told = String::new();
        for _ in 0..3 {
            told += &terminal.until("Passphrase: ");
            terminal.types("guess");
        }
        told
    };
    let mut terminal = person(&place, &["confirm", &id]);
    terminal.until("Proceed? [y/N] ");
    terminal.types("y");
    let told = wrong(&mut terminal);
    let (code, last) = terminal.end();
    assert_eq!(told.matches("wrong").count(), 2, "{told}");
    assert!(code == Some(1) && !(told + &last).contains("guess"), "{code:?} {last}");
    let mut terminal = person(&place, &["confirm", "--set-passphrase"]);
    wrong(&mut terminal);
    assert_eq!(terminal.end().0, Some(1), "changing asks for the old one");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    assert!(!deployed(&place));
    let mut terminal = person(&place, &["confirm", &id]);
    terminal.until("Proceed? [y/N] ");
    terminal.types("y");
    terminal.until("Passphrase: ");
    terminal.types(PASSPHRASE);
    assert_eq!(terminal.end().0, Some(0));
    assert!(deployed(&place));
    let mut terminal = person(&place, &["undo", "--yes"]);
    terminal.until("Passphrase: ");
    terminal.types(PASSPHRASE);
    assert_eq!(terminal.end().0, Some(0));
    assert!(!deployed(&place));
    let audit = place.packd(&["--json", "history", "--audit", "--all", "--limit", "200"]).ok();
    assert_eq!(audit.matches("the passphrase was wrong").count(), 6, "{audit}");
    for secret in ["guess", "horse"] {
        assert!(!audit.contains(secret) && !place.log().contains(secret), "{audit}");
    }
    assert_eq!(set(Some(PASSPHRASE), "another one, longer"), Some(0));
    assert_ne!(std::fs::read_to_string(&file).unwrap(), kept);
}

#[test]
fn laxer_gates_at_a_start_are_told() {
    let place = place("confirm = \"human\"\nmax_mode = \"plan\"\n");
    place.packd(&["stats"]).ok();
    assert!(!place.packd(&["status"]).ok().contains("laxer"));
    place.packd(&["stop"]).ok();
    std::fs::write(place.home().config(), "confirm = \"agent\"\n").unwrap();
    place.packd(&["stats"]).ok();
    let status = place.packd(&["status"]).ok();
    assert!(status.contains("laxer since") && status.contains("max_mode was plan"), "{status}");
    let audit = place.packd(&["history", "--audit", "--all"]).ok();
    assert!(audit.contains("laxer gates"), "{audit}");
}
