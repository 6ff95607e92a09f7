//! An undo, redo or revert before and after it is done.

use maud::{Markup, html};
use serde::Deserialize;

use super::words::{address, project, state, when};
use crate::cli::view::op::OpView;
use crate::cli::view::place;
use crate::cli::view::show::FileChangeView;

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct TurnReply {
    undid: Option<OpView>,
    redid: Option<OpView>,
    reverted: Option<OpView>,
    files: Vec<FileChangeView>,
    steps: Vec<String>,
    pub preview: bool,
    pub operation_id: Option<String>,
}

impl TurnReply {
    fn op(&self) -> OpView {
        let all = [&self.undid, &self.redid, &self.reverted];
        all.into_iter().flatten().next().cloned().unwrap_or_default()
    }
}

/// What would happen.
pub fn preview(step: &TurnReply, verb: &str) -> Markup {
    let op = step.op();
    let would = if verb == "redo" { "This brings back" } else { "This takes back" };
    html! {
        p { (would) ": " b { (op.said()) } }
        p class="quiet" {
            (op.by()) " in " (project(&op.workspace)) ", " (when(&op.time)) ". "
            a href=(address("operation", &op.operation_id, &op.workspace)) { "What it changed" }
        }
        @if !step.files.is_empty() {
            p { "Files:" }
            ul class="plain" {
                @for file in &step.files { li { (state(&file.change, &file.change)) " " code { (place::project(&file.path)) } } }
            }
        }
        @for one in &step.steps { p { (one) } }
    }
}

/// What happened, as one sentence.
pub fn said(step: &TurnReply, verb: &str) -> String {
    let did = match verb {
        "redo" => "Brought back",
        "undo" => "Undid",
        _ => "Took back",
    };
    format!("{did}: {}", step.op().said())
}
