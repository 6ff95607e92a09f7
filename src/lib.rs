//! packd: one background service per user that keeps what AI coding agents remember and change.

pub mod cli;
pub mod core;
pub mod daemon;
pub mod engine;
pub mod families;
pub mod ipc;
pub mod mcp;
pub mod policy;
pub mod shim;
pub mod store;
