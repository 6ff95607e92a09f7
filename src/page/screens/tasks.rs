//! Tasks: ready, in hand, blocked and done, project by project; and one task as a tree with checkpoints and evidence.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::super::desk::Asker;
use super::words::{address, none, project, state, when};
use crate::cli::view::task::Item;
use crate::cli::view::text::count;

/// Tasks of each state that are read for a project.
const READ: u64 = 100;
/// Of each state, how many are shown at once.
const SHOWN: usize = 12;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Found {
    tasks: Vec<Item>,
    by_status: Counts,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Counts {
    #[serde(rename = "DONE")]
    done: u64,
    #[serde(rename = "ACTIVE")]
    active: u64,
    #[serde(rename = "TODO")]
    todo: u64,
}

/// Why tasks that are open cannot be started.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Readiness {
    waiting: Vec<Waits>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Waits {
    task_id: String,
    because: String,
}

/// The tasks of one project, each where it stands.
#[derive(Default)]
pub struct Work {
    workspace: String,
    ready: Vec<Item>,
    in_hand: Vec<Item>,
    blocked: Vec<Item>,
    done: Vec<Item>,
    because: BTreeMap<String, String>,
    counts: Counts,
    /// Tasks that nobody has begun and that still are not ready.
    not_ready: u64,
}

impl Work {
    /// The tasks that a session has claimed.
    pub fn held_by<'a>(&'a self, session: &'a str) -> impl Iterator<Item = (&'a str, &'a Item)> {
        let all = self.in_hand.iter().chain(&self.blocked);
        let held = all.filter(move |item| item.held_by.as_ref().is_some_and(|by| by.session == session));
        held.map(|item| (self.workspace.as_str(), item))
    }
}

pub async fn look(asker: &Asker, workspace: &str) -> Work {
    let mut work = Work { workspace: workspace.to_string(), ..Work::default() };
    let found: Readiness =
        asker.read("tasks_ready", json!({"limit": READ}), "/result").await.unwrap_or_default();
    work.because = found.waiting.into_iter().map(|one| (one.task_id, one.because)).collect();
    for status in ["ACTIVE", "TODO", "DONE"] {
        let args =
            json!({"include_all": true, "tasks_status": status, "tasks_limit": READ, "plans_limit": 1});
        // A project whose tasks cannot be read shows none; its timeline tells why.
        let Ok(found) = asker.read::<Found>("tasks_context", args, "/result").await else { break };
        for item in found.tasks {
            let waits = item.held_by.is_some() || item.is_blocked() || work.because.contains_key(&item.id);
            work.not_ready += u64::from(status == "TODO" && waits);
            match status {
                "DONE" => work.done.push(item),
                _ if item.held_by.is_some() => work.in_hand.push(item),
                _ if waits => work.blocked.push(item),
                "ACTIVE" => work.in_hand.push(item),
                _ => work.ready.push(item),
            }
        }
        work.counts = found.by_status;
    }
    work
}

pub fn show(all: &[Work]) -> Markup {
    let some = |work: &&Work| work.counts.done + work.counts.active + work.counts.todo > 0;
    html! {
        section id="tasks" aria-labelledby="tasks-title" {
            h2 id="tasks-title" { "Tasks" }
            @if !all.iter().any(|work| some(&work)) { (none("There are no tasks.")) }
            @for work in all.iter().filter(some) {
                h3 { (project(&work.workspace)) }
                (group("In hand", &work.in_hand, work, None))
                (group("Blocked", &work.blocked, work, None))
                (group("Ready", &work.ready, work, Some(work.counts.todo.saturating_sub(work.not_ready))))
                @if work.counts.done > 0 {
                    details {
                        summary { (count(work.counts.done, "task")) " done" }
                        (group("Done", &work.done, work, Some(work.counts.done)))
                    }
                }
            }
        }
    }
}

fn group(name: &str, items: &[Item], work: &Work, total: Option<u64>) -> Markup {
    let total = total.unwrap_or(items.len() as u64).max(items.len() as u64);
    html! {
        @if !items.is_empty() {
            h4 { (name) " " span class="quiet" { (total) } }
            ul class="lines" { @for item in items.iter().take(SHOWN) { (line(item, work)) } }
            @if items.len() > SHOWN {
                details {
                    summary { "the others" }
                    ul class="lines" { @for item in &items[SHOWN..] { (line(item, work)) } }
                    @if total > items.len() as u64 {
                        p class="quiet" { "and " (total - items.len() as u64) " more: `packd task list --limit 1000`" }
                    }
                }
            }
        }
    }
}

fn line(item: &Item, work: &Work) -> Markup {
    let (workspace, because) = (&work.workspace, work.because.get(&item.id));
    html! {
        li {
            span class="id" { (item.id) }
            a class="what" href=(address("task", &item.id, workspace)) { (item.title) }
            (bar(item.progress))
            @if let Some(by) = &item.held_by {
                span class="who" { (by.name()) }
                @if let Some(until) = &item.lease_until { span class="quiet" { "holds it, ends " (when(until)) } }
            } @else if let Some(why) = because.cloned().or(item.why_blocked()) {
                span class="why" { (why) }
            }
        }
    }
}

