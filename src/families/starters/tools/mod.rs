//! One file per tool, and the one list of them.

pub mod init;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[&init::PackdInit];
