//! The engine: the one path of every call, and the doors to files, programs and remotes.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::engine`.

#![allow(
    clippy::disallowed_methods,
    reason = "the one implementation of the world, the clock and the doors to both"
)]

pub use packd_core::{core, policy};
pub use packd_store::store;
pub use packd_supervise::supervise;

#[path = "mod.rs"]
pub mod engine;
