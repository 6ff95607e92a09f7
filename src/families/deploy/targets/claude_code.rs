//! Claude Code: slash commands, and skills where asked for.

use std::path::PathBuf;

use super::{Root, Setup, Target, same_name};
use crate::families::deploy::config::Kind;

pub const TARGET: Target = Target {
    name: "claude_code",
    user_scope: true,
    kinds: &[Kind::Command, Kind::Skill],
    roots: |setup| dirs(setup).into_iter().map(|(root, _)| root).collect(),
    render: |setup, modules, sink| {
        for (root, kind) in dirs(setup) {
            match kind {
                Kind::Skill => sink.skills(&root.path, modules)?,
                _ => sink.singles(&root.path, modules, Kind::Command, same_name)?,
            }
        }
        Ok(())
    },
};

/// Every directory that is switched on, with what goes there. Skills are off unless asked for.
fn dirs(setup: &Setup) -> Vec<(Root, Kind)> {
    let user = |rel: &str| {
        let path: PathBuf = setup.place.home.join(".claude").join(rel);
        Root { target: setup.target, path, base: setup.place.home.clone(), scan: true, project: false }
    };
    let project = |rel: &str| setup.project_root(&format!(".claude/{rel}"), true);
    let mut out = Vec::new();
    if setup.user("write_user_commands", true) {
        out.push((user("commands"), Kind::Command));
    }
    if setup.user("write_user_skills", false) {
        out.push((user("skills"), Kind::Skill));
    }
    if setup.project("write_repo_commands", true) {
        out.push((project("commands"), Kind::Command));
    }
    if setup.project("write_repo_skills", false) {
        out.push((project("skills"), Kind::Skill));
    }
    out
}
