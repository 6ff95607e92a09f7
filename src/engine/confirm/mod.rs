//! Calls that somebody must agree to first: previewed, kept under a token or for a person, and then run as previewed.
//!
//! `phases` is the way with a token, `asking` the one with a person; `proposal` is what either of them agrees to.

pub(super) mod asking;
pub(super) mod pending;
pub mod person;
pub(super) mod phases;
pub(super) mod proposal;
pub(super) mod token;
