//! Gemini CLI: `GEMINI.md` and skills, in its home and in the project. Its commands are TOML files, which no module is.

use super::{TargetRoot, TargetSetup, DeployTarget};
use crate::core::agents::GEMINI;
use crate::families::deploy::config::ModuleKind;

pub const TARGET: DeployTarget = DeployTarget {
    agent: &GEMINI,
    user_scope: true,
    kinds: &[ModuleKind::Instructions, ModuleKind::Skill],
    roots: |setup| places(setup).into_iter().map(|(root, _)| root).collect(),
    render: |setup, modules, sink| {
        for (root, kind) in places(setup) {
            match kind {
                ModuleKind::Skill => sink.skills(&root.path, modules)?,
                _ => sink.instructions(root.path.join(GEMINI.in_project.instructions), modules)?,
            }
        }
        Ok(())
    },
};

/// Every directory that is switched on, with what goes there.
fn places(setup: &TargetSetup) -> Vec<(TargetRoot, ModuleKind)> {
    let user = |rel: &str, scan| TargetRoot {
        target: setup.target,
        path: setup.place.home.join(GEMINI.home.below).join(rel),
        base: setup.place.home.clone(),
        scan,
        project: false,
    };
    let mut out = Vec::new();
    if setup.user("write_user_context", true) {
        out.push((user("", false), ModuleKind::Instructions));
    }
    if setup.user("write_user_skills", true) {
        out.push((user(GEMINI.in_home.skills, true), ModuleKind::Skill));
    }
    if setup.project("write_repo_context", true) {
        out.push((setup.project_root("", false), ModuleKind::Instructions));
    }
    if setup.project("write_repo_skills", true) {
        out.push((setup.project_root(GEMINI.in_project.skills, true), ModuleKind::Skill));
    }
    out
}
