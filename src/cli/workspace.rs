//! `packd workspace`: the projects packd knows, from what was done in them, and moving one after its directory moved.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::args::WorkspaceCommand;
use super::client::USER_WIDE;
use super::terminal::Terminal;
use super::view::place;
use super::view::render::{Ink, Render};
use super::view::table::TextTable;
use super::{Client, CommandFailure, CommandScope, ToolArgs, alone, ids};
use crate::ipc::Home;
use crate::store;

/// Of these each project has one row: where both places have it, the one that moves stays.
const ONE_EACH: [&str; 5] = ["focus", "pack_mirrors", "eco_active", "scopes", "sessions"];

pub fn run(command: WorkspaceCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    match command {
        WorkspaceCommand::List => list(render, scope),
        WorkspaceCommand::Move { old, new, yes } => relocate(&old, &new, yes, render, scope),
    }
}

struct Known {
    operations: u64,
    newest: String,
}

/// Every project that has a history, the most recent first.
pub fn known(client: &mut Client) -> Result<Vec<Value>, CommandFailure> {
    let mut found: BTreeMap<String, Known> = BTreeMap::new();
    ids::each(client, ToolArgs::new().with("all_workspaces", true), |op| {
        let one = found.entry(op.workspace).or_insert(Known { operations: 0, newest: op.time });
        one.operations += 1;
        true
    })?;
    let mut rows: Vec<(String, Known)> = found.into_iter().collect();
    rows.sort_by(|a, b| b.1.newest.cmp(&a.1.newest));
    Ok(rows
        .into_iter()
        .map(|(path, one)| {
            let here = path == USER_WIDE || Path::new(&path).is_dir();
            json!({"workspace": path, "exists": here, "operations": one.operations, "newest": one.newest})
        })
        .collect())
}

fn list(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let rows = known(&mut Client::open(scope)?)?;
    render.long().show(&json!({"workspaces": rows}), |r| {
        if rows.is_empty() {
            return r.line("Nothing was done in any project yet.");
        }
        let mut table = TextTable::new(&["PROJECT", "", "OPERATIONS", "NEWEST"]).fluid(0);
        for row in &rows {
            let path = row["workspace"].as_str().unwrap_or_default();
            let shown = if path == USER_WIDE { "(no project)".to_string() } else { place::project(path) };
            let gone = if row["exists"] == true { String::new() } else { r.ink(Ink::Yellow, "gone") };
            let newest = r.when(row["newest"].as_str().unwrap_or_default());
            table.row([shown, gone, row["operations"].to_string(), newest]);
        }
        table.print(r);
    });
    Ok(())
}

fn relocate(
    old: &Path,
    new: &Path,
    yes: bool,
    render: Render,
    scope: &CommandScope,
) -> Result<(), CommandFailure> {
    let rows = known(&mut Client::open(scope)?)?;
    let (from, to) = (as_kept(old), as_kept(new));
    let Some(row) = rows.iter().find(|row| row["workspace"] == from) else {
        return Err(CommandFailure::refused(format!("packd knows no project {}.", place::project(&from)))
            .hint("`packd workspace list` shows what it knows."));
    };
    if !Path::new(&to).is_dir() {
        return Err(CommandFailure::refused(format!("{} is not a directory.", place::project(&to)))
            .hint(format!("Move the directory first: `mv {} {}`.", old.display(), new.display())));
    }
    if from == to || Path::new(&from).is_dir() {
        return Err(CommandFailure::refused(format!("{} is still there.", place::project(&from)))
            .hint(format!("Move the directory first: `mv {} {}`.", old.display(), new.display())));
    }
    let operations = row["operations"].as_u64().unwrap_or(0);
    let words = format!(
        "Takes what packd keeps of {} ({operations} operations) to {}.",
        place::project(&from),
        place::project(&to)
    );
    if !yes {
        let terminal = Terminal::controlling().filter(|_| !render.json);
        let plan = json!({"from": from, "to": to, "operations": operations, "done": false});
        render.show(&plan, |r| r.prose(0, &words));
        let Some(terminal) = terminal else {
            if !render.json {
                render.line("Run it again with --yes to do it.");
            }
            return Ok(());
        };
        if !terminal.agrees("Move it?")? {
            return Err(CommandFailure::refused("Not done."));
        }
    }
    let home = Home::locate()?;
    let new = alone::operation(&to, "workspaces", "workspace_move");
    let id = new.id.clone();
    let done = alone::with(&home, || {
        store::relocate(&home.database(), alone::tables, (&from, &to), &ONE_EACH, new.clone())
    })?;
    let answer = json!({
        "from": from, "to": to, "done": true, "operation_id": id, "operations": done.operations, "rows": done.rows,
    });
    render.show(&answer, |r| {
        let to = place::project(&to);
        r.line(format!(
            "{}  {} rows and {} operations are in {to}.",
            r.ink(Ink::Green, "ok"),
            done.rows,
            done.operations
        ));
        r.hint(format!("`packd workspace move {to} {}` takes it back.", place::project(&from)));
    });
    Ok(())
}

/// A directory as packd keeps it: its real path, or what it would be where it is gone.
fn as_kept(dir: &Path) -> String {
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let there = whole.ancestors().find_map(|up| Some((up, up.canonicalize().ok()?)));
    let real = match there {
        Some((up, real)) => match whole.strip_prefix(up) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => whole,
    };
    real.to_string_lossy().into_owned()
}
