//! How plans, drift, snapshots and proposals look to people.

use serde_json::Value;

use super::people;
use super::render::{Ink, Render};
use super::table::TextTable;

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn warnings(r: Render, data: &Value) {
    for warning in list(data, "warnings").iter().filter_map(Value::as_str) {
        r.prose(8, format!("{} {}", r.ink(Ink::Yellow, "warning"), people::plain(warning)));
    }
}

/// Says how many entries of a long list the daemon left out.
fn more(r: Render, data: &Value, field: &str) {
    let left =
        data[format!("{field}_total")].as_u64().unwrap_or(0).saturating_sub(list(data, field).len() as u64);
    if left > 0 {
        r.line(r.ink(Ink::Dim, format!("… and {left} more")));
    }
}

pub fn is_empty(plan: &Value) -> bool {
    list(plan, "changes").is_empty()
}

fn op(r: Render, op: &str) -> String {
    match op {
        "create" => r.ink(Ink::Green, op),
        "delete" => r.ink(Ink::Red, op),
        other => r.ink(Ink::Yellow, other),
    }
}

/// The plan: every file, what happens to it, and what somebody might regret.
pub fn changes(r: Render, plan: &Value) {
    if is_empty(plan) {
        r.line("Everything is up to date.");
        return warnings(r, plan);
    }
    for change in list(plan, "changes") {
        let care = if change["hand_edited"] == true {
            r.ink(Ink::Red, "  edited by hand")
        } else if text(change, "update_kind") == "adopt_update" {
            r.ink(Ink::Red, "  not written by packd: needs --adopt")
        } else {
            String::new()
        };
        r.line(format!("{}  {}{care}", op(r, text(change, "op")), r.path(text(change, "path"))));
    }
    more(r, plan, "changes");
    let n = |what: &str| plan["summary"][what].as_u64().unwrap_or(0);
    r.line(format!("{} to create, {} to update, {} to delete.", n("create"), n("update"), n("delete")));
    warnings(r, plan);
}

pub fn deployed(r: Render, done: &Value) {
    let listed = list(done, "changes").len() as u64;
    let files = done["changes_total"].as_u64().unwrap_or(listed);
    let noun = if files == 1 { "file" } else { "files" };
    let what = format!("{files} {noun}; snapshot {}", text(done, "snapshot_id"));
    r.line(format!("{} {what}", r.ink(Ink::Green, "Deployed")));
    r.hint("`packd undo` takes it back.");
}

pub fn rolled_back(r: Render, done: &Value) {
    let to = text(done, "rolled_back_to");
    if text(done, "reason") == "no_changes" {
        return r.line(format!("Everything is as snapshot {to} left it."));
    }
    let n = |what: &str| done["summary"][what].as_u64().unwrap_or(0);
    let files = format!("{} created, {} updated, {} deleted", n("create"), n("update"), n("delete"));
    r.line(format!("{} to {to}: {files}", r.ink(Ink::Green, "Rolled back")));
    warnings(r, done);
    r.hint("`packd undo` takes it back.");
}

pub fn status(r: Render, data: &Value) {
    let (drift, waiting) = (list(data, "drift"), list(data, "not_deployed"));
    if drift.is_empty() && waiting.is_empty() {
        r.line(r.ink(Ink::Green, "Everything is as it was deployed."));
        return warnings(r, data);
    }
    let mut rows = TextTable::new(&[]).fluid(1);
    for one in drift {
        rows.row([r.ink(Ink::Yellow, text(one, "kind")), r.path(text(one, "path"))]);
    }
    // A file that is missing and was never deployed needs one line only.
    for one in waiting.iter().filter(|w| !drift.iter().any(|d| d["path"] == w["path"])) {
        rows.row([r.ink(Ink::Cyan, "not deployed yet"), r.path(text(one, "path"))]);
    }
    rows.print(r);
    more(r, data, "drift");
    more(r, data, "not_deployed");
    warnings(r, data);
    for action in list(data, "next_actions_detailed") {
        let advice = match text(action, "tool") {
            "preview" => "`packd deploy diff` shows the differences.",
            "deploy" => "`packd deploy --apply` writes the files again.",
            "evolve_propose" => "`packd deploy evolve propose` keeps the edits in the config repository.",
            _ => continue,
        };
        r.hint(advice);
    }
}

