//! What the shim, the command line and the daemon share: where things are and how the two ends meet.
//!
//! Knows nothing of the rest of packd and uses neither an async runtime nor the database.

pub mod connect;
pub mod frame;
pub mod hello;
pub mod home;
pub mod hook;
pub mod json;
pub mod peer;
pub mod scan;
pub mod start;
pub mod trouble;

pub use home::Home;
pub use trouble::SocketTrouble;
