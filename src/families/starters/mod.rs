//! First files of a project, written because a person asked for them: all new, none replaced, one operation.
//!
//! Declares no tool to agents: they write files with the means of their hosts. The command line says what the files
//! hold; what they mean is known to the families that read them.

mod tools;

use crate::core::ctx::ErrorCtx;
use crate::core::{AnyTool, Error, Family, Reply};

pub struct Starters;

impl Family for Starters {
    fn name(&self) -> &'static str {
        "starters"
    }

    fn of_tree(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}
