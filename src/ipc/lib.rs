//! What shim, command line and daemon say to each other.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::ipc`.

#![allow(clippy::disallowed_methods, reason = "finds the home, the socket and the daemon")]

#[path = "mod.rs"]
pub mod ipc;
