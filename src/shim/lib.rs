//! What `packd-mcp` does.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::shim`.

#![allow(clippy::disallowed_methods, reason = "a program of its own, run by a host")]

pub use packd_ipc::ipc;
pub use packd_supervise::supervise;

#[path = "mod.rs"]
pub mod shim;
