//! packd: one background service per user that keeps what AI coding agents remember and change.

pub mod core;
pub mod engine;
pub mod families;
pub mod policy;
pub mod store;
