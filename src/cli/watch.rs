//! `packd watch`: both streams as they grow, one line a record, through restarts of the daemon.

use std::time::Duration;

use serde_json::{Value, json};

use super::args::WatchArgs;
use super::render::{Ink, Render, shorten};
use super::{Client, Failure, Scope};

/// How often to ask for news; the daemon answers from its log.
const EVERY: Duration = Duration::from_millis(250);

/// A stream and the last record of it that was shown.
struct Cursor {
    stream: &'static str,
    since: Option<String>,
}

pub fn run(args: &WatchArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    let mut cursors = Vec::new();
    for stream in ["ops", "audit"] {
        let newest =
            client.must("history_list", json!({"stream": stream, "limit": 1, "all_workspaces": args.all}))?;
        let since = newest["operations"][0]["operation_id"].as_str().map(str::to_string);
        cursors.push(Cursor { stream, since });
    }
    if !render.json {
        render.line(render.ink(Ink::Dim, "Watching operations and audit records; Ctrl-C ends."));
    }
    loop {
        match news(&mut client, &mut cursors, args.all) {
            Ok(records) => {
                records.iter().for_each(|(stream, record)| print(render, stream, record, args.all))
            }
            // The daemon went away: the next connection starts it again, and no record is lost.
            Err(failure) if failure.code == 3 => client = Client::open(scope)?,
            Err(failure) => return Err(failure),
        }
        std::thread::sleep(EVERY);
    }
}

/// Everything new in both streams, in the order it happened.
fn news(
    client: &mut Client,
    cursors: &mut [Cursor],
    all: bool,
) -> Result<Vec<(&'static str, Value)>, Failure> {
    let mut found = Vec::new();
    for cursor in cursors {
        loop {
            let mut request = json!({"stream": cursor.stream, "limit": 200, "all_workspaces": all});
            if let Some(id) = &cursor.since {
                request["since"] = json!(id);
            }
            let page = client.must("history_delta", request)?;
            let records = page["operations"].as_array().cloned().unwrap_or_default();
            found.extend(records.into_iter().map(|record| (cursor.stream, record)));
            if let Some(latest) = page["latest_id"].as_str() {
                cursor.since = Some(latest.to_string());
            }
            if page["has_more"] != json!(true) {
                break;
            }
        }
    }
    found.sort_by(|a, b| a.1["time"].as_str().cmp(&b.1["time"].as_str()));
    Ok(found)
}

fn print(r: Render, stream: &str, record: &Value, all: bool) {
    if r.json {
        let mut record = record.clone();
        record["stream"] = json!(stream);
        return r.line(record.to_string());
    }
    let text = |field: &str| record[field].as_str().unwrap_or_default();
    let when = text("time").get(11..19).unwrap_or_default().to_string();
    let word = match (stream, text("kind")) {
        ("audit", _) => r.ink(Ink::Yellow, "audit"),
        (_, "do") => r.ink(Ink::Green, "did  "),
        (_, kind) => r.ink(Ink::Cyan, format!("{kind:<5.5}")),
    };
    let who = shorten(record["who"]["client"].as_str().unwrap_or_default(), 14);
    let what = match all {
        true => format!("{}: {}", text("workspace").rsplit('/').next().unwrap_or_default(), text("summary")),
        false => text("summary").to_string(),
    };
    r.line(format!("{}  {word}  {who:<14}  {}", r.ink(Ink::Dim, when), shorten(&what, 47)));
}
