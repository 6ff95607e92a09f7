//! The tasks family, through the engine.

mod close;
mod economy;
mod files;
mod history;
mod mistakes;
mod model;
mod pipeline;
mod radar;
pub mod rig;
