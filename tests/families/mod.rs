//! One module per tool family and concern, over the real engine in memory.

mod deploy_apply;
mod deploy_config;
mod deploy_evolve;
pub mod deploy_lab;
mod deploy_render;
mod deploy_status;
mod packs;
mod packs_file;
mod packs_output;
