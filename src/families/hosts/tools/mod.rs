//! One file per tool.

pub mod guide;
pub mod hooks;
pub mod setup;
