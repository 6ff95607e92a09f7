//! `packd daemon`, `status`, `stop`, `restart`, `gc`, `stats`, `policy`: the daemon itself.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::progress::Progress;
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};
use crate::ipc::connect::{Reached, connect};
use crate::ipc::hello::{Hello, KIND_STATUS};
use crate::ipc::{Home, start};

/// Serves in the foreground until told to end.
pub fn run() -> ExitCode {
    crate::daemon::run(crate::daemon::open::open)
}

pub fn status(render: Render) -> Result<(), Failure> {
    let home = Home::locate()?;
    let hello = Hello::of_this_process(KIND_STATUS, String::new());
    let answer = match connect(&home, &hello)? {
        Reached::Daemon(link) => {
            let welcome = link.welcome;
            let status = welcome.status.unwrap_or_default();
            json!({
                "running": true, "pid": welcome.pid, "version": welcome.version, "home": welcome.home,
                "sessions": status.sessions, "uptime_seconds": status.uptime_seconds,
                "idle_seconds": status.idle_seconds, "activated": status.activated, "notes": status.notes,
                "log": home.log(),
            })
        }
        _ => json!({"running": false, "home": home.dir(), "log": home.log()}),
    };
    render.show(&answer, |r| {
        let home = answer["home"].as_str().unwrap_or_default();
        if answer["running"] == json!(false) {
            r.line(format!("{} (home {home})", r.ink(Ink::Yellow, "packd is not running")));
            return r.line("It starts by itself when an editor needs it, or with `packd up`.");
        }
        r.line(format!(
            "{} pid {}, version {}, up {}",
            r.ink(Ink::Green, "packd is running:"),
            answer["pid"],
            answer["version"].as_str().unwrap_or_default(),
            duration(answer["uptime_seconds"].as_u64().unwrap_or(0)),
        ));
        r.line(format!("  sessions  {}", answer["sessions"]));
        r.line(format!("  home      {home}"));
        r.line(format!("  log       {}", answer["log"].as_str().unwrap_or_default()));
        if let Some(notes) = answer["notes"].as_object() {
            for (name, text) in notes {
                r.line(format!("  {name:<9} {}", text.as_str().unwrap_or_default()));
            }
        }
    });
    Ok(())
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

pub fn stop(render: Render) -> Result<(), Failure> {
    let progress = Progress::start(render, "letting calls finish");
    let stopped = start::stop(&Home::locate()?)?;
    drop(progress);
    render.show(&json!({"stopped": stopped}), |r| {
        r.line(if stopped { "packd has stopped." } else { "packd was not running." });
    });
    Ok(())
}

pub fn restart(render: Render) -> Result<(), Failure> {
    let progress = Progress::start(render, "letting calls finish");
    start::stop(&Home::locate()?)?;
    let client = Client::open(&Scope::default())?;
    drop(progress);
    let answer = json!({"pid": client.welcome.pid, "version": client.welcome.version});
    render.show(&answer, |r| r.line(format!("packd runs as pid {}.", client.welcome.pid)));
    Ok(())
}

pub fn stats(render: Render, scope: &Scope) -> Result<(), Failure> {
    let stats = Client::open(scope)?.request("packd/stats", json!({}))?;
    render.show(&stats, |r| {
        let (writer, store) = (&stats["writer"], &stats["store"]);
        r.line(format!(
            "{} calls; {} commits for {} changes (largest batch {}, {} waiting)",
            stats["calls"], writer["commits"], writer["jobs"], writer["largest_batch"], writer["waiting"]
        ));
        match store["counting"] == json!(true) {
            true => r.line(format!("store: {} bytes; what is in it is being counted", store["file_bytes"])),
            false => r.line(format!(
                "store: {} bytes, {} rows, {} operations, {} audit records, {} blobs ({} bytes)",
                store["file_bytes"],
                store["rows"],
                store["ops"],
                store["audit"],
                store["blobs"],
                store["blob_bytes"]
            )),
        }
        let head = ["TOOL", "CALLS", "ERRORS", "P50 µs", "P99 µs", "MAX µs"].map(|h| r.ink(Ink::Bold, h));
        let mut rows = vec![head.to_vec()];
        for tool in stats["tools"].as_array().into_iter().flatten() {
            let cell = |f: &str| match &tool[f] {
                Value::String(s) => s.clone(),
                other => other.to_string(),
            };
            rows.push(["tool", "calls", "errors", "p50_us", "p99_us", "max_us"].map(cell).to_vec());
        }
        if rows.len() > 1 {
            r.table(&rows);
        }
    });
    Ok(())
}

pub fn policy(render: Render) -> Result<(), Failure> {
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
                r.line(format!("  {column:<14} {}", cell.replace('`', "")));
            }
        }
    });
    Ok(())
}
