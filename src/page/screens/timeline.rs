//! The timeline: operations and audit records of one project or all, newest first, each with what takes it back.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use maud::{Markup, html};
use serde_json::json;

use super::super::desk::Desk;
use super::super::query::Query;
use super::words::{address, ceiling, none, project, project_short, state, when};
use super::{Projects, READER, everywhere};
use crate::cli::view::op::{self, HistoryView, OWN_CLIENT, OpView};
use crate::cli::view::text::shorten;
use crate::core::Mode;
use crate::engine::NextSteps;

/// Records of a page.
const PAGE: usize = 40;
/// Operations that are read for the first screen: what needs attention is looked for among them.
const READ: u64 = 200;

/// Of a title, as much as a line has room for.
const TITLE: usize = 80;

/// What was read for one screen.
#[derive(Default)]
pub struct TimelineLog {
    /// As the filters want it, newest first.
    ops: Vec<OpView>,
    audit: Vec<OpView>,
    more_ops: Option<String>,
    more_audit: Option<String>,
    /// Of the project or all, whatever the filters are.
    pub recent: Vec<OpView>,
}

/// What tasks and packs are called, by project and id: the log knows them by their ids.
#[derive(Default)]
pub struct TargetNames(BTreeMap<(String, String), String>);

impl TargetNames {
    pub fn add(&mut self, workspace: &str, id: &str, name: &str) {
        self.0.insert((workspace.to_string(), id.to_string()), name.to_string());
    }

    /// Of the first thing that the record's sentence names.
    fn of(&self, op: &OpView) -> Option<&String> {
        let said = op.said();
        let mut words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        words.find_map(|word| self.0.get(&(op.workspace.clone(), word.to_string())))
    }
}

/// Which button stands beside an operation.
#[derive(Debug, PartialEq)]
pub enum TurnButton {
    Undo,
    Redo,
    Revert,
}

impl TurnButton {
    /// The one that fits, if any does.
    pub fn of(op: &OpView, next: &NextSteps) -> Option<TurnButton> {
        let is = |id: &Option<String>| id.as_ref() == Some(&op.operation_id);
        match op.status.as_str() {
            "undone" if is(&next.redo) => Some(TurnButton::Redo),
            "done" if op.undoable && is(&next.undo) => Some(TurnButton::Undo),
            "done" if op.undoable && matches!(op.kind.as_str(), "do" | "revert") => Some(TurnButton::Revert),
            _ => None,
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            TurnButton::Undo => "Undo",
            TurnButton::Redo => "Redo",
            TurnButton::Revert => "Revert",
        }
    }
}

pub async fn look(desk: &Desk, query: &Query, projects: &Projects) -> super::Log {
    let asker = match &projects.chosen {
        Some(one) => desk.asker(READER, one),
        None => everywhere(desk),
    };
    let ask = |stream: &str, limit: u64| {
        let mut args = json!({"stream": stream, "limit": limit});
        if projects.chosen.is_none() {
            args["all_workspaces"] = json!(true);
        }
        args
    };
    let recent: HistoryView = asker.read("history_list", ask("ops", READ), "").await.unwrap_or_default();
    let narrowed = |stream: &str, before: &Option<String>| {
        let mut args = ask(stream, PAGE as u64);
        // People are "you" on every line.
        let client = query.client.as_deref().map(|c| if c == "you" { OWN_CLIENT } else { c }.to_string());
        for (name, value) in
            [("family", &query.family), ("client", &client), ("session", &query.session), ("before", before)]
        {
            if let Some(value) = value {
                args[name] = json!(value);
            }
        }
        args
    };
    let plain = !query.narrows() && query.before.is_none() && query.before_audit.is_none();
    let wants = |stream: &str| query.stream.as_deref().is_none_or(|s| s == stream);
    let mut log = TimelineLog::default();
    if wants("ops") {
        let found: HistoryView = match plain {
            true => {
                HistoryView { operations: recent.operations.clone(), next_before: recent.next_before.clone() }
            }
            false => asker.read("history_list", narrowed("ops", &query.before), "").await.unwrap_or_default(),
        };
        (log.ops, log.more_ops) = (found.operations, found.next_before);
    }
    if wants("audit") {
        let args = narrowed("audit", &query.before_audit);
        let found: HistoryView = asker.read("history_list", args, "").await.unwrap_or_default();
        (log.audit, log.more_audit) = (found.operations, found.next_before);
    }
    log.recent = recent.operations;
    Rc::new(log)
}

/// The newest of both streams, and the query for those before them.
fn page(log: &TimelineLog, query: &Query) -> (Vec<(bool, OpView)>, Option<Query>) {
    let ops = log.ops.iter().map(|op| (false, op.clone()));
    let mut all: Vec<(bool, OpView)> = ops.chain(log.audit.iter().map(|op| (true, op.clone()))).collect();
    all.sort_by(|a, b| b.1.time.cmp(&a.1.time).then(b.1.operation_id.cmp(&a.1.operation_id)));
    let left = all.len() > PAGE || log.more_ops.is_some() || log.more_audit.is_some();
    all.truncate(PAGE);
    let last =
        |audit: bool| all.iter().rev().find(|(a, _)| *a == audit).map(|(_, op)| op.operation_id.clone());
    // A filter may fit nothing among many records: then the search goes on from where it stopped.
    let older = left.then(|| Query {
        before: last(false).or(query.before.clone()).or(log.more_ops.clone().filter(|_| log.ops.is_empty())),
        before_audit: last(true)
            .or(query.before_audit.clone())
            .or(log.more_audit.clone().filter(|_| log.audit.is_empty())),
        ..query.clone()
    });
    (all, older)
}

