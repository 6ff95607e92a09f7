//! Deploying a config repository to agents: rendering, review, drift, evolution.

mod apply;
mod config;
mod evolve;
mod render;
mod replies;
pub mod rig;
mod status;
