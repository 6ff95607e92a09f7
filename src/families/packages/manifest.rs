//! `aam.yaml`: what a package is and what it contains, with errors that name the field by its dotted path.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::constraint::Set;
use super::names::{is_artifact_name, is_package_name};
use super::version::Version;
use super::yaml;

pub const FILE: &str = "aam.yaml";

/// In the order in which artifacts are deployed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum ArtifactKind {
    #[serde(rename = "agents")]
    Agent,
    #[serde(rename = "skills")]
    Skill,
    #[serde(rename = "prompts")]
    Prompt,
    #[serde(rename = "instructions")]
    Instruction,
}

pub type ArtifactCounts = BTreeMap<ArtifactKind, usize>;
pub type ArtifactLists<'a> = BTreeMap<ArtifactKind, Vec<ListedArtifact<'a>>>;

/// An artifact as a manifest writes it, below its kind.
#[derive(Serialize)]
pub struct ListedArtifact<'a> {
    name: &'a str,
    path: &'a str,
    description: &'a str,
}

impl ArtifactKind {
    pub const ALL: [ArtifactKind; 4] =
        [ArtifactKind::Agent, ArtifactKind::Skill, ArtifactKind::Prompt, ArtifactKind::Instruction];

    pub fn word(self) -> &'static str {
        match self {
            ArtifactKind::Agent => "agent",
            ArtifactKind::Skill => "skill",
            ArtifactKind::Prompt => "prompt",
            ArtifactKind::Instruction => "instruction",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            ArtifactKind::Agent => "agents",
            ArtifactKind::Skill => "skills",
            ArtifactKind::Prompt => "prompts",
            ArtifactKind::Instruction => "instructions",
        }
    }

    pub fn parse(word: &str) -> Option<ArtifactKind> {
        ArtifactKind::ALL.into_iter().find(|k| k.word() == word || k.plural() == word)
    }

    pub const WORDS: &'static str = "skill, agent, prompt, instruction";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageArtifact {
    pub kind: ArtifactKind,
    pub name: String,
    /// As written in the manifest.
    pub path: String,
    pub description: String,
}

impl PackageArtifact {
    /// The path without a trailing slash; `.` is the package itself.
    pub fn clean_path(&self) -> &str {
        let path = self.path.trim_end_matches('/');
        let path = path.strip_prefix("./").unwrap_or(path);
        if path == "." { "" } else { path }
    }
}

#[derive(Debug, Clone, Default)]
pub struct PackageManifest {
    pub name: String,
    pub version: String,
    pub description: String,
    pub author: Option<String>,
    pub license: Option<String>,
    pub repository: Option<String>,
    pub homepage: Option<String>,
    pub keywords: Vec<String>,
    pub artifacts: Vec<PackageArtifact>,
    pub dependencies: BTreeMap<String, String>,
    pub platforms: Map<String, Value>,
}

impl PackageManifest {
    /// Reads a manifest that must be valid; the error lists everything that is wrong.
    pub fn read(bytes: &[u8]) -> Result<PackageManifest, Vec<String>> {
        let value = yaml::parse_bytes(bytes).map_err(|e| vec![format!("YAML parse error: {e}")])?;
        let (manifest, errors) = check(&value);
        if errors.is_empty() { Ok(manifest) } else { Err(errors) }
    }

    /// How many artifacts of each kind, in the plural: `{"skills": 2}`.
    pub fn counts(&self) -> ArtifactCounts {
        let mut out = ArtifactCounts::new();
        for artifact in &self.artifacts {
            *out.entry(artifact.kind).or_default() += 1;
        }
        out
    }

    /// Its artifacts by kind, as a manifest writes them.
    pub fn artifact_lists(&self) -> ArtifactLists<'_> {
        let mut out = ArtifactLists::new();
        for PackageArtifact { kind, name, path, description } in &self.artifacts {
            out.entry(*kind).or_default().push(ListedArtifact { name, path, description });
        }
        out
    }

    /// The kinds it contains, in the singular.
    pub fn kinds(&self) -> Vec<String> {
        let has = |k: &ArtifactKind| self.artifacts.iter().any(|a| a.kind == *k);
        ArtifactKind::ALL.into_iter().filter(has).map(|k| k.word().to_string()).collect()
    }
}

/// Everything readable of a manifest, and everything that is wrong with it.
pub fn check(value: &Value) -> (PackageManifest, Vec<String>) {
    let empty = Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let mut check = Checker { errors: Vec::new() };
    let mut out = PackageManifest {
        name: check.required(map, "name"),
        version: check.required(map, "version"),
        description: check.required(map, "description"),
        ..PackageManifest::default()
    };
    if !out.name.is_empty() && !is_package_name(&out.name) {
        check
            .add("name", "must be lower-case letters, digits and hyphens, optionally with @scope/ before it");
    }
    if !out.version.is_empty()
        && let Err(why) = Version::parse(&out.version)
    {
        check.add("version", &why);
    }
    if map.get("description").is_some_and(Value::is_string) && out.description.trim().is_empty() {
        check.add("description", "must not be blank");
    }
    check.short("description", &out.description);
    for (field, slot) in [
        ("author", &mut out.author),
        ("license", &mut out.license),
        ("repository", &mut out.repository),
        ("homepage", &mut out.homepage),
    ] {
        *slot = check.optional(map, field);
    }
    out.keywords = check.keywords(map);
    out.artifacts = check.artifacts(map);
    out.dependencies = check.dependencies(map);
    out.platforms = check.platforms(map);
    (out, check.errors)
}

struct Checker {
    errors: Vec<String>,
}

impl Checker {
    fn add(&mut self, field: &str, why: &str) {
        self.errors.push(format!("{field}: {why}"));
    }

