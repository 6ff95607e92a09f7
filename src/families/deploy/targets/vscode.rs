//! VS Code with Copilot: one instructions file and prompt files, in `.github`.

use super::{Root, Setup, Target};
use crate::families::deploy::config::Kind;

pub const TARGET: Target = Target {
    name: "vscode",
    user_scope: false,
    kinds: &[Kind::Instructions, Kind::Prompt],
    roots,
    render: |setup, modules, sink| {
        let dir = setup.place.project.join(".github");
        if setup.project("write_instructions", true) {
            sink.instructions(dir.join("copilot-instructions.md"), modules)?;
        }
        if setup.project("write_prompts", true) {
            sink.singles(&dir.join("prompts"), modules, Kind::Prompt, prompt_name)?;
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
        out.push(setup.project_root(".github/prompts", true));
    }
    out
}

fn prompt_name(name: &str) -> String {
    if name.ends_with(".prompt.md") {
        return name.to_string();
    }
    format!("{}.prompt.md", name.strip_suffix(".md").unwrap_or(name))
}
