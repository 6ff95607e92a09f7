//! `packd task`: plans and tasks for people, as lists, trees and one-screen views.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::TaskCommand;
use super::render::{Ink, Render, shorten};
use super::{Client, Failure, Scope};

pub fn run(command: TaskCommand, render: Render, scope: &Scope) -> Result<(), Failure> {
    let client = &mut Client::open(scope)?;
    match command {
        TaskCommand::List { status, limit } => list(client, status.as_deref(), limit, render),
        TaskCommand::Show { id } | TaskCommand::Tree { id } => tree(client, id.as_deref(), render),
        TaskCommand::Radar { id } => radar(client, id.as_deref(), render),
        TaskCommand::Next { id } => next(client, id.as_deref(), render),
        TaskCommand::Done { id, path, force } => {
            let args = json!({"task": id, "path": path, "force": force});
            let done = intent(client, "tasks_done", args)?;
            render.show(&done, |r| r.line(format!("{} {id} {path}", r.ink(Ink::Green, "done"))));
            Ok(())
        }
        TaskCommand::Note { id, path, note } => {
            let noted = intent(client, "tasks_note", json!({"task": id, "path": path, "note": note}))?;
            render.show(&noted, |r| r.line(format!("noted on {id} {path}")));
            Ok(())
        }
        TaskCommand::Undo => {
            let undone = intent(client, "tasks_undo", json!({}))?;
            render.show(&undone, |r| {
                r.line(format!("Undone: {}", text(&undone["undone_operation"], "intent")))
            });
            Ok(())
        }
        TaskCommand::Import { dir, dry_run, overwrite } => import(client, &dir, dry_run, overwrite, render),
        TaskCommand::Export { dir } => export(client, &dir, render),
    }
}

/// Calls an intent and takes the result out of its envelope.
fn intent(client: &mut Client, tool: &str, args: Value) -> Result<Value, Failure> {
    Ok(client.must(tool, args)?["result"].clone())
}

