//! Small pieces of every screen: times, projects, states, and why something is forbidden.

use maud::{Markup, html};

use super::super::desk::USER_WIDE;
use super::super::query::{Query, encode};
use crate::cli::view::place;
use crate::cli::view::time::{self, TimeStyle};

/// A time of a reply: how long ago, and exactly for whoever points at it.
pub fn when(text: &str) -> Markup {
    let shown = time::shown(text, TimeStyle::Relative, jiff::Timestamp::now());
    html! { time datetime=(text) { (shown) } }
}

/// A project by the name people know it by.
pub fn project(workspace: &str) -> String {
    match workspace {
        USER_WIDE => "no project".to_string(),
        path => place::project(path),
    }
}

/// The last part of that name, where there is little room.
pub fn project_short(workspace: &str) -> String {
    let name = project(workspace);
    name.rsplit('/').next().unwrap_or_default().to_string()
}

/// The address of one thing of a project.
pub fn address(kind: &str, id: &str, workspace: &str) -> String {
    let query = Query { project: Some(workspace.to_string()), ..Query::default() };
    format!("/{kind}/{}{}", encode(id), query.text())
}

/// Why nothing can be changed while this is the ceiling.
pub fn ceiling(mode: &str) -> String {
    format!(
        "config.toml sets max_mode = \"{mode}\", which lets nothing be changed. A person can raise it there."
    )
}

/// A word with a mark before it, told by shape as well as by colour.
pub fn state(kind: &str, word: &str) -> Markup {
    html! { span class=(format!("state {kind}")) { (word) } }
}

/// A sentence with `commands` in it.
pub fn sentence(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// A list that is empty says so.
pub fn none(text: &str) -> Markup {
    html! { p class="quiet" { (text) } }
}
