//! One file per tool, and the one list of them.

mod batch;
mod block;
mod claim;
mod close_step;
mod close_task;
mod complete;
mod context;
mod context_pack;
mod contract;
pub(super) mod create;
mod decompose;
mod define;
mod delete;
mod delta;
mod done;
mod edit;
mod evidence_capture;
mod evidence_get;
mod focus_clear;
mod focus_get;
mod focus_set;
mod handoff;
mod history;
mod lint;
mod mirror;
mod note;
mod patch;
mod plan;
mod progress;
mod radar;
mod ready;
mod redo;
mod release;
mod resume;
mod scaffold;
mod storage;
mod task_add;
mod task_define;
mod task_delete;
mod templates_list;
mod undo;
mod verify;

use crate::core::AnyTool;

use super::intent::{AnyIntent, AsTool};

/// Intents go through the pipeline and into batches; the others are tools only.
macro_rules! tools {
    (intents: [$($intent:path),* $(,)?], others: [$($other:expr),* $(,)?]) => {
        pub const INTENTS: &[&dyn AnyIntent] = &[$(&$intent),*];
        pub const TOOLS: &[&dyn AnyTool] = &[$(&AsTool::<$intent>::TOOL,)* $(&$other),*];
    };
}

tools! {
    intents: [
        batch::TasksBatch,
        block::Block,
        close_step::CloseStep,
        close_task::CloseTask,
        complete::Complete,
        context::Context,
        context_pack::TasksContextPack,
        contract::Contract,
        create::TasksCreate,
        decompose::Decompose,
        define::Define,
        delete::Delete,
        delta::TasksDelta,
        done::TasksDone,
        edit::TasksEdit,
        evidence_capture::EvidenceCapture,
        evidence_get::EvidenceGet,
        focus_clear::FocusClear,
        focus_get::FocusGet,
        focus_set::FocusSet,
        handoff::Handoff,
        history::TasksHistory,
        lint::Lint,
        mirror::TasksMirror,
        note::Note,
        patch::TasksPatch,
        plan::TasksPlan,
        progress::TasksProgress,
        radar::TasksRadar,
        resume::TasksResume,
        scaffold::Scaffold,
        storage::Storage,
        task_add::TaskAdd,
        task_define::TaskDefine,
        task_delete::TaskDelete,
        templates_list::TemplatesList,
        verify::TasksVerify,
    ],
    others: [claim::ClaimTask, ready::TasksReady, redo::TasksRedo, release::TasksRelease, undo::TasksUndo]
}
