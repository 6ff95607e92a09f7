//! One plan or task with everything about it: what it is for, who holds it, its tree of steps with checkpoints, notes
//! and evidence; a plan with its tasks.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::desk::Asker;
use super::tasks::bar;
use super::words::{address, project, state, when};
use crate::cli::view::task::TaskView;
use crate::cli::view::text::count;

/// Steps of a task that are shown, and how many are read at a time.
const STEPS: usize = 1000;
const STEPS_READ: u64 = 200;
/// Tasks of a plan that are shown.
const TASKS: u64 = 100;
/// Pieces of evidence whose text is shown, and how much of each.
const EVIDENCE: usize = 20;
const EVIDENCE_LONGEST: usize = 4000;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Resumed {
    task: Option<Whole>,
    plan: Option<Whole>,
    steps_pagination: Option<Pagination>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Pagination {
    next_cursor: Option<String>,
    total: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Whole {
    #[serde(flatten)]
    item: TaskView,
    context: String,
    contract: String,
    contract_data: Contract,
    success_criteria: Vec<String>,
    tests: Vec<String>,
    depends_on: Vec<String>,
    steps: Vec<Step>,
    /// Of plans: a checklist of its own.
    plan: Checklist,
}

/// What an agent put into a contract: lists mostly, of which one line may be no list.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Contract(Value);

impl Contract {
    fn lines(&self, name: &str) -> Vec<String> {
        match &self.0[name] {
            Value::String(one) => vec![one.clone()],
            Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_string).collect(),
            _ => Vec::new(),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Checklist {
    doc: String,
    steps: Vec<String>,
    current: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Found {
    tasks: Vec<TaskView>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Step {
    path: String,
    title: String,
    status: String,
    blocked: bool,
    block_reason: String,
    blockers: Vec<String>,
    needs: Vec<String>,
    success_criteria: Vec<String>,
    tests: Vec<String>,
    criteria_confirmed: bool,
    tests_confirmed: bool,
    security_confirmed: bool,
    perf_confirmed: bool,
    docs_confirmed: bool,
    criteria_notes: Vec<String>,
    tests_notes: Vec<String>,
    security_notes: Vec<String>,
    perf_notes: Vec<String>,
    docs_notes: Vec<String>,
    progress_notes: Vec<String>,
    verification_outcome: String,
    verification_checks: Vec<Check>,
    attachments: Vec<Attachment>,
    plan: Option<Nodes>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Nodes {
    tasks: Vec<Node>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Node {
    path: String,
    title: String,
    status: String,
    steps: Vec<Step>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Check {
    kind: String,
    spec: String,
    outcome: String,
    preview: String,
    observed_at: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Attachment {
    kind: String,
    path: String,
    uri: String,
    external_uri: String,
    observed_at: String,
    meta: Meta,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Meta {
    command: String,
    exit_code: Option<i64>,
}

/// What captured evidence says, by its address.
type Texts = BTreeMap<String, String>;

pub async fn one(asker: &Asker, workspace: &str, id: &str) -> Option<Markup> {
    let (whole, total) = read(asker, id).await?;
    let tasks = match id.starts_with("PLAN") {
        true => of_plan(asker, id, None).await,
        false => Vec::new(),
    };
    let held = held(asker, &whole.item).await;
    let texts = texts(asker, &whole.steps).await;
    Some(shown(workspace, &whole, total, &tasks, held.as_ref(), &texts))
}

/// The item with its steps, and how many of those there are.
async fn read(asker: &Asker, id: &str) -> Option<(Whole, usize)> {
    let target = if id.starts_with("PLAN") { "plan" } else { "task" };
    let mut args = json!({target: id, "compact": false, "events_limit": 0, "steps_limit": STEPS_READ});
    let found: Resumed = asker.read("tasks_resume", args.clone(), "/result").await.ok()?;
    let mut next = found.steps_pagination.unwrap_or_default();
    let mut whole = found.task.or(found.plan)?;
    while let Some(cursor) = next.next_cursor.take().filter(|_| whole.steps.len() < STEPS) {
        args["steps_cursor"] = json!(cursor.parse::<u64>().ok()?);
        let Ok(more) = asker.read::<Resumed>("tasks_resume", args.clone(), "/result").await else { break };
        whole.steps.extend(more.task.unwrap_or_default().steps);
        next = more.steps_pagination.unwrap_or_default();
    }
    let total = next.total.max(whole.steps.len());
    Some((whole, total))
}

async fn of_plan(asker: &Asker, plan: &str, status: Option<&str>) -> Vec<TaskView> {
    let mut args = json!({"include_all": true, "tasks_parent": plan, "tasks_limit": TASKS, "plans_limit": 1});
    if let Some(status) = status {
        args["tasks_status"] = json!(status);
    }
    asker.read::<Found>("tasks_context", args, "/result").await.unwrap_or_default().tasks
}

/// The same task as a list has it: with whoever holds it.
async fn held(asker: &Asker, item: &TaskView) -> Option<TaskView> {
    let plan = item.parent.as_deref()?;
    of_plan(asker, plan, Some(&item.status))
        .await
        .into_iter()
        .find(|one| one.id == item.id && one.held_by.is_some())
}

async fn texts(asker: &Asker, steps: &[Step]) -> Texts {
    let mut wanted = Vec::new();
    gather(steps, &mut wanted);
    let mut out = Texts::new();
    for uri in wanted.into_iter().take(EVIDENCE) {
        if let Some(text) = asker.text(&uri).await {
            let cut: String = text.chars().take(EVIDENCE_LONGEST).collect();
            let cut = if cut.len() < text.len() { format!("{cut}…") } else { cut };
            out.insert(uri, cut);
        }
    }
    out
}

fn gather(steps: &[Step], out: &mut Vec<String>) {
    for step in steps {
        out.extend(step.attachments.iter().map(|one| one.uri.clone()).filter(|uri| !uri.is_empty()));
        for node in step.plan.iter().flat_map(|plan| &plan.tasks) {
            gather(&node.steps, out);
        }
    }
}

fn shown(
    workspace: &str,
    whole: &Whole,
    total: usize,
    tasks: &[TaskView],
    held: Option<&TaskView>,
    texts: &Texts,
) -> Markup {
    let item = &whole.item;
    let about = &whole.contract_data;
    html! {
        article class="one" {
            h2 { (item.title) }
            dl {
                dt { "Id" } dd { (item.id) }
                dt { "State" } dd { (state(&item.status.to_lowercase(), &item.status.to_lowercase())) " " (bar(item.progress)) }
                @if let Some((by, until)) = held.and_then(|one| Some((one.held_by.as_ref()?, one.lease_until.as_ref()))) {
                    dt { "Held by" } dd { (by.name()) @if let Some(until) = until { ", ends " (when(until)) } }
                }
                dt { "Project" } dd { (project(workspace)) }
                @if let Some(parent) = &item.parent { dt { "Plan" } dd { a href=(address("task", parent, workspace)) { (parent) } } }
                @if !whole.depends_on.is_empty() {
                    dt { "Needs" }
                    dd { @for id in &whole.depends_on { a href=(address("task", id, workspace)) { (id) } " " } }
                }
                // What stands in the way is told; only a block keeps a task from being begun.
                @if let Some(why) = item.why_blocked() { dt { (if item.blocked { "Blocked" } else { "In the way" }) } dd { (why) } }
                @for goal in about.lines("goal") { dt { "Goal" } dd { (goal) } }
            }
            @for text in [item.description.as_deref().unwrap_or_default(), &whole.context, &whole.contract, &whole.plan.doc] {
                @if !text.is_empty() { pre class="prose" tabindex="0" { (text) } }
            }
            (listed("Done when", &[&whole.success_criteria[..], &about.lines("done")].concat()))
            (listed("Tests", &[&whole.tests[..], &about.lines("checks")].concat()))
            @for (name, heading) in [("constraints", "Constraints"), ("assumptions", "Assumptions"), ("non_goals", "Not meant"), ("risks", "Risks")] {
                (listed(heading, &about.lines(name)))
            }
            @if !whole.plan.steps.is_empty() {
                h3 { "Checklist" }
                ol { @for (at, step) in whole.plan.steps.iter().enumerate() {
                    li { (step) @if at < whole.plan.current { " " (state("done", "done")) } }
                } }
            }
            @if !tasks.is_empty() {
                h3 { "Tasks" }
                ul class="lines" { @for one in tasks {
                    li {
                        span class="id" { (one.id) }
                        a class="what" href=(address("task", &one.id, workspace)) { (one.title) }
                        (bar(one.progress))
                        @if let Some(by) = &one.held_by { span class="who" { (by.name()) } }
                        (state(&one.status.to_lowercase(), &one.status.to_lowercase()))
                    }
                } }
            }
            @if !whole.steps.is_empty() { h3 { "Steps" } (steps(&whole.steps, texts)) }
            @if total > whole.steps.len() { p class="quiet" { "and " (count((total - whole.steps.len()) as u64, "more step")) } }
        }
    }
}

fn listed(name: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            h3 { (name) }
            ul { @for line in lines { li { (line) } } }
        }
    }
}

fn steps(all: &[Step], texts: &Texts) -> Markup {
    html! {
        ul class="tree" {
            @for step in all {
                li {
                    span class="id" { (step.path) } " " b { (step.title) } " "
                    @let word = if step.blocked { "blocked" } else { step.status.as_str() };
                    (state(word, &word.replace('_', " ")))
                    @if step.blocked && !step.block_reason.is_empty() { p class="why" { (step.block_reason) } }
                    @for one in &step.blockers { p class="why" { "In the way: " (one) } }
                    (checkpoints(step))
                    (evidence(step, texts))
                    @for node in step.plan.iter().flat_map(|plan| &plan.tasks) {
                        ul class="tree" { li {
                            span class="id" { (node.path) } " " b { (node.title) } " " (state(&node.status.to_lowercase(), &node.status.to_lowercase()))
                            (steps(&node.steps, texts))
                        } }
                    }
                }
            }
        }
    }
}

fn checkpoints(step: &Step) -> Markup {
    let all = [
        ("criteria", step.criteria_confirmed),
        ("tests", step.tests_confirmed),
        ("security", step.security_confirmed),
        ("perf", step.perf_confirmed),
        ("docs", step.docs_confirmed),
    ];
    let wanted = |name: &str, confirmed: bool| confirmed || step.needs.iter().any(|need| need == name);
    html! {
        p class="checkpoints" {
            @for (name, confirmed) in all.into_iter().filter(|(name, confirmed)| wanted(name, *confirmed)) {
                (state(if confirmed { "done" } else { "open" }, &format!("{name} {}", if confirmed { "confirmed" } else { "open" }))) " "
            }
        }
        @for line in step.success_criteria.iter().chain(&step.tests) { p class="quiet" { (line) } }
    }
}

fn evidence(step: &Step, texts: &Texts) -> Markup {
    let notes = [
        &step.criteria_notes,
        &step.tests_notes,
        &step.security_notes,
        &step.perf_notes,
        &step.docs_notes,
        &step.progress_notes,
    ];
    let notes: Vec<&String> = notes.into_iter().flatten().collect();
    let n = notes.len() + step.verification_checks.len() + step.attachments.len();
    html! {
        @if n > 0 || !step.verification_outcome.is_empty() {
            details {
                summary { "Evidence and notes " span class="quiet" { (n) } }
                ul class="evidence" {
                    @if !step.verification_outcome.is_empty() { li { (step.verification_outcome) } }
                    @for one in &step.attachments { li { (attachment(one, texts)) } }
                    @for check in &step.verification_checks {
                        li { (check.kind) " " code { (check.spec) } " " (state(&check.outcome, &check.outcome)) " " (check.preview) (seen(&check.observed_at)) }
                    }
                    @for note in notes { li { (note) } }
                }
            }
        }
    }
}

fn attachment(one: &Attachment, texts: &Texts) -> Markup {
    html! {
        @match one.meta.command.is_empty() {
            true => { (one.kind.replace('_', " ")) " " code { (one.path) (one.external_uri) } },
            false => { "ran " code { (one.meta.command) } },
        }
        @if let Some(code) = one.meta.exit_code { " " (state(if code == 0 { "ok" } else { "failed" }, &format!("exit {code}"))) }
        (seen(&one.observed_at))
        @if let Some(text) = texts.get(&one.uri) { pre tabindex="0" { (text) } }
    }
}

fn seen(time: &str) -> Markup {
    html! { @if !time.is_empty() { " " span class="quiet" { (when(time)) } } }
}
