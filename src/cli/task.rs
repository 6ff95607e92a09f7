//! `packd task`: plans and tasks for people, as lists, trees and one-screen views.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::{StepArgs, TaskCommand};
use super::view::render::{Ink, Render};
use super::view::task as view;
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use super::{task_claim as claim, task_hand as hand};

/// As many plans and tasks as one page may hold.
const MANY: u64 = 200;

pub fn run(command: TaskCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let client = &mut Client::open(scope)?;
    match command {
        TaskCommand::List { status, limit } => list(client, status.as_deref(), limit, render),
        TaskCommand::Show { id } | TaskCommand::Tree { id } => tree(client, id.as_deref(), render),
        TaskCommand::Radar { id } => radar(client, id.as_deref(), render),
        TaskCommand::Next { id } => next(client, id.as_deref(), render),
        TaskCommand::Add { title, plan, step, test } => {
            hand::add(client, &title, plan.as_deref(), &step, &test, render)
        }
        TaskCommand::Start { id } => hand::start(client, &id, render),
        TaskCommand::Step { id, title, test } => hand::step(client, &id, &title, &test, render),
        TaskCommand::Close { id, path, note, force } => {
            hand::close(client, &id, path.as_deref(), note.as_deref(), force, render)
        }
        TaskCommand::Claim { id, next: _, minutes, takeover } => {
            claim::claim(client, &claim::ClaimWish { id, minutes, takeover }, render)
        }
        TaskCommand::Release { id } => claim::release(client, id.as_deref(), render),
        TaskCommand::Ready { plan } => claim::ready(client, plan.as_deref(), render),
        TaskCommand::Focus { id, clear } => hand::focus(client, id.as_deref(), clear, render),
        TaskCommand::Edit { id } => hand::edit(client, &id, render),
        TaskCommand::Done { id, path, force } => {
            let id = named(client, &id)?;
            let why = force.then_some("A person said so at the command line.");
            let args = ToolArgs::new().with("task", &id).with("path", &path).with("force", force);
            let args = args.given("override_reason", why);
            let done = intent(client, "tasks_done", args)?;
            render.show(&done, |r| r.line(format!("{} {id} {path}", r.ink(Ink::Green, "done"))));
            Ok(())
        }
        TaskCommand::Note { id, path, note } => {
            let id = named(client, &id)?;
            let note =
                hand::words(&note, "A note needs words.", "packd task note TASK-001 s:0 'parser works'")?;
            let noted = intent(
                client,
                "tasks_note",
                ToolArgs::new().with("task", &id).with("path", &path).with("note", note),
            )?;
            render.show(&noted, |r| r.line(format!("noted on {id} {path}")));
            Ok(())
        }
        TaskCommand::Undo { yes } => {
            let args = StepArgs { family: Some("tasks".into()), yes, ..StepArgs::default() };
            super::step::undo(&args, render, scope)
        }
        TaskCommand::Import { dir, dry_run, overwrite } => import(client, &dir, dry_run, overwrite, render),
        TaskCommand::Export { dir } => export(client, &dir, render),
    }
}

/// Calls an intent and takes the result out of its envelope.
pub fn intent(client: &mut Client, tool: &str, args: ToolArgs) -> Result<Value, CommandFailure> {
    Ok(client.must(tool, args)?["result"].clone())
}

