//! Who works right now: a line for each session that is open, with its project, its task, what it did last and since
//! when it is idle.

use maud::{Markup, html};
use serde_json::json;

use super::super::desk::Desk;
use super::super::query::Query;
use super::tasks::ProjectTasks;
use super::words::{address, none, project, state, when};
use super::{Log, Projects, READER};
use crate::cli::view::op::{self, HistoryView, OpView};
use crate::cli::view::size;
use crate::engine::LiveSession;

/// Sessions that are shown before the rest is counted.
const MOST: usize = 50;
/// Longer ago, a session is idle.
const IDLE: u64 = 60;

pub struct SessionLine {
    live: LiveSession,
    last: Option<OpView>,
}

pub async fn look(desk: &Desk, projects: &Projects, log: &Log) -> Vec<SessionLine> {
    let mut out = Vec::new();
    let open = desk.engine().live().unwrap_or_default();
    let wanted = |live: &LiveSession| projects.chosen.as_ref().is_none_or(|chosen| *chosen == live.workspace);
    for live in open.into_iter().filter(wanted) {
        let last = match log.recent.iter().find(|op| op.who.session == live.id) {
            Some(op) => Some(op.clone()),
            None if out.len() < MOST => {
                let asker = desk.asker(READER, &live.workspace);
                let args = json!({"session": live.id, "limit": 1});
                let found: HistoryView = asker.read("history_list", args, "").await.unwrap_or_default();
                found.operations.into_iter().next()
            }
            None => None,
        };
        out.push(SessionLine { live, last });
    }
    out.sort_by_key(|line| line.live.idle);
    out
}

pub fn show(lines: &[SessionLine], work: &[ProjectTasks]) -> Markup {
    html! {
        section id="now" aria-labelledby="now-title" {
            h2 id="now-title" { "Now" }
            @if lines.is_empty() { (none("No editor and no agent is connected.")) }
            @else {
                ul class="lines sessions" {
                    @for line in lines.iter().take(MOST) { (session(line, work)) }
                }
                @if lines.len() > MOST { p class="quiet" { "and " (lines.len() - MOST) " more" } }
            }
        }
    }
}

fn session(line: &SessionLine, work: &[ProjectTasks]) -> Markup {
    let SessionLine { live, last } = line;
    let seconds = live.idle.map(|idle| idle.as_secs());
    let query =
        Query { project: Some(live.workspace.clone()), session: Some(live.id.clone()), ..Query::default() };
    html! {
        li data-session=(live.id) {
            a class="who" href=(format!("/{}#timeline", query.text())) { (op::called(&live.client)) }
            span class="where" { (project(&live.workspace)) }
            @if let Some(mode) = live.mode { (state("mode", &format!("mode {}", mode.as_str()))) }
            @for (workspace, task) in work.iter().flat_map(|work| work.held_by(&live.id)) {
                a class="task" href=(address("task", &task.id, workspace)) { (task.id) " " (task.title) }
            }
            span class="what" {
                @match last {
                    Some(op) => {
                        a href=(address("operation", &op.operation_id, &op.workspace)) { (op.said()) }
                        ", " (when(&op.time))
                    }
                    None => "nothing done yet"
                }
            }
            @match seconds {
                Some(0..IDLE) => (state("busy", "active")),
                Some(seconds) => (state("idle", &format!("idle for {}", size::span(seconds)))),
                None => (state("idle", "has called nothing yet")),
            }
        }
    }
}
