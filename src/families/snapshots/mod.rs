//! The snapshots family: the states of the work tree, what lies between them, and the way back to one.
//!
//! Its operations are what others did to files; how a tree is looked at and where contents are kept is the engine's.

mod chain;
mod reply;
mod tools;

use crate::core::snapshot::{FAMILY, SNAPSHOTS, TREES};
use crate::core::{AnyTool, Family, Table};

pub struct SnapshotsFamily;

impl Family for SnapshotsFamily {
    fn name(&self) -> &'static str {
        FAMILY
    }

    fn of_tree(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn tables(&self) -> &'static [Table] {
        &[TREES, SNAPSHOTS]
    }
}
