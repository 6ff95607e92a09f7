//! `packd setup --hooks` and `packd setup --agents-md`: what agents are told beside the server's entry.

use serde_json::Value;

use super::args::SetupArgs;
use super::setup::{coloured, placed, request, short, text};
use super::view::render::{Ink, Render};
use super::view::table::TextTable;
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::daemon::assemble::hosts::hooks::{HOOKED, Hooked};

const HOOKS: &str = "packd_hooks";
const GUIDE: &str = "packd_guide";

/// Writes packd's hooks into one host or into all that are found, lists them, or takes them out.
pub fn hooks(args: &SetupArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let verb = super::setup::verb(args)?;
    let user_wide = CommandScope { user_wide: true, ..CommandScope::default() };
    let mut client = Client::open(if args.project { scope } else { &user_wide })?;
    let chosen: Vec<String> = match (&args.host, args.all && verb == "add") {
        (Some(host), _) => vec![host.clone()],
        (None, true) => installed(&mut client)?,
        (None, false) => HOOKED.iter().map(|hooked| hooked.host.to_string()).collect(),
    };
    let chosen: Vec<&str> = chosen.iter().map(String::as_str).collect();
    let request = request(verb, args.project)?;
    let answer = super::setup::each(&mut client, HOOKS, &chosen, &request, verb, args)?;
    let rows = answer["hosts"].as_array().cloned().unwrap_or_default();
    render.show(&answer, |r| match verb {
        "list" => list(r, &rows),
        _ => done(r, &rows, "title", args, &answer),
    });
    refused(&rows, verb, answer)
}

fn installed(client: &mut Client) -> Result<Vec<String>, CommandFailure> {
    let found = super::setup::survey(client)?;
    let here = found.iter().filter(|row| row["installed"] == true).map(|row| text(row, "host"));
    Ok(here.filter(|host| Hooked::find(host).is_some()).map(str::to_string).collect())
}

/// The section in AGENTS.md, and in what other agents read where that exists.
pub fn guide(args: &SetupArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let verb = if args.remove { "remove" } else { "add" };
    let mut client = Client::open(scope)?;
    let answer = client.own_tool(GUIDE, ToolArgs::new().with("verb", verb), args.dry_run)?;
    let rows = answer["files"].as_array().cloned().unwrap_or_default();
    render.show(&answer, |r| done(r, &rows, "", args, &answer));
    refused(&rows, verb, answer)
}

fn refused(rows: &[Value], verb: &str, answer: Value) -> Result<(), CommandFailure> {
    if rows.iter().any(|row| row["action"] == "refused") && verb != "list" {
        return Err(CommandFailure {
            details: Box::new(answer),
            ..CommandFailure::refused("Not every file could be edited.")
        });
    }
    Ok(())
}

fn list(r: Render, rows: &[Value]) {
    let mut table = TextTable::new(&["HOST", "HOOKS", "FILE"]).fluid(2);
    for row in rows {
        let state = match (text(row, "action"), row["hooks"].as_u64().unwrap_or(0)) {
            ("refused", _) => r.ink(Ink::Red, "unreadable file"),
            (_, 0) => r.ink(Ink::Dim, "none"),
            (_, n) => r.ink(Ink::Green, format!("{n} set up")),
        };
        table.row([text(row, "host").to_string(), state, short(text(row, "file"))]);
    }
    table.print(r);
    r.hint("`packd setup HOST --hooks` writes them into one, `packd setup --all --hooks` into all found.");
}

fn done(r: Render, rows: &[Value], title: &str, args: &SetupArgs, answer: &Value) {
    for row in rows {
        let file = short(text(row, "file"));
        let of = if title.is_empty() { String::new() } else { format!("{}: ", text(row, title)) };
        match text(row, "action") {
            "refused" => {
                r.line(format!("{}  {of}{file} was left alone:", r.ink(Ink::Red, "refused")));
                r.line(format!("  {}", text(row, "why")));
                if let Some(snippet) = row["snippet"].as_str() {
                    r.line("  Correct it and try again, or paste this:");
                    r.line("");
                    snippet.lines().for_each(|line| r.line(format!("    {line}")));
                }
            }
            "unchanged" => r.line(format!("{}  {of}{file} says so already", r.ink(Ink::Green, "ok"))),
            "absent" => r.line(format!("{}  {of}{file} has nothing of packd", r.ink(Ink::Green, "ok"))),
            action if args.dry_run => {
                let action = placed(action);
                r.line(format!("{}  {of}would be {action} {file}", r.ink(Ink::Yellow, "dry run")));
                let changed = text(row, "diff").lines().filter(|line| !line.starts_with("@@"));
                changed.for_each(|line| r.line(coloured(r, line)));
            }
            action => {
                r.line(format!("{}  {of}{} {file}", r.ink(Ink::Green, "ok"), placed(action)));
                if let Some(then) = row["then"].as_str().filter(|_| !args.remove) {
                    r.line(format!("    {then}"));
                }
            }
        }
    }
    if answer["changed"] == true {
        r.hint("`packd undo --family hosts` takes it back.");
    }
}
