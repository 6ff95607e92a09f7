//! One file per tool, and the one list of them.

pub mod diff;
pub mod list;
pub mod restore;
pub mod take;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] =
    &[&take::SnapTake, &list::SnapList, &diff::SnapDiff, &restore::SnapRestore];
