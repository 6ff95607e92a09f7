//! `packd watch`: both streams as they grow. It listens, and a daemon that was stopped stays stopped.
//!
//! Piped, every record is one line. On a terminal it is a screen of its own that `q` ends.

use serde_json::{Value, json};

use super::args::WatchArgs;
use super::view::op::OpView;
use super::view::render::{Ink, Render};
use super::view::text::shorten;
use super::{Client, CommandFailure, CommandScope, ToolArgs, listen, screen};

/// A stream and the last record of it that was shown.
struct Cursor {
    stream: &'static str,
    since: Option<String>,
}

pub fn run(args: &WatchArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    listen::begin(&mut client)?;
    let mut cursors = Vec::new();
    for stream in ["ops", "audit"] {
        let newest = client.must(
            "history_list",
            ToolArgs::new().with("stream", stream).with("limit", 1).with("all_workspaces", args.all),
        )?;
        let since = newest["operations"][0]["operation_id"].as_str().map(str::to_string);
        cursors.push(Cursor { stream, since });
    }
    let full = if render.json { None } else { screen::Screen::open() };
    if full.is_none() && !render.json {
        render.line(render.ink(Ink::Dim, "Watching operations and audit records; Ctrl-C ends."));
    }
    if let Some(full) = &full {
        let recent = client.must(
            "history_list",
            ToolArgs::new().with("limit", full.rows()).with("all_workspaces", args.all),
        )?;
        let mut recent: Vec<OpView> = super::view::read(&recent["operations"])?;
        recent.reverse();
        recent.iter().for_each(|op| full.line(&line(render, "ops", op, args.all)));
    }
    loop {
        for (stream, record) in news(&mut client, &mut cursors, args.all)? {
            match (&full, render.json) {
                (_, true) => {
                    let mut record = record.clone();
                    record["stream"] = json!(stream);
                    render.line(record.to_string());
                }
                (Some(full), _) => full.line(&line(render, stream, &super::view::read(&record)?, args.all)),
                (None, _) => render.line(line(render, stream, &super::view::read(&record)?, args.all)),
            }
        }
        client = listen::wait(client, render, scope)?;
    }
}

/// Everything new in both streams, in the order it happened.
fn news(
    client: &mut Client,
    cursors: &mut [Cursor],
    all: bool,
) -> Result<Vec<(&'static str, Value)>, CommandFailure> {
    let mut found = Vec::new();
    for cursor in cursors {
        loop {
            let request =
                ToolArgs::new().with("stream", cursor.stream).with("limit", 200).with("all_workspaces", all);
            let page = client.must("history_delta", request.given("since", cursor.since.as_ref()))?;
            let records = page["operations"].as_array().cloned().unwrap_or_default();
            found.extend(records.into_iter().map(|record| (cursor.stream, record)));
            if let Some(latest) = page["latest_id"].as_str() {
                cursor.since = Some(latest.to_string());
            }
            if page["has_more"] != true {
                break;
            }
        }
    }
    found.sort_by(|a, b| a.1["time"].as_str().cmp(&b.1["time"].as_str()));
    Ok(found)
}

fn line(r: Render, stream: &str, op: &OpView, all: bool) -> String {
    let word = match (stream, op.kind.as_str()) {
        ("audit", _) => r.ink(Ink::Yellow, "audit"),
        (_, "do") => r.ink(Ink::Green, "did  "),
        (_, kind) => r.ink(Ink::Cyan, format!("{kind:<5.5}")),
    };
    let who = shorten(op.by(), 14);
    let what = match all {
        true => format!("{}: {}", op.workspace.rsplit('/').next().unwrap_or_default(), op.said()),
        false => op.said(),
    };
    let clock = r.clock(&op.time);
    let room = r.width.saturating_sub(clock.len() + 2 + 5 + 2 + 14 + 2);
    format!("{}  {word}  {who:<14}  {}", r.ink(Ink::Dim, clock), shorten(&what, room))
}
