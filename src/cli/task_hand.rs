//! Plans and tasks made and moved by hand: what an agent does with a call, a person does with a command.

use serde_json::{Value, json};

use super::task::{everything, focused, intent, named, target};
use super::view::render::{Ink, Render};
use super::view::task::All;
use super::{Client, CommandFailure, ToolArgs, editor};

/// A task, with a plan around it where there is none. Says which plan it took.
pub fn add(
    client: &mut Client,
    title: &str,
    plan: Option<&str>,
    steps: &[String],
    tests: &[String],
    render: Render,
) -> Result<(), CommandFailure> {
    let title = words(title, "A task needs a title.", "packd task add 'Ship OAuth'")?;
    let steps: Vec<ToolArgs> = steps
        .iter()
        .map(|step| {
            Ok(one_step(
                words(step, "A step needs a title.", "packd task add TITLE --step 'Write it'")?,
                tests,
            ))
        })
        .collect::<Result<_, CommandFailure>>()?;
    let (plan, said) = home(client, plan)?;
    let mut args = ToolArgs::new()
        .with("kind", "task")
        .with("parent", &plan)
        .with("title", title)
        .with("success_criteria", [format!("{title}: done")]);
    if !steps.is_empty() {
        args.set("steps", &steps);
    } else if !tests.is_empty() {
        args.set("tests", tests);
    }
    let made = intent(client, "tasks_create", args)?;
    let id = made["task_id"].as_str().or(made["task"]["id"].as_str()).unwrap_or_default().to_string();
    render.show(&made, |r| {
        r.prose(2, format!("{}  {id}  {title}", r.ink(Ink::Green, "made")));
        r.hint(format!("In {plan}, {said}."));
        match steps.is_empty() {
            true => {
                r.hint(format!("`packd task step {id} TITLE` adds a step, `packd task start {id}` begins."))
            }
            false => r.hint(format!("`packd task start {id}` begins.")),
        }
    });
    Ok(())
}

/// The plan for a new task: the one that was named, the focused one, the only open one, or a new one.
fn home(client: &mut Client, said: Option<&str>) -> Result<(String, &'static str), CommandFailure> {
    let all = everything(client)?;
    if let Some(said) = said {
        return Ok((plan(&all, said)?, "as you said"));
    }
    let focus = focused(client)?;
    let plan_of = |id: &str| match id.starts_with("PLAN") {
        true => Some(id.to_string()),
        false => all.tasks.iter().find(|t| t.id == id).and_then(|t| t.parent.clone()),
    };
    if let Some(plan) = focus.as_deref().and_then(plan_of) {
        return Ok((plan, "the focused plan"));
    }
    let open: Vec<_> = all.plans.iter().filter(|p| p.status != "DONE").collect();
    match open.as_slice() {
        [only] => Ok((only.id.clone(), "the only open plan")),
        [] => {
            let made = intent(
                client,
                "tasks_create",
                ToolArgs::new().with("kind", "plan").with("title", "Things to do"),
            )?;
            let id = made["plan_id"].as_str().or(made["plan"]["id"].as_str()).unwrap_or_default();
            Ok((id.to_string(), "a new plan, since there was none"))
        }
        several => {
            let names: Vec<_> = several.iter().map(|p| format!("{} ({})", p.id, p.title)).collect();
            Err(CommandFailure::refused("Which plan?")
                .hint(format!("Name one with --plan: {}.", names.join(", "))))
        }
    }
}

/// The plan a person means.
pub fn plan(all: &All, said: &str) -> Result<String, CommandFailure> {
    let plans = all.plans.iter().map(|p| (p.id.clone(), p.title.clone())).collect();
    super::ids::one_of(said, "plan", plans).map_err(|failure| match failure.hint.is_some() {
        true => failure,
        false => failure.hint("`packd task list` shows the plans."),
    })
}

pub fn words<'a>(text: &'a str, message: &str, example: &str) -> Result<&'a str, CommandFailure> {
    match text.trim() {
        "" => Err(CommandFailure::usage(message).hint(format!("Example: {example}"))),
        text => Ok(text),
    }
}

fn one_step(title: &str, tests: &[String]) -> ToolArgs {
    let step = ToolArgs::new().with("title", title).with("success_criteria", [format!("{title}: done")]);
    step.given("tests", Some(tests).filter(|tests| !tests.is_empty()))
}

/// Active and in focus.
pub fn start(client: &mut Client, id: &str, render: Render) -> Result<(), CommandFailure> {
    let id = named(client, id)?;
    let begun = intent(client, "tasks_complete", ToolArgs::new().with("task", &id).with("status", "ACTIVE"))?;
    intent(client, "tasks_focus_set", ToolArgs::new().with("task", &id))?;
    render.show(&begun, |r| {
        r.line(format!("{}  {id} is active and the focus.", r.ink(Ink::Green, "started")));
        r.hint("`packd task radar` shows what is next.");
    });
    Ok(())
}

