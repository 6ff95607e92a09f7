//! What the shim, the command line and the daemon share: where things are and how the two ends meet.
//!
//! Knows nothing of the rest of packd and uses neither an async runtime nor the database.

pub mod hello;
