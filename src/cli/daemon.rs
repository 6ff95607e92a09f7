//! `packd daemon`, `status`, `stop`, `restart`, `gc`, `stats`, `policy`: the daemon itself.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::progress::SignOfLife;
use super::view::render::{Ink, Render};
use super::view::status as view;
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::ipc::connect::{Reached, connect};
use crate::ipc::hello::{Hello, KIND_STATUS};
use crate::ipc::{Home, start};

/// Serves in the foreground until told to end.
pub fn run() -> ExitCode {
    crate::daemon::run(crate::daemon::open::open)
}

pub fn status(render: Render) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    let hello = Hello::of_this_process(KIND_STATUS, String::new());
    let answer = match connect(&home, &hello)? {
        Reached::Daemon(link) => {
            let welcome = link.welcome;
            let status = welcome.status.unwrap_or_default();
            let number = |name: &str| status.notes.get(name).and_then(|n| n.parse::<u64>().ok());
            let (calls, operations) = (number("calls"), number("operations"));
            let store_bytes = number("store bytes");
            // What is not a number tells of trouble.
            let notes: serde_json::Map<String, Value> = status
                .notes
                .iter()
                .filter(|(_, text)| text.parse::<u64>().is_err())
                .map(|(name, text)| (name.replace(' ', "_"), json!(text)))
                .collect();
            json!({
                "running": true, "pid": welcome.pid, "version": welcome.version, "home": welcome.home,
                "sessions": status.sessions, "uptime_seconds": status.uptime_seconds,
                "idle_seconds": status.idle_seconds, "activated": status.activated, "calls": calls,
                "operations": operations, "store_bytes": store_bytes, "notes": notes, "log": home.log(),
            })
        }
        _ => json!({"running": false, "home": home.dir(), "log": home.log()}),
    };
    render.view(&answer, |r, s: view::DaemonStatusView| view::status(r, &s))
}

pub fn stop(render: Render) -> Result<(), CommandFailure> {
    let progress = SignOfLife::start(render, "letting calls finish");
    let stopped = start::stop(&Home::locate()?)?;
    drop(progress);
    render.show(&json!({"stopped": stopped}), |r| {
        r.line(if stopped { "packd has stopped." } else { "packd was not running." });
    });
    Ok(())
}

pub fn restart(render: Render) -> Result<(), CommandFailure> {
    let progress = SignOfLife::start(render, "letting calls finish");
    start::stop(&Home::locate()?)?;
    let client = Client::open(&CommandScope::default())?;
    drop(progress);
    let answer = json!({"pid": client.welcome.pid, "version": client.welcome.version});
    render.show(&answer, |r| r.line(format!("packd runs as pid {}.", client.welcome.pid)));
    Ok(())
}

pub fn stats(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let stats = Client::open(scope)?.request("packd/stats", ToolArgs::new())?;
    render.long().view(&stats, |r, s: view::StatsView| view::stats(r, &s))
}

pub fn policy(render: Render) -> Result<(), CommandFailure> {
    let rows = crate::policy::table();
    let value = rows
        .iter()
        .map(|row| {
            let cells = crate::policy::COLUMNS.iter().zip(row.cells).map(|(c, t)| (c.to_string(), json!(t)));
            json!({"class": row.class, "decisions": Value::Object(cells.collect())})
        })
        .collect();
    render.show(&Value::Array(value), |r| {
        for row in &rows {
            r.line(r.ink(Ink::Bold, row.class));
            for (column, cell) in crate::policy::COLUMNS.iter().zip(row.cells) {
                r.prose(17, format!("  {column:<14} {}", cell.replace('`', "")));
            }
        }
    });
    Ok(())
}
