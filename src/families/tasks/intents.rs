//! The table of intents: what each is called, who handles it, whether it writes and how it uses focus.

use crate::core::Result;

use super::model::Object;
use super::run::{Answer, Run};
use super::{
    batch, close, complete, context, contract, create, delete, edit, evidence, focus, history, lint, mirror,
    nodes, patch, radar, resume, scaffold, steps, storage, verify,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusUse {
    /// Neither filled in nor guarded.
    No,
    /// The focus must be a task.
    Task,
    /// A plan or a task.
    Any,
    /// The focused plan, or the plan of the focused task.
    Plan,
}

pub type Handler = fn(&mut Run, &Object) -> Result<Answer>;

pub struct Intent {
    pub name: &'static str,
    pub handler: Handler,
    pub focus: FocusUse,
    /// Leaves an operation when it changes something.
    pub writes: bool,
}

impl Intent {
    pub fn target_key(&self) -> &'static str {
        if self.focus == FocusUse::Plan { "plan" } else { "task" }
    }
}

const fn reads(name: &'static str, handler: Handler) -> Intent {
    Intent { name, handler, focus: FocusUse::No, writes: false }
}

const fn writes(name: &'static str, focus: FocusUse, handler: Handler) -> Intent {
    Intent { name, handler, focus, writes: true }
}

pub static INTENTS: &[Intent] = &[
    reads("focus_get", focus::get),
    reads("focus_set", focus::set),
    reads("focus_clear", focus::clear),
    reads("radar", radar::radar),
    reads("handoff", radar::handoff),
    reads("context_pack", radar::context_pack),
    reads("context", context::context),
    reads("resume", resume::resume),
    reads("lint", lint::lint),
    reads("mirror", mirror::mirror),
    reads("templates_list", scaffold::templates_list),
    reads("batch", batch::batch),
    reads("history", history::history),
    reads("delta", history::delta),
    reads("storage", storage::storage),
    reads("evidence_get", evidence::get),
    writes("scaffold", FocusUse::No, scaffold::scaffold),
    writes("create", FocusUse::No, create::create),
    writes("edit", FocusUse::Any, edit::edit),
    writes("patch", FocusUse::Any, patch::patch),
    writes("complete", FocusUse::Any, complete::complete),
    writes("delete", FocusUse::Any, delete::delete),
    writes("decompose", FocusUse::Task, steps::decompose),
    writes("define", FocusUse::Task, steps::define),
    writes("note", FocusUse::Task, steps::note),
    writes("block", FocusUse::Task, steps::block),
    writes("task_add", FocusUse::Task, nodes::add),
    writes("task_define", FocusUse::Task, nodes::define),
    writes("task_delete", FocusUse::Task, nodes::delete),
    writes("verify", FocusUse::Task, verify::verify),
    writes("done", FocusUse::Task, close::done),
    writes("close_step", FocusUse::Task, close::close_step),
    writes("progress", FocusUse::Task, close::progress),
    writes("evidence_capture", FocusUse::Task, evidence::capture),
    writes("close_task", FocusUse::Task, complete::close_task),
    writes("contract", FocusUse::Plan, contract::contract),
    writes("plan", FocusUse::Plan, contract::plan),
];

pub fn find(name: &str) -> Option<&'static Intent> {
    INTENTS.iter().find(|intent| intent.name == name)
}
