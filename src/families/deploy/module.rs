//! A module with its overlays applied, checked for the structure its type demands.

use serde_json::{Value, json};

use super::config::{Kind, Module};
use super::errors::coded;
use super::overlay::{self, Overlay};
use super::place::Place;
use super::scout::Scout;
use super::tree::Tree;
use crate::core::{Error, Result};

pub struct Materialized {
    pub module: Module,
    pub tree: Tree,
    pub overlays: Vec<Overlay>,
}

impl Materialized {
    pub fn id(&self) -> &str {
        &self.module.id
    }

    /// The only file of a prompt or command.
    pub fn single(&self) -> Option<(&String, &super::tree::TreeFile)> {
        self.tree.first_key_value()
    }
}

pub fn materialize(
    scout: &Scout,
    place: &Place,
    module: &Module,
    upstream: Tree,
    warnings: &mut Vec<String>,
) -> Result<Materialized> {
    let overlays = overlay::find(scout, place, &module.id)?;
    let mut tree = upstream.clone();
    for layer in &overlays {
        overlay::lay(scout, layer, &module.id, &upstream, &mut tree, warnings)?;
    }
    validate(&module.id, module.kind, &tree)?;
    Ok(Materialized { module: module.clone(), tree, overlays })
}

fn invalid(id: &str, path: &str, message: &str) -> Error {
    coded("E_MODULE_INVALID", format!("Module {id} is not valid: {message}."))
        .details(json!({"module_id": id, "path": path}))
}

/// The checks of each type; a proposal must pass them, too, before it is offered.
pub fn validate(id: &str, kind: Kind, tree: &Tree) -> Result<()> {
    match kind {
        Kind::Instructions => {
            let file =
                tree.get("AGENTS.md").ok_or_else(|| invalid(id, "AGENTS.md", "AGENTS.md is missing"))?;
            utf8(id, "AGENTS.md", &file.content.bytes).map(|_| ())
        }
        Kind::Skill => skill(id, tree),
        Kind::Prompt => single_markdown(id, tree).map(|_| ()),
        Kind::Command => command(id, tree),
    }
}

fn utf8<'a>(id: &str, path: &str, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|_| {
        coded("E_MODULE_NOT_UTF8", format!("{path} of module {id} is not UTF-8."))
            .details(json!({"module_id": id, "path": path}))
    })
}

fn single_markdown<'a>(id: &str, tree: &'a Tree) -> Result<(&'a str, &'a [u8])> {
    let mut files = tree.iter();
    match (files.next(), files.next()) {
        (Some((path, file)), None) if path.ends_with(".md") => Ok((path, &file.content.bytes)),
        (Some((path, _)), None) => Err(invalid(id, path, "its only file must end in .md")),
        _ => Err(invalid(id, "", &format!("it must have exactly one .md file, but has {}", tree.len()))),
    }
}

/// The YAML between the first two `---` lines.
pub fn front_matter(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn skill(id: &str, tree: &Tree) -> Result<()> {
    let wrong = |extra: Value, message: &str| {
        let mut details = json!({"module_id": id, "path": "SKILL.md"});
        for (k, v) in extra.as_object().into_iter().flatten() {
            details[k] = v.clone();
        }
        coded("E_CONFIG_INVALID", format!("SKILL.md of module {id} is not valid: {message}."))
            .details(details)
    };
    let Some(file) = tree.get("SKILL.md") else {
        return Err(wrong(json!({"missing": "SKILL.md"}), "the file is missing"));
    };
    let text = utf8(id, "SKILL.md", &file.content.bytes)?;
    let Some((yaml, _)) = front_matter(text) else {
        return Err(wrong(json!({"expected": "--- front matter ---"}), "it must start with front matter"));
    };
    let value: Value = serde_saphyr::from_str(yaml)
        .map_err(|e| wrong(json!({"error": e.to_string()}), "its front matter is not YAML"))?;
    if !value.is_object() {
        return Err(wrong(json!({"expected": "mapping"}), "its front matter is not a mapping"));
    }
    for field in ["name", "description"] {
        if value[field].as_str().is_none_or(|s| s.trim().is_empty()) {
            let extra = json!({"field": field, "expected": "non-empty string"});
            return Err(wrong(extra, &format!("'{field}' must be a non-empty string")));
        }
    }
    Ok(())
}

fn command(id: &str, tree: &Tree) -> Result<()> {
    let (path, bytes) = single_markdown(id, tree)?;
    let text = utf8(id, path, bytes)?;
    let header = front_matter(text).and_then(|(yaml, _)| serde_saphyr::from_str::<Value>(yaml).ok());
    let header = header
        .filter(Value::is_object)
        .ok_or_else(|| invalid(id, path, "it must start with front matter"))?;
    if header["description"].as_str().is_none_or(|s| s.trim().is_empty()) {
        return Err(invalid(id, path, "its front matter needs a description"));
    }
    let runs_shell = text.contains("!bash") || text.contains("!`bash`");
    let allowed = match &header["allowed-tools"] {
        Value::String(s) => s.contains("Bash("),
        Value::Array(items) => items.iter().filter_map(Value::as_str).any(|s| s.contains("Bash(")),
        _ => false,
    };
    if runs_shell && !allowed {
        return Err(invalid(id, path, "it runs bash, so allowed-tools must name Bash(…)"));
    }
    Ok(())
}