/// The plan or task of this name, as tools want it named.
pub fn target(id: &str) -> ToolArgs {
    ToolArgs::new().with(if id.starts_with("PLAN") { "plan" } else { "task" }, id)
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list(client: &mut Client, status: Option<&str>, limit: u64, render: Render) -> Result<(), CommandFailure> {
    let mut args =
        ToolArgs::new().with("include_all", true).with("tasks_limit", limit).with("plans_limit", limit);
    if let Some(status) = status {
        let status = status.to_ascii_uppercase();
        if !["TODO", "ACTIVE", "DONE"].contains(&status.as_str()) {
            return Err(CommandFailure::usage(format!("There is no status '{status}'."))
                .hint("Known: todo, active, done."));
        }
        args.set("tasks_status", &status);
        args.set("plans_status", status);
    }
    let found = intent(client, "tasks_context", args)?;
    render.long().view(&found, |r, all: view::All| view::list(r, &all, status.is_some()))
}

/// Every plan and task, for finding out which one is meant.
pub fn everything(client: &mut Client) -> Result<view::All, CommandFailure> {
    let all = ToolArgs::new().with("include_all", true).with("tasks_limit", MANY).with("plans_limit", MANY);
    super::view::read(&intent(client, "tasks_context", all)?)
}

/// The task or plan a person means, whatever part of its id was typed. Where none was named: the focus, else the
/// only or newest active task, else the only open one; and says so.
pub fn meant(client: &mut Client, said: Option<&str>, render: Render) -> Result<String, CommandFailure> {
    if let Some(said) = said {
        return named(client, said);
    }
    if let Some(id) = focused(client)? {
        return Ok(id);
    }
    let all = everything(client)?.tasks;
    let of = |status: &str| all.iter().filter(|t| t.status == status).collect::<Vec<_>>();
    let (active, open) = (of("ACTIVE"), of("TODO"));
    let chosen = match (active.as_slice(), open.as_slice()) {
        ([.., newest], _) => {
            Some((newest, if active.len() == 1 { "the only active task" } else { "the newest active task" }))
        }
        ([], [only]) => Some((only, "the only open task")),
        _ => None,
    };
    let Some((task, why)) = chosen else {
        return Err(match all.is_empty() {
            true => {
                CommandFailure::refused("There are no tasks here.").hint("`packd task add TITLE` makes one.")
            }
            false => CommandFailure::refused("Which task?")
                .hint("`packd task list` shows them; `packd task focus ID` chooses one for good."),
        });
    };
    if !render.json {
        render.hint(format!("{} is {why}; `packd task focus ID` chooses another.", task.id));
    }
    Ok(task.id.clone())
}

pub fn named(client: &mut Client, said: &str) -> Result<String, CommandFailure> {
    let upper = said.to_ascii_uppercase();
    let whole = |kind: &str| {
        upper.strip_prefix(kind).is_some_and(|n| n.len() >= 3 && n.chars().all(|c| c.is_ascii_digit()))
    };
    if whole("TASK-") || whole("PLAN-") {
        return Ok(upper);
    }
    let all = everything(client)?;
    let items = all.tasks.iter().chain(&all.plans).map(|t| (t.id.clone(), t.title.clone())).collect();
    super::ids::one_of(said, "task", items).map_err(|failure| match failure.hint.is_some() {
        true => failure,
        false => failure.hint("`packd task list` shows what there is."),
    })
}

pub fn focused(client: &mut Client) -> Result<Option<String>, CommandFailure> {
    let focus = intent(client, "tasks_focus_get", ToolArgs::new())?;
    let id = ["/focus/task", "/focus/id", "/focus", "/task", "/id"]
        .iter()
        .find_map(|at| focus.pointer(at).and_then(Value::as_str));
    Ok(id.filter(|id| !id.is_empty()).map(str::to_string))
}

fn tree(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), CommandFailure> {
    let id = meant(client, id, render)?;
    let mut found = intent(client, "tasks_resume", target(&id).with("compact", false))?;
    let is_plan = !found["task"].is_object();
    let item = if is_plan { &found["plan"] } else { &found["task"] };
    let item: view::TaskView = super::view::read(item)?;
    let below: Vec<view::TaskView> = match is_plan {
        true => everything(client)?.tasks.into_iter().filter(|t| t.parent.as_ref() == Some(&id)).collect(),
        false => Vec::new(),
    };
    if is_plan {
        found["tasks"] =
            below.iter().map(|t| json!({"id": t.id, "title": t.title, "status": t.status})).collect();
    }
    render.long().show(&found, |r| view::tree(r, &item, &below));
    Ok(())
}

fn radar(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), CommandFailure> {
    let id = meant(client, id, render)?;
    let found = intent(client, "tasks_radar", target(&id))?;
    // Why a task exists stands in its plan.
    let plan = found["why"]["plan_id"].as_str().map(|plan| {
        intent(client, "tasks_resume", ToolArgs::new().with("plan", plan).with("compact", false))
    });
    let why = plan.and_then(Result::ok).and_then(|plan| view::reason(&plan["plan"]));
    render.view(&found, |r, radar: view::RadarView| view::radar(r, &radar, why.as_deref()))
}

fn next(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), CommandFailure> {
    let id = meant(client, id, render)?;
    let found = intent(client, "tasks_radar", target(&id))?;
    let next = found["next"][0].clone();
    if render.json {
        render.json(&next);
        return Ok(());
    }
    let radar: view::RadarView = super::view::read(&found)?;
    match radar.next.first() {
        Some(next) => view::suggestion(render, next),
        None => render.line("There is nothing left to do here."),
    }
    Ok(())
}

/// Every file of a task directory goes to the daemon as text; one import is one operation.
fn import(
    client: &mut Client,
    dir: &Path,
    dry_run: bool,
    overwrite: bool,
    render: Render,
) -> Result<(), CommandFailure> {
    let mut files = Vec::new();
    gather(dir, dir, &mut files)?;
    let args = ToolArgs::new()
        .with("action", "import")
        .with("files", &files)
        .with("dry_run", dry_run)
        .with("overwrite", overwrite);
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

fn gather(root: &Path, dir: &Path, files: &mut Vec<Value>) -> Result<(), CommandFailure> {
    let cannot = |path: &Path, e: std::io::Error| {
        CommandFailure::refused(format!("Cannot read {}: {e}.", path.display()))
    };
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

fn export(client: &mut Client, dir: &Path, render: Render) -> Result<(), CommandFailure> {
    let mut written = 0;
    let mut cursor = Value::Null;
    loop {
        let args = ToolArgs::new().with("action", "export").given("cursor", cursor.as_str());
        let page = intent(client, "tasks_storage", args)?;
        for file in page["files"].as_array().into_iter().flatten() {
            let path = dir.join(text(file, "path"));
            let parent = path.parent().unwrap_or(dir);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&path, text(file, "text")))
                .map_err(|e| CommandFailure::refused(format!("Cannot write {}: {e}.", path.display())))?;
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
