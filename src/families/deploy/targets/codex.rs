//! Codex: `AGENTS.md`, skills and prompts, in its home and in the project.

use std::path::PathBuf;

use super::{Root, Setup, Target, same_name};
use crate::families::deploy::config::Kind;

pub const TARGET: Target = Target {
    name: "codex",
    user_scope: true,
    kinds: &[Kind::Instructions, Kind::Skill, Kind::Prompt],
    roots,
    render: |setup, modules, sink| {
        let home = home(setup);
        if setup.user("write_agents_global", true) {
            sink.instructions(home.join("AGENTS.md"), modules)?;
        }
        if setup.user("write_user_skills", true) {
            sink.skills(&home.join("skills"), modules)?;
        }
        if setup.user("write_user_prompts", true) {
            sink.singles(&home.join("prompts"), modules, Kind::Prompt, same_name)?;
        }
        if setup.project("write_agents_repo_root", true) {
            sink.instructions(setup.place.project.join("AGENTS.md"), modules)?;
        }
        if setup.project("write_repo_skills", true) {
            sink.skills(&setup.place.project.join(".codex/skills"), modules)?;
        }
        Ok(())
    },
};

/// The option wins over `CODEX_HOME`, which wins over `~/.codex`.
fn home(setup: &Setup) -> PathBuf {
    let place = setup.place;
    match setup.config.text("codex_home") {
        Some(text) => match text.strip_prefix("~/") {
            Some(rest) => place.home.join(rest),
            None => place.home.join(text),
        },
        None => place.codex_env.clone().unwrap_or_else(|| place.home.join(".codex")),
    }
}

fn roots(setup: &Setup) -> Vec<Root> {
    let home = home(setup);
    let user =
        |path: PathBuf, scan| Root { target: setup.target, path, base: home.clone(), scan, project: false };
    let mut out = Vec::new();
    if setup.user("write_agents_global", true) {
        out.push(user(home.clone(), false));
    }
    if setup.user("write_user_prompts", true) {
        out.push(user(home.join("prompts"), true));
    }
    if setup.user("write_user_skills", true) {
        out.push(user(home.join("skills"), true));
    }
    if setup.project("write_agents_repo_root", true) {
        out.push(setup.project_root("", false));
    }
    if setup.project("write_repo_skills", true) {
        out.push(setup.project_root(".codex/skills", true));
    }
    out
}
