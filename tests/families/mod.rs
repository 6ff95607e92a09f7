//! One module per tool family and concern, over the real engine in memory.

mod packs;
mod packs_file;
mod packs_output;
