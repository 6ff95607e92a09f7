//! One file per tool, and the one list of them.

pub mod diff;
pub mod list;
pub mod restore;
pub mod take;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[&take::Take, &list::List, &diff::Compare, &restore::Restore];
