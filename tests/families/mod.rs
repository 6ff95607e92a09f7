//! One module per tool family and concern, over the real engine in memory.

mod claims;
mod deploy_apply;
mod deploy_config;
mod deploy_evolve;
pub mod deploy_lab;
mod deploy_render;
mod deploy_replies;
mod deploy_status;
mod ecosystems;
mod ecosystems_confirm;
mod ecosystems_release;
mod ecosystems_replies;
pub mod ecosystems_rig;
mod ecosystems_runs;
mod ecosystems_tickets;
mod ecosystems_trees;
mod history;
mod hosts;
mod now;
pub mod packages;
mod packs;
pub mod snapshots;
pub mod tasks;