fn bar(percent: u64) -> Markup {
    html! {
        @if percent > 0 {
            span class="bar" {
                progress max="100" value=(percent.min(100)) aria-label="progress" {}
                " " (percent) " %"
            }
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Resumed {
    task: Option<Whole>,
    plan: Option<Whole>,
}

/// A task with everything about it.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Whole {
    #[serde(flatten)]
    item: Item,
    context: String,
    contract: String,
    success_criteria: Vec<String>,
    tests: Vec<String>,
    depends_on: Vec<String>,
    steps: Vec<Step>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Step {
    path: String,
    title: String,
    status: String,
    blocked: bool,
    block_reason: String,
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
    progress_notes: Vec<String>,
    criteria_evidence_refs: Vec<String>,
    tests_evidence_refs: Vec<String>,
    security_evidence_refs: Vec<String>,
    perf_evidence_refs: Vec<String>,
    docs_evidence_refs: Vec<String>,
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
    details: serde_json::Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Attachment {
    kind: String,
    path: String,
    uri: String,
    external_uri: String,
}

pub async fn one(asker: &Asker, workspace: &str, id: &str) -> Option<Markup> {
    let target = if id.starts_with("PLAN") { "plan" } else { "task" };
    let mut args = super::timeline::given(&[(target, Some(id))]);
    args["compact"] = json!(false);
    let found: Resumed = asker.read("tasks_resume", args, "/result").await.ok()?;
    let whole = found.task.or(found.plan)?;
    let item = &whole.item;
    Some(html! {
        article class="one" {
            h2 { (item.title) }
            dl {
                dt { "Id" } dd { (item.id) }
                dt { "State" } dd { (state(&item.status.to_lowercase(), &item.status.to_lowercase())) " " (bar(item.progress)) }
                dt { "Project" } dd { (project(workspace)) }
                @if let Some(parent) = &item.parent { dt { "Plan" } dd { a href=(address("task", parent, workspace)) { (parent) } } }
                @if !whole.depends_on.is_empty() { dt { "Needs" } dd { (whole.depends_on.join(", ")) } }
                @if let Some(why) = item.why_blocked() { dt { "Blocked" } dd { (why) } }
            }
            @for text in [item.description.as_deref().unwrap_or_default(), &whole.context, &whole.contract] {
                @if !text.is_empty() { pre class="prose" { (text) } }
            }
            (listed("Done when", &whole.success_criteria))
            (listed("Tests", &whole.tests))
            @if !item.plan_steps.is_empty() {
                h3 { "Plan" }
                ol { @for (at, step) in item.plan_steps.iter().enumerate() {
                    li { (step) @if (at as u64) < item.plan_current { " " (state("done", "done")) } }
                } }
            }
            @if !whole.steps.is_empty() { h3 { "Steps" } (steps(&whole.steps)) }
        }
    })
}

fn listed(name: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            h3 { (name) }
            ul { @for line in lines { li { (line) } } }
        }
    }
}

fn steps(all: &[Step]) -> Markup {
    html! {
        ul class="tree" {
            @for step in all {
                li {
                    span class="id" { (step.path) } " " b { (step.title) } " "
                    @let word = if step.blocked { "blocked" } else { step.status.as_str() };
                    (state(word, &word.replace('_', " ")))
                    @if step.blocked && !step.block_reason.is_empty() { p class="why" { (step.block_reason) } }
                    (checkpoints(step))
                    (evidence(step))
                    @for node in step.plan.iter().flat_map(|plan| &plan.tasks) {
                        ul class="tree" { li {
                            span class="id" { (node.path) } " " b { (node.title) } " " (state(&node.status.to_lowercase(), &node.status.to_lowercase()))
                            (steps(&node.steps))
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

fn evidence(step: &Step) -> Markup {
    let refs = [
        &step.criteria_evidence_refs,
        &step.tests_evidence_refs,
        &step.security_evidence_refs,
        &step.perf_evidence_refs,
        &step.docs_evidence_refs,
    ];
    let refs: Vec<&String> = refs.into_iter().flatten().collect();
    let notes: Vec<&String> =
        step.criteria_notes.iter().chain(&step.tests_notes).chain(&step.progress_notes).collect();
    let any = !refs.is_empty()
        || !notes.is_empty()
        || !step.verification_checks.is_empty()
        || !step.attachments.is_empty()
        || !step.verification_outcome.is_empty();
    html! {
        @if any {
            details {
                summary { "Evidence" }
                ul {
                    @if !step.verification_outcome.is_empty() { li { (step.verification_outcome) } }
                    @for check in &step.verification_checks {
                        li { (check.kind) " " code { (check.spec) } " " (state(&check.outcome, &check.outcome))
                            @if let Some(text) = check.details.as_str() { pre { (text) } }
                        }
                    }
                    @for one in &step.attachments {
                        li { (one.kind) " " code { (one.path) (one.uri) (one.external_uri) } }
                    }
                    @for one in refs { li { code { (one) } } }
                    @for note in notes { li { (note) } }
                }
            }
        }
    }
}
