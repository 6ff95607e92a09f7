//! VS Code with Copilot: one instructions file and prompt files, in `.github`.

use super::{Root, Setup, Target};
use crate::core::agents::VSCODE;
use crate::families::deploy::config::Kind;

pub const TARGET: Target = Target {
    agent: &VSCODE,
    user_scope: false,
    kinds: &[Kind::Instructions, Kind::Prompt],
    roots,
    render: |setup, modules, sink| {
        let at = |path: &str| setup.place.project.join(path);
        if setup.project("write_instructions", true) {
            sink.instructions(at(VSCODE.in_project.instructions), modules)?;
        }
        if setup.project("write_prompts", true) {
            sink.singles(&at(VSCODE.in_project.prompts), modules, Kind::Prompt, prompt_name)?;
        }
        Ok(())
    },
};

fn roots(setup: &Setup) -> Vec<Root> {
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
