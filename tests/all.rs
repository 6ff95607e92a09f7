//! All integration tests in one binary; each module says what it guards.

mod common;

mod history;
mod lifecycle;
mod lifecycle_daemon;
mod lifecycle_framing;
mod lifecycle_loss;
mod policy;
mod readme;
mod skew;
mod tidy;
mod tools;
