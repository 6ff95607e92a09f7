//! One file per tool, and the one list of them.

pub mod guide;
pub mod hooks;
pub mod setup;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[&setup::PackdSetup, &hooks::SetHooks, &guide::Guide];
