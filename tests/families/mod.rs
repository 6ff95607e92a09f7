//! One module per tool family and concern, over the real engine in memory.

mod claims;
pub mod deploy;
pub mod ecosystems;
mod history;
mod hosts;
mod now;
pub mod packages;
mod packs;
pub mod snapshots;
pub mod tasks;
