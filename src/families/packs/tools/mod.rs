//! One file per tool. The last two are the daemon's own: no client sees or calls them.

pub mod input;
pub mod mirrored;
pub mod output;
pub mod take_in;
