//! The families: tools, their tables and replies.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::families`.

pub use packd_core::core;

#[path = "mod.rs"]
pub mod families;
