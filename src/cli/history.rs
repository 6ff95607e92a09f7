//! `packd undo`, `redo`, `history`, `show`, `log`: what was done, for people.

use std::time::Duration;

use serde_json::{Value, json};

use super::args::{HistoryArgs, LogArgs, ShowArgs, StepArgs};
use super::render::{Ink, Render, shorten};
use super::{Client, Failure, Scope};

/// How often a follower asks for news; the daemon answers from its log.
const FOLLOW_EVERY: Duration = Duration::from_millis(300);

pub fn undo(args: &StepArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    step("history_undo", "undid", "Undid", args, render, scope)
}

pub fn redo(args: &StepArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    step("history_redo", "redid", "Redid", args, render, scope)
}

fn step(
    tool: &str,
    field: &str,
    verb: &str,
    args: &StepArgs,
    render: Render,
    scope: &Scope,
) -> Result<(), Failure> {
    let mut request = json!({"yes": args.yes});
    for (name, value) in
        [("family", &args.family), ("target", &args.target), ("expected_operation_id", &args.expect)]
    {
        if let Some(value) = value {
            request[name] = json!(value);
        }
    }
    let answer = Client::open(scope)?.must(tool, request).map_err(|failure| {
        let changed = failure.details["code"] == json!("file_changed");
        let path = failure.details["details"]["path"].as_str().filter(|_| changed);
        match path.and_then(super::setup::remedy) {
            Some(remedy) => failure.hint(remedy),
            None => failure,
        }
    })?;
    render.show(&answer, |r| {
        let op = &answer[field];
        if answer["preview"] == json!(true) {
            r.line(format!("Would take back: {}", text(op, "summary")));
        } else {
            r.line(format!("{} {}", r.ink(Ink::Green, verb), text(op, "summary")));
        }
        for file in answer["files"].as_array().into_iter().flatten() {
            r.line(format!("  {} {}", text(file, "change"), text(file, "path")));
        }
        if answer["preview"] == json!(true) {
            r.line(format!("`packd show {}` shows what it changed.", text(op, "operation_id")));
            r.line("It writes the files above. Run it again with --yes to do it.");
        }
    });
    Ok(())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

pub fn list(args: &HistoryArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut request = json!({"limit": args.limit, "all_workspaces": args.all});
    if args.audit {
        request["stream"] = json!("audit");
    }
    for (name, value) in [
        ("family", &args.family),
        ("target", &args.target),
        ("tool", &args.tool),
        ("path", &args.path),
        ("before", &args.before),
    ] {
        if let Some(value) = value {
            request[name] = json!(value);
        }
    }
    let answer = Client::open(scope)?.must("history_list", request)?;
    render.show(&answer, |r| {
        let ops = answer["operations"].as_array().cloned().unwrap_or_default();
        if ops.is_empty() {
            r.line("Nothing was done here yet.");
        }
        for op in &ops {
            print_op(r, op);
        }
        if let Some(next) = answer["next_before"].as_str() {
            r.line(r.ink(Ink::Dim, format!("more: packd history --before {next}")));
        }
    });
    Ok(())
}

/// Two lines an operation: when, what; then who, undoable or why not, id.
fn print_op(r: Render, op: &Value) {
    let mark = match (text(op, "status"), op["undoable"] == json!(true)) {
        ("undone", _) => r.ink(Ink::Dim, "undone"),
        ("pending", _) => r.ink(Ink::Yellow, "pending"),
        ("needs_attention", _) => r.ink(Ink::Red, "needs attention"),
        (_, true) => r.ink(Ink::Green, "undoable"),
        _ if op["kind"] != json!("do") => r.ink(Ink::Dim, text(op, "kind")),
        _ => r.ink(Ink::Yellow, "final"),
    };
    let when = text(op, "time").get(..19).unwrap_or_default().replace('T', " ");
    r.line(format!("{}  {}", r.ink(Ink::Cyan, when), shorten(text(op, "summary"), 57)));
    let who = text(&op["who"], "client");
    let id = text(op, "operation_id");
    r.line(format!("  {mark}  {}  {}", r.ink(Ink::Dim, id), r.ink(Ink::Dim, shorten(who, 16))));
    if let Some(why) = op["not_undoable_because"].as_str() {
        r.line(format!("  {}", r.ink(Ink::Dim, why)));
    }
}

pub fn show(args: &ShowArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let request =
        if args.request { json!({"request_key": args.id}) } else { json!({"operation_id": args.id}) };
    let op = Client::open(scope)?.must("history_show", request)?;
    render.show(&op, |r| {
        print_op(r, &op);
        r.line(format!("  tool {}  workspace {}", text(&op, "tool"), text(&op, "workspace")));
        for change in op["changes"].as_array().into_iter().flatten() {
            let verb = ["made", "gone"].into_iter().find(|verb| !change[*verb].is_null()).unwrap_or("edited");
            r.line(r.ink(Ink::Bold, format!("{verb} {} {}", text(change, "table"), text(change, "key"))));
            match verb {
                "made" => diff(r, &Value::Null, &change["made"]),
                "gone" => diff(r, &change["gone"], &Value::Null),
                _ => {
                    change["edited"].as_array().into_iter().flatten().for_each(|field| print_field(r, field))
                }
            }
        }
        let files = op["effects"].as_array().map(Vec::as_slice).unwrap_or_default();
        for file in files {
            let mode = match (file["mode"]["before"].as_str(), file["mode"]["after"].as_str()) {
                (Some(before), Some(after)) => format!("  mode {before} to {after}"),
                _ => String::new(),
            };
            let what = format!("{} {}{mode}", text(file, "change"), text(file, "path"));
            r.line(r.ink(Ink::Bold, what));
            r.unified(text(file, "diff"));
            if let Some(why) = file["diff_omitted"].as_str() {
                r.line(r.ink(Ink::Dim, why));
            }
        }
        let more = op["effects_total"].as_u64().unwrap_or(0).saturating_sub(files.len() as u64);
        if more > 0 {
            r.line(r.ink(Ink::Dim, format!("… and {more} more files")));
        }
    });
    Ok(())
}

/// One field with what became of it.
fn print_field(r: Render, field: &Value) {
    r.line(format!(
        "  {}{}",
        text(field, "path"),
        if field["moved"] == json!(true) { "  moved" } else { "" }
    ));
    match field["diff"].as_str() {
        Some(text) => r.unified(text),
        None => diff(r, &field["before"], &field["after"]),
    }
}

/// The two sides as pretty JSON, line by line.
fn diff(r: Render, before: &Value, after: &Value) {
    let pretty = |v: &Value| match v {
        Value::Null => String::new(),
        v => serde_json::to_string_pretty(v).unwrap_or_default() + "\n",
    };
    let (before, after) = (pretty(before), pretty(after));
    let diff = similar::TextDiff::from_lines(before.as_str(), after.as_str());
    for group in diff.grouped_ops(2) {
        for op in group {
            for change in diff.iter_changes(&op) {
                let line = change.to_string();
                let line = line.trim_end_matches('\n');
                r.line(match change.tag() {
                    similar::ChangeTag::Delete => r.ink(Ink::Red, format!("- {line}")),
                    similar::ChangeTag::Insert => r.ink(Ink::Green, format!("+ {line}")),
                    similar::ChangeTag::Equal => format!("  {line}"),
                });
            }
        }
    }
}

pub fn log(args: &LogArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    let mut since = args.since.clone();
    loop {
        let mut request = json!({"limit": 200, "all_workspaces": args.all});
        if args.audit {
            request["stream"] = json!("audit");
        }
        if let Some(id) = &since {
            request["since"] = json!(id);
        }
        let page = client.must("history_delta", request)?;
        for op in page["operations"].as_array().into_iter().flatten() {
            if render.json {
                render.line(op.to_string());
            } else {
                print_op(render, op);
            }
        }
        if let Some(latest) = page["latest_id"].as_str() {
            since = Some(latest.to_string());
        }
        if page["has_more"] == json!(true) {
            continue;
        }
        if !args.follow {
            return Ok(());
        }
        std::thread::sleep(FOLLOW_EVERY);
    }
}
