//! The family's errors: the plain form, with the way out of naming an operation where none is taken.

use super::tools::redo::HistoryRedo;
use super::tools::revert::HistoryRevert;
use super::tools::undo::HistoryUndo;
use crate::core::ctx::ErrorCtx;
use crate::core::{Error, Reply, Tool, refusal};

pub fn render(error: &Error, ctx: &ErrorCtx) -> Reply {
    // Undo and redo choose the operation themselves; whoever names one means the tool that takes a name.
    let names_one = error.details.as_ref().is_some_and(|details| details["field"] == "operation_id");
    if names_one && [HistoryUndo::NAME, HistoryRedo::NAME].contains(&ctx.tool) {
        let by_name = format!("{} takes back the operation with this id.", HistoryRevert::NAME);
        return refusal::render(&error.clone().hint(by_name));
    }
    refusal::render(error)
}

pub fn invalid(message: impl Into<String>) -> Error {
    Error::invalid("invalid_arguments", message)
}
