//! Zed: the `.rules` file of the project.

use super::{TargetSetup, DeployTarget};
use crate::core::agents::ZED;
use crate::families::deploy::config::ModuleKind;

fn on(setup: &TargetSetup) -> bool {
    setup.project("write_rules", true)
}

pub const TARGET: DeployTarget = DeployTarget {
    agent: &ZED,
    user_scope: false,
    kinds: &[ModuleKind::Instructions],
    roots: |setup| if on(setup) { vec![setup.project_root("", false)] } else { Vec::new() },
    render: |setup, modules, sink| {
        if !on(setup) {
            return Ok(());
        }
        sink.instructions(setup.place.project.join(ZED.in_project.instructions), modules)
    },
};
