//! All integration tests in one binary; each module says what it guards.

mod common;

mod history;
