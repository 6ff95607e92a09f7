//! All integration tests in one binary; each module says what it guards.

#![allow(clippy::disallowed_methods, reason = "tests and measurements are outside")]

mod common;

mod agents;
mod cli;
mod crash;
mod engine;
mod families;
mod hostile;
mod house;
mod lifecycle;
mod mcp;
mod page;
mod reach;
mod store;
