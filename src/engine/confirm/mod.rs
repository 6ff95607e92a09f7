//! Calls that somebody must agree to first: previewed, kept under a token or for a person, and then run as previewed.
//!
//! `stage` gives a token, `asking` leaves a call to a person; `proposal` is what either of them agrees to, and `take` is
//! what follows from a yes.

pub(super) mod asking;
mod dialog;
mod may;
pub(super) mod pending;
pub mod person;
mod proposal;
pub(super) mod stage;
pub(super) mod take;
mod words;
