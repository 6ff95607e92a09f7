//! The words of packd and its policy: rows, changes, operations, what a family and a tool are.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::core`.

#[path = "mod.rs"]
pub mod core;
#[path = "../policy.rs"]
pub mod policy;
