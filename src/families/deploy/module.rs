//! A module with its overlays applied, checked for the structure its type demands.

use std::sync::Arc;

use serde_json::{Value, json};

use super::config::{Kind, Module};
use super::errors::coded;
use super::overlay::{self, Layers, Overlay};
use super::scout::Scout;
use super::tree::{Content, Tree};
use crate::core::{Error, Result};

pub struct Materialized {
    pub id: Arc<str>,
    pub module: Arc<Module>,
    pub tree: Tree,
    pub overlays: Vec<Overlay>,
}

impl Materialized {
    /// The only file of a prompt or command.
    pub fn single(&self) -> Option<(&Arc<str>, &super::tree::TreeFile)> {
        self.tree.first_key_value()
    }
}

pub fn materialize(
    scout: &Scout,
    layers: &Layers,
    module: &Arc<Module>,
    upstream: Tree,
    warnings: &mut Vec<String>,
) -> Result<Materialized> {
    let overlays = layers.of(scout, &module.id)?;
    let tree = match overlays.as_slice() {
        [] => upstream,
        some => {
            let mut tree = upstream.clone();
            for overlay in some {
                overlay::lay(scout, overlay, &module.id, &upstream, &mut tree, warnings)?;
            }
            tree
        }
    };
    validate(&module.id, module.kind, &tree)?;
    Ok(Materialized { id: module.id.as_str().into(), module: module.clone(), tree, overlays })
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

fn single_markdown<'a>(id: &str, tree: &'a Tree) -> Result<(&'a str, &'a Content)> {
    let mut files = tree.iter();
    match (files.next(), files.next()) {
        (Some((path, file)), None) if path.ends_with(".md") => Ok((path, &file.content)),
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

/// The front matter of a file as a value, parsed once for each content.
enum Header {
    Missing,
    NotYaml(String),
    Value(Value),
}

impl Header {
    fn of(bytes: &[u8]) -> Header {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        match front_matter(text).map(|(yaml, _)| serde_saphyr::from_str(yaml)) {
            None => Header::Missing,
            Some(Err(e)) => Header::NotYaml(e.to_string()),
            Some(Ok(value)) => Header::Value(value),
        }
    }
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
    utf8(id, "SKILL.md", &file.content.bytes)?;
    let header = file.content.made(Header::of);
    let value = match &*header {
        Header::Missing => {
            return Err(wrong(
                json!({"expected": "--- front matter ---"}),
                "it must start with front matter",
            ));
        }
        Header::NotYaml(e) => return Err(wrong(json!({"error": e}), "its front matter is not YAML")),
        Header::Value(value) => value,
    };
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
    let (path, content) = single_markdown(id, tree)?;
    let text = utf8(id, path, &content.bytes)?;
    let header = content.made(Header::of);
    let Header::Value(header @ Value::Object(_)) = &*header else {
        return Err(invalid(id, path, "it must start with front matter"));
    };
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
