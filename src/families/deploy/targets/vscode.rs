//! VS Code with Copilot: one instructions file and prompt files, in `.github`.

use super::{TargetRoot, TargetSetup, DeployTarget};
use crate::core::agents::VSCODE;
use crate::families::deploy::config::ModuleKind;

pub const TARGET: DeployTarget = DeployTarget {
    agent: &VSCODE,
    user_scope: false,
    kinds: &[ModuleKind::Instructions, ModuleKind::Prompt],
    roots,
    render: |setup, modules, sink| {
        let at = |path: &str| setup.place.project.join(path);
        if setup.project("write_instructions", true) {
            sink.instructions(at(VSCODE.in_project.instructions), modules)?;
        }
        if setup.project("write_prompts", true) {
            sink.singles(&at(VSCODE.in_project.prompts), modules, ModuleKind::Prompt, prompt_name)?;
        }
        Ok(())
    },
};

fn roots(setup: &TargetSetup) -> Vec<TargetRoot> {
    let mut out = Vec::new();
    if setup.project("write_instructions", true) {
        out.push(setup.project_root(".github", false));
    }
    if setup.project("write_prompts", true) {
        out.push(setup.project_root(VSCODE.in_project.prompts, true));
    }
    out
}

fn prompt_name(name: &str) -> String {
    if name.ends_with(".prompt.md") {
        return name.to_string();
    }
    format!("{}.prompt.md", name.strip_suffix(".md").unwrap_or(name))
}
