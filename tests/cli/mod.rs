//! The command line as one: every command explains itself, fits a terminal, and ends as documented.

pub mod by_hand;
pub mod complete;
pub mod deploy;
pub mod every;
pub mod follow;
pub mod forget;
mod mistakes;
pub mod people;
pub mod rig;
pub mod screens;
mod setup;
pub mod short_ids;
mod snap;

use clap::{Command, CommandFactory, Parser};
use packd::cli::Cli;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Process, Ran};

/// Every command with its path, the root first.
fn all() -> Vec<(String, Command)> {
    fn walk(path: &str, command: &Command, out: &mut Vec<(String, Command)>) {
        out.push((path.to_string(), command.clone()));
        for sub in command.get_subcommands().filter(|s| s.get_name() != "help") {
            walk(&format!("{path} {}", sub.get_name()), sub, out);
        }
    }
    let mut root = Cli::command();
    root.build();
    let mut out = Vec::new();
    walk("packd", &root, &mut out);
    out
}

/// Words as a shell would make them of an example; what is redirected or explained behind it is left out.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" > ").next().unwrap_or_default();
    let line = line.split("   ").next().unwrap_or_default();
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn every_command_says_what_it_does_and_shows_an_example_that_works() {
    for (path, command) in all() {
        assert!(command.get_about().is_some(), "{path} does not say what it does");
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(after.contains("Example"), "{path} has no example");
        let examples: Vec<_> = after.lines().filter(|l| l.starts_with("  packd")).collect();
        assert!(!examples.is_empty(), "{path}: the example is not a command");
        for example in examples {
            if let Err(e) = Cli::try_parse_from(words(example.trim())) {
                panic!("{path}: the example {example:?} is refused:\n{e}");
            }
        }
    }
}

#[test]
fn help_fits_eighty_columns() {
    for (path, mut command) in all() {
        for line in command.render_long_help().to_string().lines() {
            assert!(line.chars().count() <= 80, "{path}: {line:?} is {} wide", line.chars().count());
        }
    }
}

#[test]
fn a_misspelt_command_is_answered_with_the_right_one() {
    let place = Place::new();
    assert!(place.packd(&["histroy"]).failed(2).contains("history"));
    assert!(place.packd(&["setup", "curser"]).failed(2).contains("cursor"));
}

#[test]
fn exit_codes_and_json_are_as_documented() {
    let place = Place::new();
    let refused = place.packd(&["undo", "--json"]);
    assert_eq!(refused.code, Some(1));
    let body = refused.json();
    assert_eq!(body["error"], json!(true));
    assert!(body["message"].is_string() && body.get("hint").is_some() && body.get("details").is_some());

    let mut lost = place.command(PACKD);
    lost.args(["history"]).env("PACKD_HOME", "not/absolute");
    assert!(Ran::of(lost).failed(3).contains("absolute"));

    for args in
        [&["status"][..], &["history"], &["stats"], &["policy"], &["mode"], &["doctor"], &["setup"], &["gc"]]
    {
        let mut with = args.to_vec();
        with.push("--json");
        let ran = place.packd(&with);
        assert!(ran.json().is_object() || ran.json().is_array(), "{args:?}");
    }
}

#[test]
fn a_pipe_gets_neither_colour_nor_movement() {
    let place = Place::new();
    for args in [&["up"][..], &["history", "--all"], &["doctor"], &["setup"], &["stats"]] {
        let ran = place.packd(args);
        assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'), "{args:?}: {ran:?}");
        assert!(!ran.stderr.contains('\r'), "{args:?}");
    }
}

#[test]
fn watch_shows_both_streams_one_line_each() {
    let place = Place::new();
    place.packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"Before"}"#]).ok();
    let mut command = place.command(PACKD);
    command.arg("watch");
    let mut watch = Process::spawn(command);
    assert!(watch.line().contains("Watching"));
    place.packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"Seen"}"#]).ok();
    let did = watch.line();
    assert!(did.contains("did") && did.contains("you"), "{did}");
    place
        .packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"No","mode":"ask"}"#])
        .failed(1);
    let audit = watch.line();
    assert!(audit.contains("audit") && audit.contains("Refused"), "{audit}");
    assert!(did.chars().count() <= 80 && audit.chars().count() <= 80);

    // It goes on after the daemon it was connected to is gone.
    place.kill_daemon();
    assert!(watch.line().contains("The daemon has stopped"));
    place.packd(&["undo"]).ok();
    let undo = watch.line();
    assert!(undo.contains("undo"), "{undo}");
}

#[test]
fn watch_in_json_names_the_stream() {
    let place = Place::new();
    place.packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"A"}"#]).ok();
    let mut command = place.command(PACKD);
    command.args(["watch", "--json"]);
    let mut watch = Process::spawn(command);
    // Nothing announces that it watches, so things are done until it shows one.
    let record: Value = loop {
        place.packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"B"}"#]).ok();
        if let Some(line) = watch.try_line() {
            break serde_json::from_str(&line).unwrap();
        }
    };
    assert_eq!(record["stream"], json!("ops"));
    assert!(record["operation_id"].is_string());
}
