//! The store: the database, the journal before it and the log.
//!
//! A crate, so that it cannot name what is above it. Its paths are those of the whole: `crate::store`.

#![allow(clippy::disallowed_methods, reason = "owns the database and the journal")]

pub use packd_core::core;

#[path = "mod.rs"]
pub mod store;
