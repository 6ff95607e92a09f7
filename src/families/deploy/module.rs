//! A module with its overlays applied, checked for the structure its type demands.

use std::sync::Arc;

use serde_json::{Value, json};

use super::config::{Module, ModuleKind};
use super::errors::coded;
use super::file_reader::FileReader;
use super::overlay::{self, Overlay, OverlayDirs};
use super::tree::{HashedContent, ModuleTree};
use crate::core::{Error, Result, yaml};

pub struct Materialized {
    pub id: Arc<str>,
    pub module: Arc<Module>,
    pub tree: ModuleTree,
    pub overlays: Vec<Overlay>,
}

impl Materialized {
    /// The only file of a prompt or command.
    pub fn single(&self) -> Option<(&Arc<str>, &super::tree::TreeFile)> {
        self.tree.first_key_value()
    }
}

pub fn materialize(
    reader: &FileReader,
    layers: &OverlayDirs,
    module: &Arc<Module>,
    upstream: ModuleTree,
    warnings: &mut Vec<String>,
) -> Result<Materialized> {
    let overlays = layers.of(reader, &module.id)?;
    let tree = match overlays.as_slice() {
        [] => upstream,
        some => {
            let mut tree = upstream.clone();
            for overlay in some {
                overlay::lay(reader, overlay, &module.id, &upstream, &mut tree, warnings)?;
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
pub fn validate(id: &str, kind: ModuleKind, tree: &ModuleTree) -> Result<()> {
    match kind {
        ModuleKind::Instructions => {
            let file =
                tree.get("AGENTS.md").ok_or_else(|| invalid(id, "AGENTS.md", "AGENTS.md is missing"))?;
            file.content.text().map(|_| ()).ok_or_else(|| not_utf8(id, "AGENTS.md"))
        }
        ModuleKind::Skill => skill(id, tree),
        ModuleKind::Prompt => single_markdown(id, tree).map(|_| ()),
        ModuleKind::Command => command(id, tree),
    }
}

fn not_utf8(id: &str, path: &str) -> Error {
    coded("E_MODULE_NOT_UTF8", format!("{path} of module {id} is not UTF-8."))
        .details(json!({"module_id": id, "path": path}))
}

fn single_markdown<'a>(id: &str, tree: &'a ModuleTree) -> Result<(&'a str, &'a HashedContent)> {
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

/// What a check of a Markdown file needs to know of it, found out once for each content.
struct Markdown {
    utf8: bool,
    header: Header,
    runs_shell: bool,
}

enum Header {
    Missing,
    NotYaml(String),
    Value(Value),
}

impl Markdown {
    fn of(bytes: &[u8]) -> Markdown {
        let text = std::str::from_utf8(bytes);
        let header = match front_matter(text.unwrap_or_default()).map(|(header, _)| yaml::read(header)) {
            None => Header::Missing,
            Some(Err(e)) => Header::NotYaml(e.to_string()),
            Some(Ok(value)) => Header::Value(value),
        };
        let runs_shell = text.is_ok_and(|t| t.contains("!bash") || t.contains("!`bash`"));
        Markdown { utf8: text.is_ok(), header, runs_shell }
    }
}

/// The file's particulars, if it is text at all.
fn markdown(id: &str, path: &str, content: &HashedContent) -> Result<Arc<Markdown>> {
    let found = content.made(Markdown::of);
    if found.utf8 { Ok(found) } else { Err(not_utf8(id, path)) }
}

fn skill(id: &str, tree: &ModuleTree) -> Result<()> {
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
    let markdown = markdown(id, "SKILL.md", &file.content)?;
    let value = match &markdown.header {
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

fn command(id: &str, tree: &ModuleTree) -> Result<()> {
    let (path, content) = single_markdown(id, tree)?;
    let markdown = markdown(id, path, content)?;
    let Header::Value(header @ Value::Object(_)) = &markdown.header else {
        return Err(invalid(id, path, "it must start with front matter"));
    };
    if header["description"].as_str().is_none_or(|s| s.trim().is_empty()) {
        return Err(invalid(id, path, "its front matter needs a description"));
    }
    let allowed = match &header["allowed-tools"] {
        Value::String(s) => s.contains("Bash("),
        Value::Array(items) => items.iter().filter_map(Value::as_str).any(|s| s.contains("Bash(")),
        _ => false,
    };
    if markdown.runs_shell && !allowed {
        return Err(invalid(id, path, "it runs bash, so allowed-tools must name Bash(…)"));
    }
    Ok(())
}
