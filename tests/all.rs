//! All integration tests in one binary; each module says what it guards.

mod common;

mod families;
mod history;
mod policy;
mod tidy;
mod tools;
