//! What keeps the program of a run when its daemon ends.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::supervise`.

#![allow(clippy::disallowed_methods, reason = "a program of its own, run by the daemon")]

#[path = "mod.rs"]
pub mod supervise;
