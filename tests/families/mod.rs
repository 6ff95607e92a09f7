//! One module per tool family and concern, over the real engine in memory.

mod deploy_apply;
mod deploy_config;
mod deploy_evolve;
pub mod deploy_lab;
mod deploy_render;
mod deploy_status;
mod ecosystems;
mod ecosystems_confirm;
mod ecosystems_release;
mod ecosystems_rig;
mod ecosystems_runs;
mod hosts;
mod packs;
mod packs_bench;
mod packs_file;
mod packs_life;
mod packs_mirror;
mod packs_output;
mod packs_refs;
mod packs_sources;
mod tasks;
mod tasks_close;
mod tasks_files;
mod tasks_history;
mod tasks_pipeline;
mod tasks_radar;
mod tasks_rig;
