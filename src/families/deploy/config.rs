//! `agentpack.yaml`: every field of version 1, checked once, unknown keys ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::coded;
use super::{ids, targets};
use crate::core::{Error, Result, agents, yaml};

#[derive(Debug, Clone, Deserialize)]
pub struct DeployConfig {
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
    #[serde(default)]
    pub targets: BTreeMap<String, TargetConfig>,
    #[serde(default)]
    pub modules: Vec<Arc<Module>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Profile {
    #[serde(default)]
    pub include_tags: Vec<String>,
    #[serde(default)]
    pub include_modules: Vec<String>,
    #[serde(default)]
    pub exclude_modules: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetScope {
    User,
    Project,
    Both,
}

impl TargetScope {
    pub fn user(self) -> bool {
        self != TargetScope::Project
    }

    pub fn project(self) -> bool {
        self != TargetScope::User
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Files,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TargetConfig {
    #[allow(dead_code, reason = "only one mode exists; reading it checks it")]
    mode: Mode,
    pub scope: TargetScope,
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
}

impl TargetConfig {
    /// A switch: YAML booleans and the usual words; anything else is the default.
    pub fn switch(&self, name: &str, default: bool) -> bool {
        match self.options.get(name) {
            Some(Value::Bool(b)) => *b,
            Some(Value::String(s)) => match s.trim().to_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => true,
                "false" | "no" | "off" | "0" => false,
                _ => default,
            },
            _ => default,
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.options.get(name).and_then(Value::as_str).map(str::trim).filter(|s| !s.is_empty())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleKind {
    Instructions,
    Skill,
    Prompt,
    Command,
}

impl ModuleKind {
    /// As `explain` prints it.
    pub fn title(self) -> &'static str {
        match self {
            ModuleKind::Instructions => "Instructions",
            ModuleKind::Skill => "Skill",
            ModuleKind::Prompt => "Prompt",
            ModuleKind::Command => "Command",
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Module {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: ModuleKind,
    #[serde(default = "yes")]
    pub enabled: bool,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub targets: Vec<String>,
    pub source: ModuleSource,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ModuleSource {
    #[serde(default)]
    pub local_path: Option<LocalPath>,
    #[serde(default)]
    pub git: Option<GitSource>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct LocalPath {
    pub path: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct GitSource {
    pub url: String,
    #[serde(default = "main", rename = "ref")]
    pub reference: String,
    #[serde(default)]
    pub subdir: String,
    #[serde(default = "yes")]
    pub shallow: bool,
}

fn yes() -> bool {
    true
}

fn main() -> String {
    "main".into()
}

fn invalid(path: &Path, message: impl std::fmt::Display) -> Error {
    coded("E_CONFIG_INVALID", format!("{} is not valid: {message}", path.display()))
        .details(json!({"path": path}))
}

impl DeployConfig {
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<DeployConfig> {
        let text = std::str::from_utf8(bytes).map_err(|_| invalid(path, "it is not UTF-8."))?;
        let value: Value = yaml::read(text).map_err(|fault| invalid(path, format!("{fault}.")))?;
        match value.get("version") {
            Some(Value::Number(n)) if n.as_i64() == Some(1) => {}
            Some(Value::Number(n)) => {
                return Err(coded(
                    "E_CONFIG_UNSUPPORTED_VERSION",
                    format!("{} has version {n}; this packd reads version 1.", path.display()),
                )
                .details(json!({"path": path, "version": n, "supported": [1]})));
            }
            _ => return Err(invalid(path, "'version' is missing or not a number.")),
        }
        let config: DeployConfig =
            serde_json::from_value(value).map_err(|e| invalid(path, format!("{e}.")))?;
        config.check(path)?;
        Ok(config)
    }

    fn check(&self, path: &Path) -> Result<()> {
        if !self.profiles.contains_key("default") {
            return Err(invalid(path, "a profile named 'default' is missing."));
        }
        for (name, target) in &self.targets {
            let spec = targets::find(name).ok_or_else(|| not_compiled(name, None))?;
            if !spec.user_scope && target.scope == TargetScope::User {
                return Err(invalid(path, format!("target {name} has no user scope."))
                    .details(json!({"target": name, "allowed_scopes": ["project", "both"]})));
            }
        }
        let mut seen = BTreeSet::new();
        for module in &self.modules {
            if !seen.insert(&module.id) {
                return Err(invalid(path, format!("module id '{}' occurs twice.", module.id))
                    .details(json!({"module_id": module.id})));
            }
            check_module(path, module)?;
        }
        Ok(())
    }

    /// The enabled modules of a profile, sorted by id: the order of combined outputs.
    pub fn selected(&self, profile: &str) -> Result<Vec<&Arc<Module>>> {
        let Some(p) = self.profiles.get(profile) else {
            let known: Vec<_> = self.profiles.keys().collect();
            return Err(coded("E_PROFILE_NOT_FOUND", format!("There is no profile '{profile}'."))
                .hint(format!(
                    "Known profiles: {}.",
                    known.iter().map(|k| k.as_str()).collect::<Vec<_>>().join(", ")
                ))
                .details(json!({"profile": profile, "known": known})));
        };
        let wanted = |m: &&Arc<Module>| {
            let chosen =
                m.tags.iter().any(|t| p.include_tags.contains(t)) || p.include_modules.contains(&m.id);
            m.enabled && chosen && !p.exclude_modules.contains(&m.id)
        };
        let mut out: Vec<_> = self.modules.iter().filter(wanted).collect();
        out.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(out)
    }

    /// The targets a filter means, sorted.
    pub fn chosen(&self, filter: &str) -> Result<Vec<&'static str>> {
        if filter == "all" {
            let mut all: Vec<_> =
                self.targets.keys().filter_map(|n| targets::find(n)).map(|t| t.name()).collect();
            all.sort_unstable();
            return Ok(all);
        }
        let Some(spec) = targets::find(filter) else { return Err(super::args::unsupported_target(filter)) };
        if !self.targets.contains_key(filter) {
            let configured: Vec<_> = self.targets.keys().collect();
            return Err(coded(
                "E_CONFIG_INVALID",
                format!("Target {filter} is not configured in agentpack.yaml."),
            )
            .details(json!({"target": filter, "configured": configured})));
        }
        Ok(vec![spec.name()])
    }
}

fn check_module(path: &Path, module: &Module) -> Result<()> {
    let of = json!({"module_id": module.id});
    let name = ids::module_name(&module.id);
    // Names become directories; ids become lines in combined files.
    if !ids::safe_relative(&name) || module.id.contains(['\n', '\r', '\0']) || module.id.contains("-->") {
        return Err(invalid(path, format!("module id '{}' is not usable as a name.", module.id))
            .details(json!({"module_id": module.id, "reason_code": "module_id_unsafe",
                   "expected": "type:name, where name has no '..', no empty part and no backslash"})));
    }
    for target in &module.targets {
        if targets::find(target).is_none() {
            return Err(not_compiled(target, Some(&module.id)));
        }
    }
    match (&module.source.local_path, &module.source.git) {
        (Some(_), None) => Ok(()),
        (None, Some(git)) => check_git(path, module, git),
        _ => Err(invalid(path, format!("module '{}' needs exactly one of local_path and git.", module.id))
            .details(of)),
    }
}

/// A url or ref is an argument of git; it must never be able to be an option.
fn check_git(path: &Path, module: &Module, git: &GitSource) -> Result<()> {
    let bad = |text: &str| text.is_empty() || text.starts_with('-') || text.contains(['\0', '\n', '\r']);
    let odd_ref =
        git.reference.contains("..") || git.reference.contains([' ', '~', '^', ':', '?', '*', '[', '\\']);
    let field = if bad(&git.url) || git.url.starts_with("ext::") || git.url.starts_with("fd::") {
        "source.git.url"
    } else if bad(&git.reference) || odd_ref {
        "source.git.ref"
    } else if !git.subdir.is_empty() && !ids::safe_relative(git.subdir.trim_end_matches('/')) {
        "source.git.subdir"
    } else {
        return Ok(());
    };
    Err(invalid(path, format!("{field} of module '{}' is not safe to use.", module.id))
        .details(json!({"module_id": module.id, "field": field, "reason_code": "git_argument_unsafe"})))
}

fn not_compiled(target: &str, module: Option<&str>) -> Error {
    let mut details = json!({
        "target": target, "allowed": agents::targets(), "reason_code": "target_not_compiled",
        "next_actions": ["inspect_help_json", "edit_manifest_targets", "rebuild_with_target_feature", "retry_command"],
    });
    if let Some(id) = module {
        details["module_id"] = json!(id);
    }
    coded(
        "E_TARGET_UNSUPPORTED",
        format!("agentpack.yaml names the target '{target}', which does not exist."),
    )
    .details(details)
}
