//! One file per tool, the one list of them, and what two of them share: `take_back` for the three that turn an operation around, `at` and
//! `theirs` for the second form of `history_show` and `history_undo`.

mod at;
pub mod delta;
pub mod list;
pub mod redo;
pub mod revert;
pub mod show;
mod take_back;
mod theirs;
pub mod undo;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[
    &list::HistoryList,
    &delta::HistoryDelta,
    &show::HistoryShow,
    &undo::HistoryUndo,
    &redo::HistoryRedo,
    &revert::HistoryRevert,
];
