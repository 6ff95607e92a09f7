//! Agent packages: registries, archives, publishing, installing.

mod archive;
mod disturbed;
mod install;
mod publish;
mod registries;
mod replies;
mod resolution;
pub mod rig;
