//! Snapshots as people see them.

use serde_json::Value;

use super::op::short;
use super::render::{Ink, Render};
use super::table::TextTable;

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn files(n: u64) -> String {
    if n == 1 { "1 file".into() } else { format!("{n} files") }
}

pub fn taken(r: Render, taken: &Value) {
    let name = r.ink(Ink::Bold, text(taken, "snapshot"));
    let (count, changed) = (taken["files"].as_u64().unwrap_or(0), taken["changed"].as_u64().unwrap_or(0));
    match taken["new"].as_bool() {
        Some(true) if changed > 0 => {
            r.line(format!("{name}: {} changed since the one before.", files(changed)))
        }
        Some(true) => r.line(format!("{name}: {}.", files(count))),
        _ => r.line(format!("{name}: nothing changed since.")),
    }
    skipped(r, taken);
    if let Some(id) = taken["operation_id"].as_str() {
        r.hint(format!("`packd show {0}` shows what changed, `packd revert {0}` takes it back.", short(id)));
    }
}

fn skipped(r: Render, reply: &Value) {
    let list = reply["skipped"].as_array().map(Vec::as_slice).unwrap_or_default();
    for file in list {
        r.line(format!(
            "  {} {}: {}",
            r.ink(Ink::Dim, "not stored"),
            text(file, "path"),
            text(file, "because")
        ));
    }
    if let Some(total) = reply["skipped_total"].as_u64() {
        r.hint(format!("  and {} more", total.saturating_sub(list.len() as u64)));
    }
}

pub fn list(r: Render, list: &Value) {
    if let Some(off) = list["automatic_off"].as_str() {
        r.line(format!("Automatic snapshots are off here. {off}"));
    }
    let rows = list["snapshots"].as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        r.line("There is no snapshot of this work tree yet.");
        r.hint(
            "`packd snap take` takes one; `packd setup HOST --hooks` has them taken around every tool call.",
        );
        return;
    }
    let mut table = TextTable::new(&["SNAPSHOT", "WHEN", "BY", "CHANGED", "LABEL"]).fluid(4);
    for row in rows {
        let changed = row["changed"].as_u64().unwrap_or(0);
        let late = if row["late"] == Value::Bool(true) { " (late)" } else { "" };
        table.row([
            text(row, "snapshot").to_string(),
            r.when(text(row, "time")),
            text(&row["by"], "client").to_string(),
            format!("{}{late}", if changed == 0 { "-".to_string() } else { files(changed) }),
            text(row, "label").to_string(),
        ]);
    }
    table.print(r);
    r.hint(
        "`packd snap diff SNAPSHOT` shows what changed since, `packd snap restore SNAPSHOT` goes back to it.",
    );
}

pub fn diff(r: Render, diff: &Value) {
    let changed = diff["changed"].as_u64().unwrap_or(0);
    if changed == 0 {
        r.line("Nothing changed.");
        return;
    }
    each(r, diff, true);
    let shown = diff["files"].as_array().map_or(0, Vec::len) as u64;
    if changed > shown {
        r.hint(format!("and {} more", changed - shown));
    }
}

fn each(r: Render, reply: &Value, contents: bool) {
    for file in reply["files"].as_array().into_iter().flatten() {
        let verb = match text(file, "change") {
            "created" => r.ink(Ink::Green, "created"),
            "deleted" => r.ink(Ink::Red, "deleted"),
            other => r.ink(Ink::Yellow, other),
        };
        r.line(format!("  {verb} {}", text(file, "path")));
        if let (Some(before), Some(after)) = (file["mode"][0].as_str(), file["mode"][1].as_str()) {
            r.line(format!("    mode {before} -> {after}"));
        }
        if let Some(note) = file["note"].as_str() {
            r.line(format!("    {}", r.ink(Ink::Dim, note)));
        }
        if let Some(diff) = file["diff"].as_str().filter(|_| contents) {
            r.unified(diff);
        }
    }
}

pub fn restored(r: Render, reply: &Value) {
    let (name, changed) = (text(reply, "snapshot"), reply["changed"].as_u64().unwrap_or(0));
    if changed == 0 {
        r.line(format!("The files are what they were in {name}."));
        return;
    }
    let preview = reply["preview"] == Value::Bool(true);
    let words = if preview { "Would put back".to_string() } else { r.ink(Ink::Green, "Put back") };
    r.line(format!("{words} {} to {name}:", files(changed)));
    each(r, reply, false);
    for file in reply["left"].as_array().into_iter().flatten() {
        r.line(format!("  {} {}: {}", r.ink(Ink::Dim, "stays"), text(file, "path"), text(file, "because")));
    }
    if preview {
        r.hint(format!("`packd snap restore {name} --yes` does it; what the files are now is kept first."));
    } else {
        r.hint("`packd undo` brings back what they were.");
    }
}

pub fn why(r: Render, told: &Value) {
    match told["text"].as_str() {
        Some(line) => {
            r.line(format!("{}:{}  {line}", text(told, "path"), told["line"].as_u64().unwrap_or(0)))
        }
        None => r.line(text(told, "path")),
    }
    match text(told, "known") {
        "operation" => {
            let op = &told["operation"];
            r.line(format!("  {}", text(op, "summary")));
            let task = op["task"].as_str().map(|task| format!(", for {task}")).unwrap_or_default();
            r.line(format!("  by {}{task}, {}", text(op, "client"), r.when(text(op, "time"))));
            r.hint(format!("  session {}", text(op, "session")));
            let id = short(text(op, "operation_id"));
            r.hint(format!("`packd show {id}` shows all of it, `packd revert {id}` takes it back."));
        }
        "unrecorded" => {
            r.line("  It was changed since the last snapshot.");
            r.hint("`packd snap take` records it.");
        }
        _ => {
            r.line("  It is older than the first snapshot.");
            r.hint(format!("`git blame {}` may know more.", text(told, "path")));
        }
    }
}
