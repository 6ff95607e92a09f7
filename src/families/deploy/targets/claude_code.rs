//! Claude Code: slash commands, and skills where asked for.

use std::path::PathBuf;

use super::{TargetRoot, TargetSetup, DeployTarget, same_name};
use crate::core::agents::CLAUDE;
use crate::families::deploy::config::ModuleKind;

pub const TARGET: DeployTarget = DeployTarget {
    agent: &CLAUDE,
    user_scope: true,
    kinds: &[ModuleKind::Command, ModuleKind::Skill],
    roots: |setup| dirs(setup).into_iter().map(|(root, _)| root).collect(),
    render: |setup, modules, sink| {
        for (root, kind) in dirs(setup) {
            match kind {
                ModuleKind::Skill => sink.skills(&root.path, modules)?,
                _ => sink.singles(&root.path, modules, ModuleKind::Command, same_name)?,
            }
        }
        Ok(())
    },
};

/// Every directory that is switched on, with what goes there. Skills are off unless asked for.
fn dirs(setup: &TargetSetup) -> Vec<(TargetRoot, ModuleKind)> {
    let user = |rel: &str| {
        let path: PathBuf = setup.place.home.join(CLAUDE.home.below).join(rel);
        TargetRoot { target: setup.target, path, base: setup.place.home.clone(), scan: true, project: false }
    };
    let project = |rel: &str| setup.project_root(rel, true);
    let (home, repo) = (&CLAUDE.in_home, &CLAUDE.in_project);
    let mut out = Vec::new();
    if setup.user("write_user_commands", true) {
        out.push((user(home.commands), ModuleKind::Command));
    }
    if setup.user("write_user_skills", false) {
        out.push((user(home.skills), ModuleKind::Skill));
    }
    if setup.project("write_repo_commands", true) {
        out.push((project(repo.commands), ModuleKind::Command));
    }
    if setup.project("write_repo_skills", false) {
        out.push((project(repo.skills), ModuleKind::Skill));
    }
    out
}
