//! `packd help`: the commands in the order people need them, one command in full, or a topic.

use clap::CommandFactory;
use serde_json::json;

use super::args::HelpArgs;
use super::view::render::{Ink, Render};
use super::view::table::TextTable;
use super::{Cli, CommandFailure};

/// Commands by purpose. Every command is in exactly one group, which a test holds.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "Everyday",
        &[
            "up", "setup", "history", "show", "at", "undo", "redo", "revert", "find", "snap", "why", "watch",
            "ui", "confirm", "mode",
        ],
    ),
    ("Packs and tasks", &["pack", "task"]),
    ("Configuration and packages", &["deploy", "pkg"]),
    ("Ecosystems", &["eco", "run"]),
    (
        "The service",
        &[
            "status",
            "doctor",
            "service",
            "restart",
            "stop",
            "backup",
            "restore",
            "repair",
            "gc",
            "trash",
            "audit",
            "workspace",
            "forget",
        ],
    ),
    (
        "Plumbing",
        &[
            "tools",
            "call",
            "log",
            "stats",
            "policy",
            "export",
            "plugin",
            "hook",
            "completions",
            "man",
            "daemon",
            "help",
        ],
    ),
];

/// What a person wants to understand rather than to type.
pub const TOPICS: &[(&str, &str, &str)] = &[
    ("undo", "taking things back", include_str!("topics/undo.txt")),
    ("modes", "what agents may do", include_str!("topics/modes.txt")),
    ("workspaces", "which project a thing belongs to", include_str!("topics/workspaces.txt")),
    ("hosts", "editors and agents that use packd", include_str!("topics/hosts.txt")),
];

pub fn run(args: &HelpArgs, render: Render) -> Result<(), CommandFailure> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            overview(render);
            Ok(())
        }
        [one] if TOPICS.iter().any(|(name, ..)| name == one) && command(&words).is_none() => {
            topic(one, render)
        }
        [one] if TOPICS.iter().any(|(name, ..)| name == one) => {
            topic(one, render)?;
            render.hint(format!("`packd {one} --help` lists what the command takes."));
            Ok(())
        }
        words => match command(words) {
            Some(mut command) => {
                let text = command.render_long_help().to_string();
                render.long().show(&json!({"help": text}), |r| r.raw(&text));
                Ok(())
            }
            None => {
                let topics: Vec<_> = TOPICS.iter().map(|(name, ..)| *name).collect();
                Err(CommandFailure::usage(format!("There is no command or topic '{}'.", words.join(" ")))
                    .hint(format!("Topics: {}. `packd help` lists the commands.", topics.join(", "))))
            }
        },
    }
}

/// A command by its words, as a person types them.
fn command(words: &[&str]) -> Option<clap::Command> {
    let mut root = Cli::command();
    root.build();
    let mut found = root;
    for word in words {
        let next = found.get_subcommands().find(|c| c.get_name() == *word)?.clone();
        found = next;
    }
    Some(found)
}

fn topic(name: &str, render: Render) -> Result<(), CommandFailure> {
    let text = TOPICS.iter().find(|(n, ..)| *n == name).map(|(_, _, text)| *text).unwrap_or_default();
    render.long().show(&json!({"topic": name, "text": text}), |r| {
        for paragraph in text.trim_end().split("\n\n") {
            match paragraph.starts_with("  ") {
                true => r.raw(paragraph),
                false => r.prose(0, paragraph.replace('\n', " ")),
            }
            r.line("");
        }
    });
    Ok(())
}

fn overview(render: Render) {
    let root = Cli::command();
    let about = |name: &str| {
        let found = root.get_subcommands().find(|c| c.get_name() == name);
        found.and_then(|c| c.get_about().map(ToString::to_string)).unwrap_or_default()
    };
    let groups: Vec<_> = GROUPS
        .iter()
        .map(|(title, names)| {
            let commands: Vec<_> = names.iter().map(|n| json!({"command": n, "about": about(n)})).collect();
            json!({"group": title, "commands": commands})
        })
        .collect();
    render.long().show(&json!({"groups": groups}), |r| {
        r.prose(0, "packd keeps what AI coding agents remember and change, and lets you take it back.");
        for (title, names) in GROUPS {
            r.line("");
            r.line(r.ink(Ink::Bold, title));
            let mut table = TextTable::new(&[]).fluid(1).indent(2);
            names.iter().for_each(|name| table.row([format!("{name:<11}"), about(name)]));
            table.print(r);
        }
        r.line("");
        r.line(r.ink(Ink::Bold, "Topics"));
        let mut table = TextTable::new(&[]).fluid(1).indent(2);
        TOPICS.iter().for_each(|(name, about, _)| table.row([format!("{name:<11}"), about.to_string()]));
        table.print(r);
        r.line("");
        r.hint("`packd help COMMAND` or `packd help TOPIC` says more. `packd` alone shows how things stand.");
    });
}
