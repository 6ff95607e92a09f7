//! One file per tool, and the one list of them.

pub mod find;
pub mod now;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[&find::NowFind, &now::Now];
