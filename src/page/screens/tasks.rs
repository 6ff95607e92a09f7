//! Tasks: ready, in hand and whose, blocked and why, done; project by project.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::super::desk::Asker;
use super::timeline::TargetNames;
use super::words::{address, none, project, when};
use crate::cli::view::task::TaskView;
use crate::cli::view::text::count;

/// Tasks of each state that are read for a project.
const READ: u64 = 100;
/// Of each state, how many are shown at once.
const SHOWN: usize = 12;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Found {
    tasks: Vec<TaskView>,
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
pub struct ProjectTasks {
    workspace: String,
    ready: Vec<TaskView>,
    in_hand: Vec<TaskView>,
    blocked: Vec<TaskView>,
    done: Vec<TaskView>,
    because: BTreeMap<String, String>,
    counts: Counts,
    /// Tasks that nobody has begun and that still are not ready.
    not_ready: u64,
}

impl ProjectTasks {
    /// What its tasks are called.
    pub fn names(&self, out: &mut TargetNames) {
        for item in [&self.ready, &self.in_hand, &self.blocked, &self.done].into_iter().flatten() {
            out.add(&self.workspace, &item.id, &item.title);
        }
    }

    /// The tasks that a session has claimed.
    pub fn held_by<'a>(&'a self, session: &'a str) -> impl Iterator<Item = (&'a str, &'a TaskView)> {
        let all = self.in_hand.iter().chain(&self.blocked);
        let held = all.filter(move |item| item.held_by.as_ref().is_some_and(|by| by.session == session));
        held.map(|item| (self.workspace.as_str(), item))
    }
}

pub async fn look(asker: &Asker, workspace: &str) -> ProjectTasks {
    let mut work = ProjectTasks { workspace: workspace.to_string(), ..ProjectTasks::default() };
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

pub fn show(all: &[ProjectTasks]) -> Markup {
    let some = |work: &&ProjectTasks| work.counts.done + work.counts.active + work.counts.todo > 0;
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

fn group(name: &str, items: &[TaskView], work: &ProjectTasks, total: Option<u64>) -> Markup {
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
                        p class="quiet" { "and " (total - items.len() as u64) " more: " code { "packd task list --limit 1000" } }
                    }
                }
            }
        }
    }
}

fn line(item: &TaskView, work: &ProjectTasks) -> Markup {
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

/// How far it is, once it has begun.
pub fn bar(percent: u64) -> Markup {
    html! {
        @if percent > 0 {
            span class="bar" {
                progress max="100" value=(percent.min(100)) aria-label="progress" {}
                " " (percent) " %"
            }
        }
    }
}
