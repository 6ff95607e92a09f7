//! Plans and tasks for people: the list, the tree, and one screen that says what is next.

use serde::Deserialize;
use serde_json::Value;

use super::claim::HolderView;
use super::people;
use super::render::{Ink, Render};
use super::table::TextTable;

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct TaskView {
    pub id: String,
    pub title: String,
    pub status: String,
    pub progress: u64,
    pub parent: Option<String>,
    pub revision: u64,
    pub description: Option<String>,
    pub steps: Vec<TaskStepView>,
    pub plan_steps: Vec<String>,
    pub plan_current: u64,
    pub blocked: bool,
    pub blockers: Vec<String>,
    pub held_by: Option<HolderView>,
    pub lease_until: Option<String>,
}

impl TaskView {
    pub fn is_blocked(&self) -> bool {
        self.blocked || !self.blockers.is_empty()
    }

    /// What is in its way, if anything is.
    pub fn why_blocked(&self) -> Option<String> {
        self.is_blocked().then(|| match self.blockers.is_empty() {
            true => "marked as blocked".to_string(),
            false => self.blockers.join(", "),
        })
    }
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct TaskStepView {
    pub path: String,
    pub title: String,
    pub status: String,
    pub completed: bool,
    pub blocked: bool,
    pub needs: Vec<String>,
    pub plan: Option<Nodes>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct Nodes {
    pub tasks: Vec<Node>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct Node {
    pub path: String,
    pub title: String,
    pub status: String,
    pub steps: Vec<TaskStepView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct All {
    pub plans: Vec<TaskView>,
    pub tasks: Vec<TaskView>,
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

/// How far a plan is: by its own list of steps, else by its tasks.
fn progress(plan: &TaskView, tasks: &[&TaskView]) -> u64 {
    match plan.progress == 0 && !tasks.is_empty() {
        true => tasks.iter().map(|task| task.progress.min(100)).sum::<u64>() / tasks.len() as u64,
        false => plan.progress,
    }
}

pub fn list(r: Render, all: &All, narrowed: bool) {
    if narrowed && all.plans.is_empty() && all.tasks.is_empty() {
        r.line("No task here fits.");
        return r.hint("`packd task list` shows all of them.");
    }
    if all.plans.is_empty() && all.tasks.is_empty() {
        r.line("There are no tasks here.");
        return r.hint("`packd task add TITLE` makes one.");
    }
    let line = |item: &TaskView, indent: &str, done: u64| {
        let name = format!("{indent}{} {}", mark(r, &item.status), item.id);
        let by = item.held_by.as_ref().map(|who| format!("  ({})", who.name())).unwrap_or_default();
        [name, bar(r, done), format!("{}{by}", item.title)]
    };
    let mut table = TextTable::new(&[]).fluid(2);
    for plan in &all.plans {
        let below: Vec<&TaskView> =
            all.tasks.iter().filter(|t| t.parent.as_ref() == Some(&plan.id)).collect();
        // Only some of its tasks are listed where a state was asked for: they do not tell how far it is.
        table.row(line(plan, "", if narrowed { plan.progress } else { progress(plan, &below) }));
        below.iter().for_each(|t| table.row(line(t, "  ", t.progress)));
    }
    let known = |task: &TaskView| all.plans.iter().any(|p| Some(&p.id) == task.parent.as_ref());
    all.tasks.iter().filter(|t| !known(t)).for_each(|t| table.row(line(t, "", t.progress)));
    table.print(r);
}

/// One plan or task; a plan with the tasks below it.
pub fn tree(r: Render, item: &TaskView, below: &[TaskView]) {
    r.prose(2, format!("{} {}  {}", mark(r, &item.status), item.id, r.ink(Ink::Bold, &item.title)));
    let done = progress(item, &below.iter().collect::<Vec<_>>());
    r.line(format!("  {}  revision {}", bar(r, done), item.revision));
    if let Some(text) = item.description.as_deref().filter(|d| !d.is_empty()) {
        r.prose(2, format!("  {text}"));
    }
    for (i, step) in item.plan_steps.iter().enumerate() {
        let word = if (i as u64) < item.plan_current { "DONE" } else { "pending" };
        r.prose(4, format!("  {} {step}", mark(r, word)));
    }
    steps(r, &item.steps, 1);
    let mut table = TextTable::new(&[]).fluid(2);
    for task in below {
        table.row([
            format!("  {} {}", mark(r, &task.status), task.id),
            bar(r, task.progress),
            task.title.clone(),
        ]);
    }
    table.print(r);
    if item.steps.is_empty() && item.plan_steps.is_empty() && below.is_empty() {
        match item.id.starts_with("PLAN") {
            true => r.hint(format!("It has no tasks yet: `packd task add TITLE --plan {}`", item.id)),
            false => r.hint(format!("It has no steps yet: `packd task step {} TITLE`", item.id)),
        }
    }
}

fn steps(r: Render, list: &[TaskStepView], depth: usize) {
    for step in list {
        let status = if step.blocked { "blocked" } else { &step.status };
        let needs = match step.needs.is_empty() || step.completed {
            true => String::new(),
            false => r.ink(Ink::Dim, format!("  needs {}", step.needs.join(", "))),
        };
        let indent = "  ".repeat(depth);
        let path = r.ink(Ink::Dim, &step.path);
        r.prose(depth * 2 + 6, format!("{indent}{} {path} {}{needs}", mark(r, status), step.title));
        for node in step.plan.iter().flat_map(|p| &p.tasks) {
            let path = r.ink(Ink::Dim, &node.path);
            r.prose(depth * 2 + 8, format!("{indent}  {} {path} {}", mark(r, &node.status), node.title));
            steps(r, &node.steps, depth + 2);
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RadarView {
    focus: Focus,
    now: Now,
    why: Why,
    verify: Verify,
    open_checkpoints: Vec<String>,
    blockers: Blockers,
    runway: Runway,
    pub next: Vec<NextActionView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Focus {
    id: String,
    title: String,
    lifecycle_status: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Now {
    path: Option<String>,
    title: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Why {
    plan_id: Option<String>,
    plan_title: Option<String>,
    goal: Option<String>,
    contract_preview: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Verify {
    commands: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Blockers {
    blockers: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Runway {
    open: bool,
    blocking: Option<Value>,
}

/// One action that is suggested.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct NextActionView {
    target: String,
    reason: String,
    params: Value,
}

/// Where the plan says why a task exists.
pub fn reason(plan: &Value) -> Option<String> {
    let goal = plan["contract_data"]["goal"].as_str().filter(|g| !g.is_empty());
    goal.or(plan["title"].as_str()).filter(|t| !t.is_empty()).map(str::to_string)
}

pub fn radar(r: Render, radar: &RadarView, plan: Option<&str>) {
    let row = |name: &str, value: String| {
        if !value.is_empty() {
            r.field(name, 7, value);
        }
    };
    let focus = &radar.focus;
    row("focus", format!("{} {} ({})", focus.id, focus.title, focus.lifecycle_status.to_lowercase()));
    let word = |text: &Option<String>| text.clone().unwrap_or_default();
    row("now", format!("{} {}", word(&radar.now.path), word(&radar.now.title)).trim().to_string());
    let own = [&radar.why.goal, &radar.why.contract_preview, &radar.why.plan_title];
    let why = own.into_iter().flatten().find(|t| !t.is_empty()).cloned().or(plan.map(str::to_string));
    let of = radar.why.plan_id.as_deref().filter(|id| *id != focus.id).map(|id| format!(" ({id})"));
    row("why", why.map(|w| w + &of.unwrap_or_default()).unwrap_or_default());
    row("verify", radar.verify.commands.join(", "));
    row("open", radar.open_checkpoints.join(", "));
    row("blocked", radar.blockers.blockers.join(", "));
    let runway = if radar.runway.open { r.ink(Ink::Green, "open") } else { r.ink(Ink::Yellow, "closed") };
    let blocking = radar.runway.blocking.as_ref().and_then(|b| b["validation"]["message"].as_str());
    let blocking = blocking.map(|b| format!(": {}", people::plain(b))).unwrap_or_default();
    row("runway", format!("{runway}{blocking}"));
    if let Some(next) = radar.next.first() {
        suggestion(r, next);
    }
}

/// The one next action: why, and what to type.
pub fn suggestion(r: Render, next: &NextActionView) {
    r.field("next", 7, people::plain(&next.reason));
    if let Some(command) = next.command() {
        r.line(format!("         {}", r.ink(Ink::Cyan, command)));
    }
}

impl NextActionView {
    /// What a person types to do it.
    fn command(&self) -> Option<String> {
        let of = |name: &str| self.params[name].as_str().map(quoted);
        let task = of("task").or(of("plan"));
        let on = |verb: &str| task.as_ref().map(|id| format!("packd task {verb} {id}"));
        let at = |verb: &str| {
            Some(format!("{} {}", on(verb)?, of("path").unwrap_or_default()).trim_end().to_string())
        };
        match self.target.as_str() {
            "tasks_create" => Some(match of("parent") {
                Some(plan) => format!("packd task add TITLE --plan {plan}"),
                None => "packd task add TITLE".into(),
            }),
            "tasks_focus_set" => on("focus"),
            "tasks_radar" | "tasks_handoff" => on("radar"),
            "tasks_resume" | "tasks_mirror" | "tasks_lint" => on("show"),
            "tasks_context" => Some("packd task list".into()),
            "tasks_decompose" | "tasks_task_add" => on("step").map(|c| format!("{c} TITLE")),
            // A person who says that a step is done is evidence enough for `packd task close`.
            "tasks_close_step" | "tasks_verify" | "tasks_evidence_capture" => at("close"),
            "tasks_done" | "tasks_progress" => at("done"),
            "tasks_note" => at("note").map(|c| format!("{c} TEXT")),
            "tasks_close_task" => on("close"),
            "tasks_complete" => match self.params["status"].as_str() {
                Some("ACTIVE") => on("start"),
                _ => on("close"),
            },
            "tasks_edit" | "tasks_patch" | "tasks_contract" => on("edit"),
            _ => None,
        }
    }
}

fn quoted(text: &str) -> String {
    match text.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c)) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_an_agent_would_call_is_what_a_person_types() {
        let next = |target: &str, params: Value| {
            NextActionView { target: target.into(), reason: String::new(), params }
                .command()
                .unwrap_or_default()
        };
        let step = json!({"task": "TASK-001", "path": "s:1", "checkpoints": {}});
        assert_eq!(next("tasks_close_step", step), "packd task close TASK-001 s:1");
        assert_eq!(
            next("tasks_complete", json!({"task": "TASK-001", "status": "ACTIVE"})),
            "packd task start TASK-001"
        );
        assert_eq!(
            next("tasks_create", json!({"kind": "task", "parent": "PLAN-001"})),
            "packd task add TITLE --plan PLAN-001"
        );
    }
}
