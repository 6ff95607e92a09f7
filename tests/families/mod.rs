//! One module per tool family and concern, over the real engine in memory.

mod packages;
mod packages_archive;
mod packages_install;
mod packages_publish;
mod packages_rig;
mod packs;
mod packs_file;
mod packs_output;
