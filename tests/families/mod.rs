//! One module per tool family and concern, over the real engine in memory.

mod ecosystems;
mod ecosystems_confirm;
mod ecosystems_release;
mod ecosystems_rig;
mod ecosystems_runs;
mod packages;
mod packages_archive;
mod packages_install;
mod packages_publish;
mod packages_rig;
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
