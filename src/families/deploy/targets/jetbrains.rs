//! JetBrains: the guidelines file of Junie.

use super::{Setup, Target};
use crate::core::agents::JETBRAINS;
use crate::families::deploy::config::Kind;

fn on(setup: &Setup) -> bool {
    setup.project("write_guidelines", true)
}

pub const TARGET: Target = Target {
    agent: &JETBRAINS,
    user_scope: false,
    kinds: &[Kind::Instructions],
    roots: |setup| if on(setup) { vec![setup.project_root(".junie", true)] } else { Vec::new() },
    render: |setup, modules, sink| {
        if !on(setup) {
            return Ok(());
        }
        sink.instructions(setup.place.project.join(JETBRAINS.in_project.instructions), modules)
    },
};
