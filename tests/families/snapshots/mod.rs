//! The snapshots family: what others did to the work tree, in the one history.

mod attribution;
mod kept;
mod model;
pub mod rig;
mod taken_back;
mod tools;
mod trees;
