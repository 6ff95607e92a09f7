//! The daemon: one process per user that owns the store and serves every session over one socket.

pub mod out;
pub mod service;
