//! One module per tool family and concern, over the real engine in memory.

mod packs;
mod packs_file;
mod packs_output;
mod tasks;
mod tasks_close;
mod tasks_files;
mod tasks_history;
mod tasks_pipeline;
mod tasks_radar;
mod tasks_rig;
