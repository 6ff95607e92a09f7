//! `packd workspace`: the projects packd knows, from what was done in them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::args::WorkspaceCommand;
use super::view::place;
use super::view::render::{Ink, Render};
use super::view::table::Table;
use super::{Client, Failure, Scope, ids};

/// The workspace of sessions that have no project.
const USER_WIDE: &str = "~";

pub fn run(command: WorkspaceCommand, render: Render, scope: &Scope) -> Result<(), Failure> {
    match command {
        WorkspaceCommand::List => list(render, scope),
    }
}

struct Known {
    operations: u64,
    newest: String,
}

/// Every project that has a history, the most recent first.
pub fn known(client: &mut Client) -> Result<Vec<Value>, Failure> {
    let mut found: BTreeMap<String, Known> = BTreeMap::new();
    ids::each(client, json!({"all_workspaces": true}), |op| {
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

fn list(render: Render, scope: &Scope) -> Result<(), Failure> {
    let rows = known(&mut Client::open(scope)?)?;
    render.long().show(&json!({"workspaces": rows}), |r| {
        if rows.is_empty() {
            return r.line("Nothing was done in any project yet.");
        }
        let mut table = Table::new(&["PROJECT", "", "OPERATIONS", "NEWEST"]).fluid(0);
        for row in &rows {
            let path = row["workspace"].as_str().unwrap_or_default();
            let shown = if path == USER_WIDE { "(no project)".to_string() } else { place::project(path) };
            let gone = if row["exists"] == json!(true) { String::new() } else { r.ink(Ink::Yellow, "gone") };
            let newest = r.when(row["newest"].as_str().unwrap_or_default());
            table.row([shown, gone, row["operations"].to_string(), newest]);
        }
        table.print(r);
    });
    Ok(())
}
