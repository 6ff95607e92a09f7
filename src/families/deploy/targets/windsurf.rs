//! Windsurf: rules that are always on, workflows and skills, in the project and in its home.
//!
//! It reads only the beginning of a file of rules that is too long, and says nothing: such a module is refused instead.

use std::path::PathBuf;

use super::{TargetOutput, OutputPart, TargetRoot, TargetSetup, OutputShape, Sink, DeployTarget, of_kind, same_name};
use crate::core::Result;
use crate::core::agents::WINDSURF;
use crate::families::deploy::config::ModuleKind;
use crate::families::deploy::errors::coded;
use crate::families::deploy::ids;
use crate::families::deploy::module::Materialized;
use crate::families::deploy::tree::HashedContent;

pub const TARGET: DeployTarget = DeployTarget {
    agent: &WINDSURF,
    user_scope: true,
    kinds: &[ModuleKind::Instructions, ModuleKind::Command, ModuleKind::Skill],
    roots,
    render: |setup, modules, sink| {
        let (home, project) = (home(setup), &setup.place.project);
        if setup.user("write_global_rules", true) {
            for module in of_kind(modules, ModuleKind::Instructions) {
                fits(module, WINDSURF.longest_rules.map(|(in_home, _)| in_home))?;
            }
            sink.instructions(home.join(WINDSURF.in_home.instructions), modules)?;
        }
        if setup.user("write_user_workflows", true) {
            sink.singles(&home.join(WINDSURF.in_home.commands), modules, ModuleKind::Command, same_name)?;
        }
        if setup.user("write_user_skills", true) {
            sink.skills(&home.join(WINDSURF.in_home.skills), modules)?;
        }
        if setup.project("write_rules", true) {
            rules(setup, modules, sink)?;
        }
        if setup.project("write_repo_workflows", true) {
            sink.singles(&project.join(WINDSURF.in_project.commands), modules, ModuleKind::Command, same_name)?;
        }
        if setup.project("write_repo_skills", true) {
            sink.skills(&project.join(WINDSURF.in_project.skills), modules)?;
        }
        Ok(())
    },
};

fn home(setup: &TargetSetup) -> PathBuf {
    setup.place.home.join(WINDSURF.home.below)
}

fn roots(setup: &TargetSetup) -> Vec<TargetRoot> {
    let home = home(setup);
    let user = |rel: &str, scan| TargetRoot {
        target: setup.target,
        path: home.join(rel),
        base: setup.place.home.clone(),
        scan,
        project: false,
    };
    let mut out = Vec::new();
    if setup.user("write_global_rules", true) {
        // The directory also holds what Windsurf remembers by itself.
        out.push(user("memories", false));
    }
    if setup.user("write_user_workflows", true) {
        out.push(user(WINDSURF.in_home.commands, true));
    }
    if setup.user("write_user_skills", true) {
        out.push(user(WINDSURF.in_home.skills, true));
    }
    if setup.project("write_rules", true) {
        out.push(setup.project_root(WINDSURF.in_project.rules, true));
    }
    if setup.project("write_repo_workflows", true) {
        out.push(setup.project_root(WINDSURF.in_project.commands, true));
    }
    if setup.project("write_repo_skills", true) {
        out.push(setup.project_root(WINDSURF.in_project.skills, true));
    }
    out
}

/// One file for each module of instructions.
fn rules(setup: &TargetSetup, modules: &[&Materialized], sink: &mut Sink) -> Result<()> {
    for module in of_kind(modules, ModuleKind::Instructions) {
        let Some(file) = module.tree.get("AGENTS.md") else { continue };
        fits(module, WINDSURF.longest_rules.map(|(_, in_project)| in_project))?;
        let text = rule(file.content.text().unwrap_or_default());
        let output = TargetOutput {
            content: HashedContent::new(text.into_bytes()),
            exec: false,
            shape: OutputShape::Rule,
            parts: vec![OutputPart { module_id: module.id.clone(), rel: "AGENTS.md".into() }],
        };
        let name = format!("{}.md", ids::fs_key(&module.id));
        sink.put(setup.place.project.join(WINDSURF.in_project.rules).join(name), output)?;
    }
    Ok(())
}

fn rule(text: &str) -> String {
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    format!("---\ntrigger: always_on\n---\n\n{text}{newline}")
}

fn fits(module: &Materialized, most: Option<usize>) -> Result<()> {
    let text = module.tree.get("AGENTS.md").and_then(|file| file.content.text()).unwrap_or_default();
    let long = rule(text).chars().count();
    match most.filter(|most| long > *most) {
        None => Ok(()),
        Some(most) => Err(coded(
            "E_MODULE_INVALID",
            format!("Windsurf reads {most} characters of a file of rules; module {} makes {long}.", module.id),
        )
        .hint("Split the module, or leave windsurf out of its targets.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::deploy::targets::rule_body;

    #[test]
    fn a_rule_is_always_on_and_gives_its_text_back() {
        let text = rule("# Base\nOne");
        assert_eq!(text, "---\ntrigger: always_on\n---\n\n# Base\nOne\n");
        assert_eq!(rule_body(&text), "# Base\nOne\n");
    }
}