pub fn step(
    client: &mut Client,
    id: &str,
    title: &str,
    tests: &[String],
    render: Render,
) -> Result<(), CommandFailure> {
    let title = words(title, "A step needs a title.", "packd task step TASK-001 'Write it'")?;
    let id = named(client, id)?;
    let made = intent(
        client,
        "tasks_decompose",
        ToolArgs::new().with("task", &id).with("steps", [one_step(title, tests)]),
    )?;
    render.show(&made, |r| r.prose(2, format!("{}  a step to {id}: {title}", r.ink(Ink::Green, "added"))));
    Ok(())
}

/// A step with everything that is open in it confirmed by the person who says so; or the task.
pub fn close(
    client: &mut Client,
    id: &str,
    path: Option<&str>,
    note: Option<&str>,
    force: bool,
    render: Render,
) -> Result<(), CommandFailure> {
    let id = named(client, id)?;
    let why = note.unwrap_or("A person said so at the command line.");
    let closed = match path {
        Some(path) => {
            let args = ToolArgs::new()
                .with("task", &id)
                .with("path", path)
                .with("note", note.unwrap_or_default())
                .with("checkpoints", confirmed(why))
                .with("force", force)
                .given("override_reason", force.then_some(why));
            intent(client, "tasks_close_step", args)?
        }
        None => {
            let args = ToolArgs::new().with("task", &id).with("status", "DONE").with("force", force);
            let args = args.given("override_reason", force.then_some(why));
            intent(client, "tasks_complete", args)?
        }
    };
    let path = path.map(|p| format!(" {p}")).unwrap_or_default();
    render.show(&closed, |r| {
        r.line(format!("{}  {id}{path}", r.ink(Ink::Green, "closed")));
        r.hint("`packd undo` opens it again.");
    });
    Ok(())
}

fn confirmed(note: &str) -> Value {
    json!({"criteria": {"confirmed": true, "note": note}, "tests": {"confirmed": true, "note": note}})
}

pub fn focus(
    client: &mut Client,
    id: Option<&str>,
    clear: bool,
    render: Render,
) -> Result<(), CommandFailure> {
    if clear {
        let cleared = intent(client, "tasks_focus_clear", ToolArgs::new())?;
        render.show(&cleared, |r| r.line("Nothing is in focus."));
        return Ok(());
    }
    let id = match id {
        Some(id) => {
            let id = named(client, id)?;
            intent(client, "tasks_focus_set", ToolArgs::new().with("task", &id))?;
            Some(id)
        }
        None => focused(client)?,
    };
    render.show(&json!({"focus": id}), |r| match &id {
        Some(id) => r.line(format!("{id} is the focus.")),
        None => {
            r.line("Nothing is in focus.");
            r.hint("`packd task focus ID` chooses a task or plan.");
        }
    });
    Ok(())
}

/// What of a task can be changed as text.
const FIELDS: [&str; 4] = ["description", "context", "priority", "tags"];

pub fn edit(client: &mut Client, id: &str, render: Render) -> Result<(), CommandFailure> {
    let id = named(client, id)?;
    let found = intent(client, "tasks_resume", target(&id).with("compact", false))?;
    let item = if found["task"].is_object() { &found["task"] } else { &found["plan"] };
    let text = |field: &str| match &item[field] {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        value => value.as_str().unwrap_or_default().to_string(),
    };
    let mut page = format!(
        "# {id} {}\n# Each part may have several lines. Tags are separated by commas.\n",
        text("title")
    );
    for field in FIELDS {
        page.push_str(&format!("\n{field}:\n{}\n", text(field)));
    }
    let edited = editor::edit(&page, &format!("{id}.txt"))?;
    let parts = parts(&edited);
    let mut args = ToolArgs::new().with("task", &id).with("expected_revision", &item["revision"]);
    let mut changed = Vec::new();
    for field in FIELDS {
        let Some(new) = parts.iter().find(|(name, _)| name == field).map(|(_, text)| text.trim()) else {
            continue;
        };
        if new == text(field).trim() {
            continue;
        }
        changed.push(field);
        match field {
            "tags" => {
                let tags = new.split(',').map(str::trim).filter(|t| !t.is_empty());
                args.set(field, tags.collect::<Vec<_>>());
            }
            _ => args.set(field, new),
        }
    }
    if changed.is_empty() {
        render.show(&json!({"changed": changed}), |r| r.line("Nothing was changed."));
        return Ok(());
    }
    let done = intent(client, "tasks_edit", args)?;
    render.show(&done, |r| r.line(format!("{}  {id}: {}", r.ink(Ink::Green, "changed"), changed.join(", "))));
    Ok(())
}

/// `name:` on a line of its own begins a part; lines that begin with `#` before the first one are for the reader.
fn parts(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let name = line.strip_suffix(':').filter(|name| FIELDS.contains(name));
        match (name, out.last_mut()) {
            (Some(name), _) => out.push((name.to_string(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    out
}
