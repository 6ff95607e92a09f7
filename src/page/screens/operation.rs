//! One operation with everything it changed: rows field by field, files line by line, and what takes it back.

use maud::{Markup, html};
use serde_json::{Value, json};
use similar::ChangeTag;

use super::super::desk::{Asker, Desk};
use super::super::query::Query;
use super::timeline::{TurnButton, button};
use super::words::{ceiling, project, state, when};
use crate::cli::view::show::{ChangeView, EditView, FileChangeView, WholeOpView, sides};
use crate::cli::view::text::count;
use crate::core::Mode;

pub async fn show(desk: &Desk, asker: &Asker, id: &str) -> Option<Markup> {
    let shown: WholeOpView = asker.read("history_show", json!({"operation_id": id}), "").await.ok()?;
    let op = &shown.op;
    let next = desk.engine().next_steps(&op.workspace).unwrap_or_default();
    let most = desk.engine().ceiling().filter(|m| *m < Mode::Execute);
    let more = shown.effects_total.unwrap_or(0).saturating_sub(shown.effects.len() as u64);
    let session = Query {
        project: Some(op.workspace.clone()),
        session: Some(op.who.session.clone()),
        ..Query::default()
    };
    let session = format!("/{}#timeline", session.text());
    Some(html! {
        article class="one" data-id=(op.operation_id) {
            h2 { (op.said()) }
            dl {
                dt { "When" } dd { (when(&op.time)) }
                dt { "By" } dd { (op.by()) " " a class="quiet" href=(session) { "everything of this session" } }
                dt { "Project" } dd { (project(&op.workspace)) }
                @if let Some(tree) = &op.who.tree { dt { "Work tree" } dd { (project(tree)) } }
                dt { "Family" } dd { (op.family) }
                dt { "Id" } dd { code { (op.operation_id) } }
                dt { "State" } dd { (back(&shown)) }
            }
            @if let Some(mode) = most { p class="forbidden" { (ceiling(mode.as_str())) } }
            @if let Some(turn) = TurnButton::of(op, &next) { p class="buttons" { (button(op, &turn, most.is_none())) } }
            (told(&shown.data))
            @for change in shown.changes.iter().flatten() { (row(change)) }
            @for one in &shown.effects { (file(one)) }
            @if more > 0 { p class="quiet" { "and " (count(more, "more file")) } }
            @if shown.data.is_null() && shown.changes.as_ref().is_none_or(Vec::is_empty) && shown.effects.is_empty() {
                p class="quiet" { "It changed no row and no file." }
            }
        }
    })
}

/// What an audit record tells: of a confirmation the text that was agreed to, as it was shown.
fn told(data: &Value) -> Markup {
    let Some(fields) = data.as_object() else { return html! {} };
    let plain = fields.iter().filter_map(|(name, value)| match value {
        Value::String(text) if name != "text" && !text.is_empty() => Some((name, text.clone())),
        Value::Number(_) | Value::Bool(_) => Some((name, value.to_string())),
        _ => None,
    });
    html! {
        dl class="told" { @for (name, value) in plain { dt { (name.replace('_', " ")) } dd { (value) } } }
        @if let Some(text) = data["text"].as_str() {
            h3 { "What was shown" }
            (unified(text))
        }
    }
}

fn back(shown: &WholeOpView) -> Markup {
    let op = &shown.op;
    match (op.status.as_str(), op.undoable) {
        ("undone", _) => state("undone", "was taken back"),
        ("needs_attention", _) => state("needs_attention", "needs attention: look at the files below"),
        ("pending", _) => state("pending", "still under way"),
        (_, true) => html! { "can be taken back" },
        _ => html! { (op.not_undoable_because.as_deref().unwrap_or("cannot be taken back")) },
    }
}

fn row(change: &ChangeView) -> Markup {
    let (verb, body) = match change {
        ChangeView { made: Some(value), .. } => ("made", diff(&Value::Null, value)),
        ChangeView { gone: Some(value), .. } => ("gone", diff(value, &Value::Null)),
        ChangeView { edited: Some(edits), .. } => ("edited", html! { @for one in edits { (edit(one)) } }),
        ChangeView { before, after, .. } => ("edited", diff(&before["value"], &after["value"])),
    };
    html! {
        section class="change" {
            h3 { (state(verb, verb)) " " (change.named()) }
            (body)
        }
    }
}

fn edit(edit: &EditView) -> Markup {
    html! {
        h4 { (edit.named()) @if edit.moved { " moved" } }
        @if !edit.moved {
            @match &edit.diff {
                Some(text) => (unified(text)),
                None => (diff(&edit.before, &edit.after)),
            }
        }
    }
}

fn diff(before: &Value, after: &Value) -> Markup {
    html! {
        pre class="diff" tabindex="0" {
            @for (tag, line) in sides(before, after) {
                @match tag {
                    ChangeTag::Insert => ins { "+ " (line) "\n" },
                    ChangeTag::Delete => del { "- " (line) "\n" },
                    ChangeTag::Equal => { "  " (line) "\n" }
                }
            }
        }
    }
}

/// A unified diff, added and removed lines told apart.
pub fn unified(text: &str) -> Markup {
    html! {
        pre class="diff" tabindex="0" {
            @for line in text.lines() {
                @match line.chars().next() {
                    Some('+') => ins { (line) "\n" },
                    Some('-') => del { (line) "\n" },
                    _ => { (line) "\n" }
                }
            }
        }
    }
}

fn file(file: &FileChangeView) -> Markup {
    html! {
        section class="change" {
            h3 {
                (state(&file.change, &file.change)) " " code { (crate::cli::view::place::project(&file.path)) }
                @if let Some(mode) = &file.mode { " mode " (mode.before) " to " (mode.after) }
            }
            @if let Some(text) = file.diff.as_deref().filter(|t| !t.is_empty()) { (unified(text)) }
            @if let Some(why) = &file.diff_omitted { p class="quiet" { (why) } }
        }
    }
}
