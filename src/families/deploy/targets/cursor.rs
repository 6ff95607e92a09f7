//! Cursor: one rule file per instruction module, with front matter of its own.

use super::{TargetOutput, OutputPart, TargetSetup, OutputShape, DeployTarget, of_kind};
use crate::core::agents::CURSOR;
use crate::families::deploy::config::ModuleKind;
use crate::families::deploy::ids;
use crate::families::deploy::module::front_matter;
use crate::families::deploy::tree::HashedContent;

const DIR: &str = CURSOR.in_project.rules;

fn on(setup: &TargetSetup) -> bool {
    setup.project("write_rules", true)
}

pub const TARGET: DeployTarget = DeployTarget {
    agent: &CURSOR,
    user_scope: false,
    kinds: &[ModuleKind::Instructions],
    roots: |setup| if on(setup) { vec![setup.project_root(DIR, true)] } else { Vec::new() },
    render: |setup, modules, sink| {
        if !on(setup) {
            return Ok(());
        }
        for module in of_kind(modules, ModuleKind::Instructions) {
            let Some(file) = module.tree.get("AGENTS.md") else { continue };
            let text = file.content.text().unwrap_or_default();
            let output = TargetOutput {
                content: HashedContent::new(rule(&module.id, text).into_bytes()),
                exec: false,
                shape: OutputShape::Rule,
                parts: vec![OutputPart { module_id: module.id.clone(), rel: "AGENTS.md".into() }],
            };
            let name = format!("{}.mdc", ids::fs_key(&module.id));
            sink.put(setup.place.project.join(DIR).join(name), output)?;
        }
        Ok(())
    },
};

fn rule(id: &str, text: &str) -> String {
    let description = serde_json::Value::String(format!("agentpack: {id}"));
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    format!("---\ndescription: {description}\nglobs: []\nalwaysApply: true\n---\n\n{text}{newline}")
}

/// The instructions inside a rule file: what the user edited, without the front matter we made.
pub fn body(text: &str) -> &str {
    match front_matter(text) {
        Some((_, rest)) => rest.strip_prefix('\n').unwrap_or(rest),
        None => text,
    }
}
