//! All integration tests in one binary; each module says what it guards.

mod common;

mod history;
mod policy;
mod tidy;
mod tools;