pub fn diff(r: Render, data: &Value) {
    let files = list(data, "files");
    if files.is_empty() {
        r.line("No differences.");
        return warnings(r, data);
    }
    for file in files {
        let path = std::path::Path::new(text(file, "root")).join(text(file, "path"));
        let path = r.path(&path.to_string_lossy());
        r.line(format!("{} {}", op(r, text(file, "op")), r.ink(Ink::Bold, path)));
        r.unified(text(file, "unified"));
    }
    warnings(r, data);
}

pub fn doctor(r: Render, data: &Value) {
    for (name, field) in [("repository", "repo"), ("project", "project"), ("machine", "machine_id")] {
        r.field(name, 10, r.path(text(data, field)));
    }
    let mut table = TextTable::new(&[]).fluid(2);
    for root in list(data, "roots") {
        let issues: Vec<_> = list(root, "issues").iter().filter_map(Value::as_str).collect();
        // A directory that is not there yet is made by the first deploy.
        let (mark, issues) = match issues.as_slice() {
            [] => (r.ink(Ink::Green, "ok"), String::new()),
            ["missing"] => (r.ink(Ink::Dim, "--"), " (not there yet)".to_string()),
            _ => (r.ink(Ink::Red, "!!"), format!(": {}", text(root, "suggestion"))),
        };
        table.row([
            mark,
            text(root, "target").to_string(),
            format!("{}{issues}", r.path(text(root, "root"))),
        ]);
    }
    table.print(r);
    warnings(r, data);
}

pub fn snapshots(r: Render, data: &Value) {
    if list(data, "snapshots").is_empty() {
        return r.line("Nothing was deployed here yet.");
    }
    let mut rows = TextTable::new(&["SNAPSHOT", "WHEN", "FILES", "TARGETS"]).fluid(3);
    for one in list(data, "snapshots") {
        let targets: Vec<_> = list(one, "targets").iter().filter_map(Value::as_str).collect();
        let mark = if one["current"] == true { " (current)" } else { "" };
        rows.row([
            text(one, "snapshot_id").to_string(),
            r.when(text(one, "created_at")),
            one["files"].to_string(),
            targets.join(",") + mark,
        ]);
    }
    rows.print(r);
}

/// What would become, or became, a branch of overlays.
pub fn proposal(r: Render, data: &Value) {
    for one in list(data, "candidates") {
        r.line(format!(
            "{} {}  {}",
            r.ink(Ink::Green, "propose"),
            text(one, "module_id"),
            r.path(text(one, "path"))
        ));
    }
    for one in list(data, "skipped") {
        let why = text(one, "reason_message");
        r.prose(
            8,
            format!(
                "{}    {}  {}",
                r.ink(Ink::Yellow, "skip"),
                r.path(text(one, "path")),
                people::plain(why)
            ),
        );
    }
    warnings(r, data);
    if data["created"] == true {
        let (files, branch) = (list(data, "files").len(), text(data, "branch"));
        let noun = if files == 1 { "file" } else { "files" };
        r.line(format!("{} {files} overlay {noun} on branch {branch}", r.ink(Ink::Green, "Committed")));
        return r.hint("Merge it in the config repository; `packd undo` removes it.");
    }
    match text(data, "reason") {
        "dry_run" => preview(r),
        "no_drift" => r.line("No deployed file was edited."),
        _ => r.line("Nothing can be proposed."),
    }
}

pub fn restored(r: Render, data: &Value) {
    for one in list(data, "restored") {
        r.line(format!("{} {}", r.ink(Ink::Green, "restore"), r.path(text(one, "path"))));
    }
    warnings(r, data);
    match text(data, "reason") {
        "dry_run" => preview(r),
        "no_missing" => r.line("No file is missing."),
        _ => r.hint("`packd undo` takes it back."),
    }
}

fn preview(r: Render) {
    r.hint("A preview; run it again with --yes to do it.");
}
