//! Agent packages: registries, archives, publishing, installing.

mod archive;
mod install;
mod publish;
mod registries;
mod replies;
pub mod rig;
