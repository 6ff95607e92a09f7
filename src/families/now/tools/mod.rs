//! One file per tool.

pub mod find;
pub mod now;