/// Chooses the project for the whole screen.
pub fn chooser(query: &Query, projects: &Projects, left: usize) -> Markup {
    let gone = query.project.is_some() && projects.chosen.is_none();
    html! {
        form class="choose" method="get" action="/" {
            label for="project" { "Project" }
            select id="project" name="project" {
                option value="" selected[projects.chosen.is_none()] { "all" }
                @for one in &projects.all {
                    option value=(one) selected[projects.chosen.as_ref() == Some(one)] { (project(one)) }
                }
            }
            button type="submit" class="nojs" { "Show" }
            @if left > 0 { p class="quiet" { "Tasks, packs and runs of the newest; choose one of the " (left) " others to see theirs." } }
            @if gone { p class="error" { "Nothing was done in a project of that name." } }
        }
    }
}

pub fn show(desk: &Desk, query: &Query, log: &TimelineLog, names: &TargetNames) -> Markup {
    let (rows, older) = page(log, query);
    html! {
        section id="timeline" aria-labelledby="timeline-title" {
            h2 id="timeline-title" { "Timeline" }
            (filters(desk, query, log))
            @if let Some(mode) = desk.engine().ceiling().filter(|m| *m < Mode::Execute) {
                p class="forbidden" { (ceiling(mode.as_str())) }
            }
            @if rows.is_empty() { (none("Nothing was done yet.")) }
            (lines(desk, &rows, names))
            @if let Some(older) = older {
                p { a class="more" href=(format!("/{}#timeline", older.text())) { "Older" } }
            }
        }
    }
}

fn filters(desk: &Desk, query: &Query, log: &TimelineLog) -> Markup {
    let clients: BTreeSet<&str> = log.recent.iter().map(OpView::by).collect();
    let sessions: BTreeMap<&str, &str> =
        log.recent.iter().map(|op| (op.who.session.as_str(), op.by())).collect();
    let families = desk.engine().families();
    html! {
        form class="filters" method="get" action="/#timeline" {
            @if let Some(project) = &query.project { input type="hidden" name="project" value=(project); }
            span {
                label for="family" { "Family" }
                select id="family" name="family" {
                    option value="" { "all" }
                    @for family in families {
                        option value=(family.name()) selected[query.family.as_deref() == Some(family.name())] {
                            (family.name())
                        }
                    }
                }
            }
            span {
                label for="client" { "Client" }
                input id="client" name="client" list="clients" value=(query.client.as_deref().unwrap_or_default());
                datalist id="clients" { @for one in clients { option value=(one) {} } }
            }
            span {
                label for="session" { "Session" }
                input id="session" name="session" list="sessions" value=(query.session.as_deref().unwrap_or_default());
                datalist id="sessions" { @for (id, client) in sessions { option value=(id) { (client) } } }
            }
            span {
                label for="stream" { "Records" }
                select id="stream" name="stream" {
                    @for (value, word) in [("", "all"), ("ops", "operations"), ("audit", "audit")] {
                        option value=(value) selected[query.stream.as_deref().unwrap_or_default() == value] { (word) }
                    }
                }
            }
            button type="submit" { "Filter" }
            @if query.narrows() {
                a href=(format!("/{}#timeline", Query { project: query.project.clone(), ..Query::default() }.text())) {
                    "All"
                }
            }
        }
    }
}

/// Records as lines; operations with the button that takes them back.
fn lines(desk: &Desk, rows: &[(bool, OpView)], names: &TargetNames) -> Markup {
    let mut next: BTreeMap<&str, NextSteps> = BTreeMap::new();
    for (_, op) in rows {
        // Where it cannot be read there is no button, which the record itself does not need.
        next.entry(&op.workspace)
            .or_insert_with(|| desk.engine().next_steps(&op.workspace).unwrap_or_default());
    }
    let allowed = desk.engine().ceiling().is_none_or(|m| m == Mode::Execute);
    html! {
        ol class="lines log" {
            @for (audit, op) in rows {
                @let kind = if *audit { "audit" } else { "op" };
                li class=(if op.status == "undone" { "op undone" } else { kind }) data-id=(op.operation_id) {
                    span class="meta" { span class="when" { (when(&op.time)) } span class="who" { (op.by()) } }
                    span class="what" {
                        a href=(address("operation", &op.operation_id, &op.workspace)) { (op.said()) }
                        @if let Some(title) = names.of(op) { " " span class="title" { (shorten(title, TITLE)) } }
                        " " span class="where" title=(project(&op.workspace)) { (project_short(&op.workspace)) }
                    }
                    span class="end" {
                        (told(*audit, op))
                        @if let Some(turn) = next.get(op.workspace.as_str()).filter(|_| !audit).and_then(|n| TurnButton::of(op, n)) {
                            (button(op, &turn, allowed))
                        }
                    }
                }
            }
        }
    }
}

/// What one cannot see from its words.
fn told(audit: bool, op: &OpView) -> Markup {
    if audit {
        return state("audit", "audit");
    }
    match op.state() {
        Some((word, _)) => state(&op.status, word),
        None => html! {},
    }
}

pub fn button(op: &OpView, turn: &TurnButton, allowed: bool) -> Markup {
    let word = turn.word();
    html! {
        button type="button" class="act" data-act=(word.to_lowercase()) data-id=(op.operation_id)
            data-short=(op::short(&op.operation_id)) disabled[!allowed] { (word) }
    }
}
