//! `packd trash`: what discard, archive and undo of an install took away, until when it is kept, and freeing its space.

use std::io::{BufRead, IsTerminal, Write};

use serde_json::Value;

use super::args::{TrashArgs, TrashCommand};
use super::progress::SignOfLife;
use super::view::op;
use super::view::render::{Ink, Render};
use super::view::size::bytes;
use super::view::table::TextTable;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(args: &TrashArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    match &args.command {
        None => list(render, scope),
        Some(TrashCommand::Empty { yes }) => empty(*yes, render, scope),
    }
}

fn list(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let found = Client::open(scope)?.request("packd/trash", ToolArgs::new())?;
    render.show(&found, |r| {
        let entries = found["entries"].as_array().cloned().unwrap_or_default();
        if entries.is_empty() {
            r.line("The trash is empty.");
            return;
        }
        let mut table = TextTable::new(&["OPERATION", "ECOSYSTEM", "SIZE", "KEPT UNTIL", "WAS AT"]).fluid(4);
        entries.iter().for_each(|e| table.row(row(r, e)));
        table.print(r);
        r.hint("`packd revert OPERATION` brings one back.");
    });
    Ok(())
}

fn row(r: Render, entry: &Value) -> Vec<String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_string();
    if entry["problem"].is_string() {
        return vec![
            r.ink(Ink::Red, "damaged"),
            String::new(),
            String::new(),
            String::new(),
            text("problem"),
        ];
    }
    let size = bytes(entry["bytes"].as_u64().unwrap_or(0));
    let operation = op::short(&text("operation")).to_string();
    vec![operation, text("ecosystem"), size, r.when(&text("kept_until")), r.path(&text("path"))]
}

fn empty(yes: bool, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let found = client.request("packd/trash", ToolArgs::new())?;
    let entries = found["entries"].as_array().map_or(0, Vec::len);
    if entries > 0 && !yes && !agreed(entries)? {
        return Err(CommandFailure::refused("Not done; nothing was dropped."));
    }
    let progress = SignOfLife::start(render, "emptying the trash");
    let done = client.request("packd/trash/empty", ToolArgs::new())?;
    drop(progress);
    render.show(&done, |r| {
        let freed = bytes(done["bytes_freed"].as_u64().unwrap_or(0));
        r.line(format!("Dropped {} entries; {freed} are free again.", done["dropped"]));
        for why in done["problems"].as_array().into_iter().flatten() {
            r.line(r.ink(Ink::Red, why.as_str().unwrap_or_default()));
        }
    });
    match done["problems"].as_array().is_none_or(Vec::is_empty) {
        true => Ok(()),
        false => Err(CommandFailure::refused("Some entries could not be dropped.")),
    }
}

fn agreed(entries: usize) -> Result<bool, CommandFailure> {
    if !std::io::stdin().is_terminal() {
        return Err(CommandFailure::refused(
            "Emptying the trash is final: a person must agree on a terminal.",
        )
        .hint("Run it in a terminal, or with --yes."));
    }
    let mut out = std::io::stderr();
    let _ = write!(out, "Drop {entries} entries for good? [y/N] ").and_then(|()| out.flush());
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|e| CommandFailure::refused(format!("No answer could be read: {e}.")))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
