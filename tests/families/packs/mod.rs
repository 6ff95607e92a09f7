//! Context packs: building, reading, anchors, files and their life.

mod anchors;
mod at;
mod economy;
mod file;
mod input;
mod life;
mod mirror;
mod output;
mod pages;
mod project;
mod refs;
mod renamed;
mod rig;
mod sources;
mod write;
