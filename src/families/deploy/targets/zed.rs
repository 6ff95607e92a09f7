//! Zed: the `.rules` file of the project.

use super::{Setup, Target};
use crate::core::agents::ZED;
use crate::families::deploy::config::Kind;

fn on(setup: &Setup) -> bool {
    setup.project("write_rules", true)
}

pub const TARGET: Target = Target {
    agent: &ZED,
    user_scope: false,
    kinds: &[Kind::Instructions],
    roots: |setup| if on(setup) { vec![setup.project_root("", false)] } else { Vec::new() },
    render: |setup, modules, sink| {
        if !on(setup) {
            return Ok(());
        }
        sink.instructions(setup.place.project.join(ZED.in_project.instructions), modules)
    },
};
