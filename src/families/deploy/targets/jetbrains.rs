//! JetBrains: the guidelines file of Junie.

use super::{TargetSetup, DeployTarget};
use crate::core::agents::JETBRAINS;
use crate::families::deploy::config::ModuleKind;

fn on(setup: &TargetSetup) -> bool {
    setup.project("write_guidelines", true)
}

pub const TARGET: DeployTarget = DeployTarget {
    agent: &JETBRAINS,
    user_scope: false,
    kinds: &[ModuleKind::Instructions],
    roots: |setup| if on(setup) { vec![setup.project_root(".junie", true)] } else { Vec::new() },
    render: |setup, modules, sink| {
        if !on(setup) {
            return Ok(());
        }
        sink.instructions(setup.place.project.join(JETBRAINS.in_project.instructions), modules)
    },
};