    fn string(&mut self, field: &str, value: &Value) -> Option<String> {
        match value {
            Value::String(s) => Some(s.clone()),
            Value::Number(_) => {
                self.add(field, "must be a string; put it in quotes");
                None
            }
            _ => {
                self.add(field, "must be a string");
                None
            }
        }
    }

    fn required(&mut self, map: &Map<String, Value>, field: &str) -> String {
        match map.get(field) {
            Some(value) => self.string(field, value).unwrap_or_default(),
            None => {
                self.add(field, "Field required");
                String::new()
            }
        }
    }

    fn optional(&mut self, map: &Map<String, Value>, field: &str) -> Option<String> {
        map.get(field).filter(|v| !v.is_null()).and_then(|v| self.string(field, v))
    }

    fn short(&mut self, field: &str, text: &str) {
        if text.chars().count() > 256 {
            self.add(field, "must have at most 256 characters");
        }
    }

    fn keywords(&mut self, map: &Map<String, Value>) -> Vec<String> {
        match map.get("keywords") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => {
                let mut out = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    out.extend(self.string(&format!("keywords.{i}"), item));
                }
                out
            }
            Some(_) => {
                self.add("keywords", "must be a list of strings");
                Vec::new()
            }
        }
    }

    fn artifacts(&mut self, map: &Map<String, Value>) -> Vec<PackageArtifact> {
        let kinds = match map.get("artifacts") {
            Some(Value::Object(kinds)) => kinds,
            Some(_) => {
                self.add("artifacts", "must map agents, skills, prompts and instructions to lists");
                return Vec::new();
            }
            None => {
                self.add("artifacts", "Field required");
                return Vec::new();
            }
        };
        let mut out: Vec<PackageArtifact> = Vec::new();
        let mut any = false;
        for kind in ArtifactKind::ALL {
            let field = format!("artifacts.{}", kind.plural());
            match kinds.get(kind.plural()) {
                None | Some(Value::Null) => {}
                Some(Value::Array(items)) => {
                    any |= !items.is_empty();
                    for (i, item) in items.iter().enumerate() {
                        let at = format!("{field}.{i}");
                        let Some(artifact) = self.artifact(kind, &at, item) else { continue };
                        if out.iter().any(|a| a.kind == kind && a.name == artifact.name) {
                            self.add(&format!("{at}.name"), &format!("'{}' is there twice", artifact.name));
                        }
                        out.push(artifact);
                    }
                }
                Some(_) => self.add(&field, "must be a list"),
            }
        }
        if !any {
            self.add("artifacts", "must contain at least one artifact");
        }
        out
    }

    fn artifact(&mut self, kind: ArtifactKind, at: &str, item: &Value) -> Option<PackageArtifact> {
        let Some(map) = item.as_object() else {
            self.add(at, "must have name, path and description");
            return None;
        };
        let before = self.errors.len();
        let field = |name: &str| format!("{at}.{name}");
        let mut text = |name: &str| match map.get(name) {
            Some(value) => self.string(&field(name), value),
            None => {
                self.add(&field(name), "Field required");
                None
            }
        };
        let (name, path, description) = (text("name"), text("path"), text("description"));
        if name.as_deref().is_some_and(|n| !is_artifact_name(n)) {
            self.add(&field("name"), "must be lower-case letters, digits and hyphens");
        }
        if let Some(why) = path.as_deref().and_then(bad_path) {
            self.add(&field("path"), why);
        }
        if let Some(text) = &description {
            self.short(&field("description"), text);
        }
        if self.errors.len() > before {
            return None;
        }
        Some(PackageArtifact { kind, name: name?, path: path?, description: description? })
    }

    fn dependencies(&mut self, map: &Map<String, Value>) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        match map.get("dependencies") {
            None | Some(Value::Null) => {}
            Some(Value::Object(items)) => {
                for (name, constraint) in items {
                    let field = format!("dependencies.{name}");
                    if !is_package_name(name) {
                        self.add(&field, "is not the name of a package");
                    }
                    let Some(text) = self.string(&field, constraint) else { continue };
                    if let Err(why) = Set::parse(&text) {
                        self.add(&field, &why);
                    }
                    out.insert(name.clone(), text);
                }
            }
            Some(_) => self.add("dependencies", "must map package names to constraints"),
        }
        out
    }

    fn platforms(&mut self, map: &Map<String, Value>) -> Map<String, Value> {
        let mut out = Map::new();
        match map.get("platforms") {
            None | Some(Value::Null) => {}
            Some(Value::Object(items)) => {
                for (name, config) in items {
                    let given = config.as_object().cloned().unwrap_or_default();
                    if !config.is_object() && !config.is_null() {
                        self.add(&format!("platforms.{name}"), "must be a mapping");
                    }
                    let or = |key: &str, default: Value| given.get(key).cloned().unwrap_or(default);
                    out.insert(
                        name.clone(),
                        json!({
                            "skill_scope": or("skill_scope", json!("project")),
                            "deploy_instructions_as": or("deploy_instructions_as", json!("rules")),
                            "merge_instructions": or("merge_instructions", json!(false)),
                        }),
                    );
                }
            }
            Some(_) => self.add("platforms", "must map platform names to settings"),
        }
        out
    }
}

/// Why a path may not be used inside a package.
pub fn bad_path(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("must not be empty")
    } else if path.starts_with(['/', '\\', '~']) || path.as_bytes().get(1) == Some(&b':') {
        Some("must be relative to the package")
    } else if path.split(['/', '\\']).any(|part| part == "..") {
        Some("must not contain '..'")
    } else if path.chars().any(char::is_control) {
        Some("must not contain control characters")
    } else {
        None
    }
}
