//! All integration tests in one binary; each module says what it guards.

mod common;

mod history;
mod policy;
mod power;
mod readme;
mod store;
mod tidy;
mod tools;
