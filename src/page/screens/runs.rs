//! Runs: long work that the daemon owns, project by project, and one with its log as it grows.

use maud::{Markup, html};
use serde_json::json;

use super::super::desk::Asker;
use super::words::{address, none, project, state, when};
use crate::cli::view::run::{self, Logs, RunView, RunsView};
use crate::cli::view::text::count;

/// Runs of a project that are listed.
const SHOWN: u64 = 10;
/// Lines of a log that are shown: its end.
const LINES: u64 = 1000;

pub struct ProjectRuns {
    workspace: String,
    runs: Vec<RunView>,
}

pub async fn look(asker: &Asker, workspace: &str) -> ProjectRuns {
    let found: RunsView = asker.read("amof_list_runs", json!({"limit": SHOWN}), "").await.unwrap_or_default();
    ProjectRuns { workspace: workspace.to_string(), runs: found.runs }
}

pub fn show(all: &[ProjectRuns]) -> Markup {
    html! {
        section id="runs" aria-labelledby="runs-title" {
            h2 id="runs-title" { "Runs" }
            @if all.iter().all(|work| work.runs.is_empty()) { (none("Nothing has run yet.")) }
            @for work in all.iter().filter(|work| !work.runs.is_empty()) {
                h3 { (project(&work.workspace)) }
                ul class="lines" {
                    @for one in &work.runs {
                        li {
                            span class="when" { (when(one.started_at.as_ref().unwrap_or(&one.created_at))) }
                            a class="what" href=(address("run", &one.run_id, &work.workspace)) {
                                (run::action(&one.action)) " " (one.ecosystem.as_deref().unwrap_or_default())
                            }
                            (state(&one.status, &one.status))
                            @if one.steps > 0 { span class="quiet" { (one.steps_done) " of " (count(one.steps, "step")) } }
                        }
                    }
                }
            }
        }
    }
}

pub async fn one(asker: &Asker, workspace: &str, id: &str) -> Option<Markup> {
    let one: RunView = asker.read("amof_get_run_status", json!({"run_id": id}), "").await.ok()?;
    let logs: Logs =
        asker.read("amof_get_run_logs", json!({"run_id": id, "tail": LINES}), "").await.unwrap_or_default();
    let before = logs.total.saturating_sub(logs.lines.len() as u64);
    Some(html! {
        article class="one" {
            h2 { (run::action(&one.action)) " " (one.ecosystem.as_deref().unwrap_or_default()) }
            dl {
                dt { "Run" } dd { (run::short(&one.run_id)) }
                dt { "State" } dd { (state(&one.status, &one.status)) }
                dt { "Project" } dd { (project(workspace)) }
                dt { "Started" } dd { (when(one.started_at.as_ref().unwrap_or(&one.created_at))) }
                @if let Some(time) = &one.finished_at { dt { "Ended" } dd { (when(time)) } }
                dt { "Steps" } dd { (one.steps_done) " of " (one.steps) }
                @if let Some(code) = one.exit_code.filter(|c| *c != 0) { dt { "Exit" } dd { (code) } }
                @if let Some(note) = one.note.as_deref().filter(|n| !n.is_empty()) { dt { "Note" } dd { (note) } }
            }
            h3 { "Log" }
            @if before > 0 { p class="quiet" { (count(before, "line")) " before; " code { "packd run logs " (run::short(&one.run_id)) } " shows them" } }
            @if logs.lines.is_empty() { (none("It has printed nothing yet.")) }
            @else {
                pre class="log" tabindex="0" data-follow="end" {
                    @for line in &logs.lines { span class=(format!("line {}", line.level)) { (line.text) "\n" } }
                }
            }
        }
    })
}
