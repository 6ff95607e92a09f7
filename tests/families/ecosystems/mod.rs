//! Ecosystems of real git repositories: their life, tickets, releases, runs and confirmations.

mod confirm;
mod life;
mod release;
mod replies;
pub mod rig;
mod runs;
mod tickets;
mod trees;
