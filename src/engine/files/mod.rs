//! The only writer of users' files: planned effects are checked, staged, flushed and put in place, or nothing is.
//!
//! Never through a link, never outside the declared roots, never where another family or packd itself keeps something.
//! What should be written was decided elsewhere; here is only how.

mod carry_out;
mod dirs;
pub mod effects;
pub(super) mod exclude;
pub(super) mod locks;
pub mod made;
pub(super) mod mended;
pub(super) mod reach;
pub(super) mod recover;
pub(super) mod reserved;
pub(super) mod staging;
mod standing;
