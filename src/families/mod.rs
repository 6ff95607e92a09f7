//! The tool families: pure functions of a read-only view and arguments. A family never calls another, and nobody but
//! `daemon/assemble.rs` knows which there are.

pub mod deploy;
pub mod ecosystems;
pub mod history;
pub mod hosts;
pub mod modes;
pub mod now;
pub mod packages;
pub mod packs;
pub mod snapshots;
pub mod starters;
pub mod tasks;
