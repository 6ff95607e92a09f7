//! Codex: `AGENTS.md`, skills and prompts, in its home and in the project.

use std::path::PathBuf;

use super::{TargetRoot, TargetSetup, DeployTarget, same_name};
use crate::core::agents::CODEX;
use crate::families::deploy::config::ModuleKind;

pub const TARGET: DeployTarget = DeployTarget {
    agent: &CODEX,
    user_scope: true,
    kinds: &[ModuleKind::Instructions, ModuleKind::Skill, ModuleKind::Prompt],
    roots,
    render: |setup, modules, sink| {
        let home = home(setup);
        if setup.user("write_agents_global", true) {
            sink.instructions(home.join(CODEX.in_home.instructions), modules)?;
        }
        if setup.user("write_user_skills", true) {
            sink.skills(&home.join(CODEX.in_home.skills), modules)?;
        }
        if setup.user("write_user_prompts", true) {
            sink.singles(&home.join(CODEX.in_home.prompts), modules, ModuleKind::Prompt, same_name)?;
        }
        if setup.project("write_agents_repo_root", true) {
            sink.instructions(setup.place.project.join(CODEX.in_project.instructions), modules)?;
        }
        if setup.project("write_repo_skills", true) {
            sink.skills(&setup.place.project.join(CODEX.in_project.skills), modules)?;
        }
        Ok(())
    },
};

/// The option wins over `CODEX_HOME`, which wins over `~/.codex`.
fn home(setup: &TargetSetup) -> PathBuf {
    let place = setup.place;
    match setup.config.text("codex_home") {
        Some(text) => match text.strip_prefix("~/") {
            Some(rest) => place.home.join(rest),
            None => place.home.join(text),
        },
        None => place.codex_env.clone().unwrap_or_else(|| place.home.join(CODEX.home.below)),
    }
}

fn roots(setup: &TargetSetup) -> Vec<TargetRoot> {
    let home = home(setup);
    let user =
        |path: PathBuf, scan| TargetRoot { target: setup.target, path, base: home.clone(), scan, project: false };
    let mut out = Vec::new();
    if setup.user("write_agents_global", true) {
        out.push(user(home.clone(), false));
    }
    if setup.user("write_user_prompts", true) {
        out.push(user(home.join(CODEX.in_home.prompts), true));
    }
    if setup.user("write_user_skills", true) {
        out.push(user(home.join(CODEX.in_home.skills), true));
    }
    if setup.project("write_agents_repo_root", true) {
        out.push(setup.project_root("", false));
    }
    if setup.project("write_repo_skills", true) {
        out.push(setup.project_root(CODEX.in_project.skills, true));
    }
    out
}
