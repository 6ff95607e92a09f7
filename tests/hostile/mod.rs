//! What packd's surroundings may do to it: hostile repositories, foreign owners, full disks, killed daemons.
//!
//! Each module guards one of the places where packd once trusted what it should not have.

mod cache;
mod canary;
mod client;
mod crash_images;
mod damage;
mod descriptors;
mod directories;
mod disk;
mod echoes;
mod eco;
mod environment;
mod evolve;
mod gates;
mod git;
mod lost_work;
#[cfg(target_os = "linux")]
mod namespace;
mod owners;
mod replaced;
mod runs;
mod scans;
mod secrets;
mod targets;
mod tokens;
mod trash;
mod walls;
mod wire;
mod yaml;
