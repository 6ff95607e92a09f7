//! An undo, redo or revert before and after it is done.

use maud::{Markup, html};
use serde::Deserialize;

use super::words::{address, project, state, when};
use crate::cli::view::op::Op;
use crate::cli::view::place;
use crate::cli::view::show::File;

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Step {
    undid: Option<Op>,
    redid: Option<Op>,
    reverted: Option<Op>,
    files: Vec<File>,
    steps: Vec<String>,
    pub preview: bool,
    pub operation_id: Option<String>,
}

impl Step {
    fn op(&self) -> Op {
        let all = [&self.undid, &self.redid, &self.reverted];
        all.into_iter().flatten().next().cloned().unwrap_or_default()
    }
}

/// What would happen.
pub fn preview(step: &Step, verb: &str) -> Markup {
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
pub fn said(step: &Step, verb: &str) -> String {
    let did = match verb {
        "redo" => "Brought back",
        "undo" => "Undid",
        _ => "Took back",
    };
    format!("{did}: {}", step.op().said())
}