fn target(id: Option<&str>) -> Value {
    match id {
        Some(id) if id.starts_with("PLAN") => json!({"plan": id}),
        Some(id) => json!({"task": id}),
        None => json!({}),
    }
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn mark(r: Render, status: &str) -> String {
    match status {
        "DONE" | "completed" => r.ink(Ink::Green, "✓"),
        "ACTIVE" | "in_progress" => r.ink(Ink::Cyan, "▸"),
        "blocked" => r.ink(Ink::Red, "✗"),
        _ => r.ink(Ink::Dim, "·"),
    }
}

/// Ten cells of progress.
fn bar(r: Render, percent: u64) -> String {
    let full = usize::try_from(percent.min(100) / 10).unwrap_or(0);
    let cells = format!("{}{}", "█".repeat(full), "░".repeat(10 - full));
    format!("{} {percent:>3} %", r.ink(if percent >= 100 { Ink::Green } else { Ink::Cyan }, cells))
}

fn list(client: &mut Client, status: Option<&str>, limit: u64, render: Render) -> Result<(), Failure> {
    let mut args = json!({"include_all": true, "tasks_limit": limit, "plans_limit": limit});
    if let Some(status) = status {
        args["tasks_status"] = json!(status);
        args["plans_status"] = json!(status);
    }
    let found = intent(client, "tasks_context", args)?;
    render.show(&found, |r| {
        let all = |field: &str| found[field].as_array().cloned().unwrap_or_default();
        let (plans, tasks) = (all("plans"), all("tasks"));
        if plans.is_empty() && tasks.is_empty() {
            return r.line("There are no tasks here. An agent makes one with tasks_create.");
        }
        let line = |item: &Value, indent: &str| {
            let name = format!("{indent}{} {}", mark(r, text(item, "status")), text(item, "id"));
            vec![name, bar(r, item["progress"].as_u64().unwrap_or(0)), shorten(text(item, "title"), 40)]
        };
        let mut rows = Vec::new();
        for plan in &plans {
            rows.push(line(plan, ""));
            rows.extend(tasks.iter().filter(|t| t["parent"] == plan["id"]).map(|t| line(t, "  ")));
        }
        let known = |task: &Value| plans.iter().any(|p| p["id"] == task["parent"]);
        rows.extend(tasks.iter().filter(|t| !known(t)).map(|t| line(t, "")));
        r.table(&rows);
    });
    Ok(())
}

fn tree(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), Failure> {
    let mut args = target(id);
    args["compact"] = json!(false);
    let found = intent(client, "tasks_resume", args)?;
    render.show(&found, |r| {
        let item = if found["task"].is_object() { &found["task"] } else { &found["plan"] };
        let title = r.ink(Ink::Bold, text(item, "title"));
        r.line(format!("{} {}  {title}", mark(r, text(item, "status")), text(item, "id")));
        r.line(format!(
            "  {}  revision {}",
            bar(r, item["progress"].as_u64().unwrap_or(0)),
            item["revision"]
        ));
        for (i, step) in item["plan_steps"].as_array().into_iter().flatten().enumerate() {
            let done = item["plan_current"].as_u64().is_some_and(|n| (i as u64) < n);
            let word = if done { "DONE" } else { "pending" };
            r.line(format!("  {} {}", mark(r, word), step.as_str().unwrap_or_default()));
        }
        steps(r, item, 1);
    });
    Ok(())
}

fn steps(r: Render, parent: &Value, depth: usize) {
    for step in parent["steps"].as_array().into_iter().flatten() {
        let status = if step["blocked"] == json!(true) { "blocked" } else { text(step, "status") };
        let needs: Vec<_> =
            step["needs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let needs = if needs.is_empty() || step["completed"] == json!(true) {
            String::new()
        } else {
            r.ink(Ink::Dim, format!("  needs {}", needs.join(", ")))
        };
        let indent = "  ".repeat(depth);
        let path = r.ink(Ink::Dim, text(step, "path"));
        r.line(format!("{indent}{} {path} {}{needs}", mark(r, status), text(step, "title")));
        for node in step["plan"]["tasks"].as_array().into_iter().flatten() {
            let path = r.ink(Ink::Dim, text(node, "path"));
            r.line(format!("{indent}  {} {path} {}", mark(r, text(node, "status")), text(node, "title")));
            steps(r, node, depth + 2);
        }
    }
}

fn radar(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), Failure> {
    let found = intent(client, "tasks_radar", target(id))?;
    render.show(&found, |r| {
        let row = |name: &str, value: String| {
            if !value.is_empty() {
                r.line(format!("{} {value}", r.ink(Ink::Bold, format!("{name:<8}"))));
            }
        };
        let focus = &found["focus"];
        row(
            "focus",
            format!("{} {} ({})", text(focus, "id"), text(focus, "title"), text(focus, "lifecycle_status")),
        );
        let now = &found["now"];
        row("now", format!("{} {}", text(now, "path"), text(now, "title")).trim().to_string());
        row("why", text(&found["why"], "contract_preview").to_string());
        row("verify", words(&found["verify"]["commands"]));
        row("open", words(&found["open_checkpoints"]));
        row("blocked", words(&found["blockers"]["blockers"]));
        let runway = if found["runway"]["open"] == json!(true) {
            r.ink(Ink::Green, "open")
        } else {
            r.ink(Ink::Yellow, "closed")
        };
        row("runway", format!("{runway} {}", text(&found["runway"]["blocking"]["validation"], "message")));
        suggestion(r, &found["next"][0]);
    });
    Ok(())
}

fn words(list: &Value) -> String {
    let items: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    items.join(", ")
}

/// The one next action, as a command that can be pasted.
fn suggestion(r: Render, next: &Value) {
    if next.is_object() {
        r.line(format!("{} {}", r.ink(Ink::Bold, "next    "), text(next, "reason")));
        r.line(format!("  packd call {} '{}'", text(next, "target"), next["params"]));
    }
}

fn next(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), Failure> {
    let found = intent(client, "tasks_radar", target(id))?;
    let next = found["next"][0].clone();
    render.show(&next, |r| match next.is_object() {
        true => suggestion(r, &next),
        false => r.line("There is nothing left to do here."),
    });
    Ok(())
}

/// Every file of a task directory goes to the daemon as text; one import is one operation.
fn import(
    client: &mut Client,
    dir: &Path,
    dry_run: bool,
    overwrite: bool,
    render: Render,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    gather(dir, dir, &mut files)?;
    let args = json!({"action": "import", "files": files, "dry_run": dry_run, "overwrite": overwrite});
    let done = intent(client, "tasks_storage", args)?;
    render.show(&done, |r| {
        let verb = if dry_run { "Would take in" } else { "Took in" };
        r.line(format!("{verb} {} of {} files.", done["counts"]["imported"], files.len()));
        for one in done["failed"].as_array().into_iter().flatten() {
            r.line(format!("  {} {one}", r.ink(Ink::Red, "left out")));
        }
    });
    Ok(())
}

fn gather(root: &Path, dir: &Path, files: &mut Vec<Value>) -> Result<(), Failure> {
    let cannot =
        |path: &Path, e: std::io::Error| Failure::refused(format!("Cannot read {}: {e}.", path.display()));
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir)
        .map_err(|e| cannot(dir, e))?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .collect();
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden {
            gather(root, &path, files)?;
        } else if path.extension().is_some_and(|e| e == "task") {
            let text = std::fs::read_to_string(&path).map_err(|e| cannot(&path, e))?;
            let name = path.strip_prefix(root).unwrap_or(&path);
            files.push(json!({"path": name, "text": text}));
        }
    }
    Ok(())
}

fn export(client: &mut Client, dir: &Path, render: Render) -> Result<(), Failure> {
    let mut written = 0;
    let mut cursor = Value::Null;
    loop {
        let mut args = json!({"action": "export"});
        if let Some(at) = cursor.as_str() {
            args["cursor"] = json!(at);
        }
        let page = intent(client, "tasks_storage", args)?;
        for file in page["files"].as_array().into_iter().flatten() {
            let path = dir.join(text(file, "path"));
            let parent = path.parent().unwrap_or(dir);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&path, text(file, "text")))
                .map_err(|e| Failure::refused(format!("Cannot write {}: {e}.", path.display())))?;
            written += 1;
        }
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    render.show(&json!({"written": written, "directory": dir}), |r| {
        r.line(format!("Wrote {written} files to {}.", dir.display()));
    });
    Ok(())
}
