//! `packd run`: long work that the daemon owns. Following one listens; every line is printed once.

use serde_json::Value;

use super::args::RunCommand;
use super::view::render::Render;
use super::view::run as view;
use super::{Client, CommandFailure, CommandScope, ToolArgs, ids, listen};

/// Lines of one page while a log is followed.
const PAGE: u64 = 500;

pub fn run(command: RunCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    match command {
        RunCommand::List { limit } => {
            let reply = client.must("amof_list_runs", ToolArgs::new().with("limit", limit))?;
            render.view(&reply, |r, runs: view::RunsView| view::list(r, &runs))
        }
        RunCommand::Status { id } => {
            let id = meant(&mut client, id.as_deref())?;
            let reply = client.must("amof_get_run_status", ToolArgs::new().with("run_id", id))?;
            render.view(&reply, |r, run: view::RunView| view::one(r, &run))
        }
        RunCommand::Logs { id, follow: false, tail } => {
            let id = meant(&mut client, id.as_deref())?;
            let reply =
                client.must("amof_get_run_logs", ToolArgs::new().with("run_id", id).with("tail", tail))?;
            render.long().view(&reply, |r, logs: view::Logs| view::logs(r, &logs))
        }
        RunCommand::Logs { id, follow: true, .. } => {
            let id = meant(&mut client, id.as_deref())?;
            follow(client, &id, render, scope)
        }
        RunCommand::Cancel { id } => {
            let id = meant(&mut client, Some(&id))?;
            let reply = client
                .must("amof_cancel_run", ToolArgs::new().with("run_id", &id).with("mode", "execute"))?;
            render.show(&reply, |r| view::cancelled(r, &id));
            Ok(())
        }
    }
}

/// The run a person means; the newest where none is named.
fn meant(client: &mut Client, said: Option<&str>) -> Result<String, CommandFailure> {
    let reply = client.must("amof_list_runs", ToolArgs::new().with("limit", 100))?;
    let runs: view::RunsView = super::view::read(&reply)?;
    match said {
        None | Some("@") => runs.runs.into_iter().next().map(|run| run.run_id).ok_or_else(|| {
            CommandFailure::refused("Nothing has run here yet.")
                .hint("`packd eco list` shows the ecosystems there are.")
        }),
        Some(said) => {
            let all: Vec<(String, String)> =
                runs.runs.into_iter().map(|run| (run.run_id, String::new())).collect();
            match ids::one_of(said, "run", all) {
                // An older one than was listed is known to the daemon.
                Err(failure) if failure.hint.is_none() => {
                    let known = client.call("amof_get_run_status", ToolArgs::new().with("run_id", said))?;
                    match known.structured["run_id"].as_str().filter(|_| !known.is_error) {
                        Some(id) => Ok(id.to_string()),
                        None => Err(failure.hint("`packd run list` shows the runs there are.")),
                    }
                }
                found => found,
            }
        }
    }
}

/// Prints the lines of a run as they come, each once, to the last; fails if the run does.
pub fn follow(
    mut client: Client,
    id: &str,
    render: Render,
    scope: &CommandScope,
) -> Result<(), CommandFailure> {
    listen::begin(&mut client)?;
    let mut after = 0;
    loop {
        // The status first: lines written before it turned final are then all in the pages that follow.
        let status = client.must("amof_get_run_status", ToolArgs::new().with("run_id", id))?;
        loop {
            let page = client.must(
                "amof_get_run_logs",
                ToolArgs::new().with("run_id", id).with("after", after).with("tail", PAGE),
            )?;
            let lines = page["lines"].as_array().cloned().unwrap_or_default();
            print(render, &lines)?;
            after = page["next_after"].as_u64().unwrap_or(after);
            if after >= page["total"].as_u64().unwrap_or(0) || lines.is_empty() {
                break;
            }
        }
        match status["status"].as_str().unwrap_or("success") {
            "queued" | "running" => client = listen::wait(client, render, scope)?,
            "success" => return Ok(()),
            other => {
                return Err(CommandFailure::refused(format!("The run ended as {other}."))
                    .hint(format!("`packd run logs {}` shows what it printed.", view::short(id))));
            }
        }
    }
}

fn print(r: Render, lines: &[Value]) -> Result<(), CommandFailure> {
    for line in lines {
        match r.json {
            true => r.line(line.to_string()),
            false => view::line(r, &super::view::read(line)?),
        }
    }
    Ok(())
}
