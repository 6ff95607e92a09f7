//! `packd run`: long work that the daemon owns.

use std::time::Duration;

use serde_json::{Value, json};

use super::args::RunCommand;
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};

/// How often a follower asks for new lines.
const FOLLOW_EVERY: Duration = Duration::from_millis(200);

pub fn run(command: RunCommand, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    let plain = |client: &mut Client, tool: &str, args: Value| {
        let answer = client.call(tool, args)?;
        if answer.is_error {
            return Err(Failure::of_tool(&answer));
        }
        render.show(&answer.value(), |r| r.raw(&answer.text));
        Ok(())
    };
    match command {
        RunCommand::List { limit } => plain(&mut client, "amof_list_runs", json!({"limit": limit})),
        RunCommand::Status { id } => plain(&mut client, "amof_get_run_status", json!({"run_id": id})),
        RunCommand::Logs { id, follow: false, tail } => {
            plain(&mut client, "amof_get_run_logs", json!({"run_id": id, "tail": tail}))
        }
        RunCommand::Logs { id, follow: true, .. } => follow(&mut client, &id, render),
        RunCommand::Cancel { id } => {
            plain(&mut client, "amof_cancel_run", json!({"run_id": id, "mode": "execute"}))
        }
    }
}

/// Prints the lines of a run as they come; fails if the run does.
pub fn follow(client: &mut Client, id: &str, render: Render) -> Result<(), Failure> {
    let mut after = 0;
    loop {
        // The status first: lines written before it turned final are then all in the next page.
        let status = client.must("amof_get_run_status", json!({"run_id": id}))?;
        let page = client.must("amof_get_run_logs", json!({"run_id": id, "after": after, "tail": 500}))?;
        for line in page["lines"].as_array().into_iter().flatten() {
            after = after.max(line["n"].as_u64().unwrap_or(0));
            print(render, line);
        }
        let word = status.pointer("/run/status").or(status.get("status")).and_then(Value::as_str);
        match word.unwrap_or("success") {
            "queued" | "running" => std::thread::sleep(FOLLOW_EVERY),
            "success" => return Ok(()),
            other => {
                return Err(Failure::refused(format!("The run ended as {other}."))
                    .hint(format!("packd run logs {id}")));
            }
        }
    }
}

fn print(r: Render, line: &Value) {
    if r.json {
        return r.line(line.to_string());
    }
    let text = line["text"].as_str().unwrap_or_default();
    r.line(match line["level"].as_str() {
        Some("error") => r.ink(Ink::Red, text),
        Some("warning" | "warn") => r.ink(Ink::Yellow, text),
        _ => text.to_string(),
    });
}
