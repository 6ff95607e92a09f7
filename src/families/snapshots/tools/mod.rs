//! One file per tool.

pub mod diff;
pub mod list;
pub mod restore;
pub mod take;
