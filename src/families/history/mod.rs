//! The history family: what was done, and taking it back, for every other family.
//!
//! It reads the one log and turns operations around with `core::history`; it owns no table and knows no family's
//! rows but through their shapes.

mod changes;
mod errors;
mod files;
mod filter;
mod reply;
mod tools;

use crate::core::ctx::ErrorCtx;
use crate::core::skills::{self, Skill};
use crate::core::{AnyTool, Error, Family, Reply};

pub struct HistoryFamily;

impl Family for HistoryFamily {
    fn name(&self) -> &'static str {
        "history"
    }

    fn spans_families(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn skills(&self) -> &'static [&'static Skill] {
        &[&skills::TAKE_THINGS_BACK]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }
}
