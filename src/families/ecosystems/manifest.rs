//! `ecosystem.yaml`: what it may say, with errors and warnings that name the field and the remedy.
//!
//! Errors make an ecosystem unusable, warnings never do (unless a caller asks for `strict`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::names;
use super::reply::severity;
use crate::core::json::type_name;
use crate::core::yaml;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRepo {
    pub name: String,
    pub url: String,
    pub branch: String,
    /// Relative to the workspace directory.
    pub path: String,
    pub readonly: bool,
    pub enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EcosystemManifest {
    pub name: String,
    pub description: String,
    pub repos: Vec<ManifestRepo>,
    pub branch_prefix: String,
    pub repo_branch_prefix: String,
    pub provisioner: Option<String>,
    /// Seconds its script may take.
    pub provisioner_timeout: Option<u64>,
    /// Variables of the calling session that its script gets.
    pub provisioner_env: Vec<String>,
    pub workspace_dir: Option<String>,
    pub retired: bool,
}

impl EcosystemManifest {
    pub fn enabled(&self) -> impl Iterator<Item = &ManifestRepo> {
        self.repos.iter().filter(|r| r.enabled)
    }

    pub fn repo(&self, name: &str) -> Option<&ManifestRepo> {
        self.repos.iter().find(|r| r.name == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub error: bool,
    /// Dotted path, `repos[1].url`; empty for the file as a whole.
    pub field: String,
    pub message: String,
}

impl Problem {
    pub fn shown(&self) -> ShownProblem {
        let Problem { error, field, message } = self.clone();
        ShownProblem { severity: severity(error), field, message }
    }

    pub fn line(&self) -> String {
        let word = severity(self.error);
        match self.field.as_str() {
            "" => format!("{word}: {}", self.message),
            field => format!("{word}: {field}: {}", self.message),
        }
    }
}

/// A problem as replies have it.
#[derive(Debug, Clone, Serialize)]
pub struct ShownProblem {
    severity: &'static str,
    field: String,
    message: String,
}

/// A manifest as far as it could be read, and everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct CheckedManifest {
    /// `None` where there is an error.
    pub manifest: Option<EcosystemManifest>,
    pub problems: Vec<Problem>,
}

impl CheckedManifest {
    pub fn failed(message: String) -> CheckedManifest {
        CheckedManifest {
            manifest: None,
            problems: vec![Problem { error: true, field: String::new(), message }],
        }
    }
}

const KNOWN: [&str; 13] = [
    "name",
    "description",
    "repos",
    "workspace",
    "provisioner",
    "provisioner_timeout",
    "provisioner_env",
    "workspace_dir",
    "devcontainer",
    "context",
    "guardrails",
    "retired",
    "version",
];
/// Seconds; a script with a longer limit has none.
const WEEK: u64 = 7 * 24 * 3600;
const KNOWN_REPO: [&str; 8] = ["name", "url", "branch", "path", "readonly", "enabled", "include", "exclude"];

/// Reads the text of `ecosystems/<dir_name>/ecosystem.yaml`.
pub fn check(text: &str, dir_name: &str) -> CheckedManifest {
    let value: Value = match yaml::read(text) {
        Ok(value) => value,
        Err(yaml::YamlFault { message: why, place }) => {
            let place =
                place.map_or(String::new(), |(line, column)| format!(" at line {line}, column {column}"));
            return CheckedManifest::failed(format!("This is not valid YAML{place}: {why}."));
        }
    };
    let Value::Object(map) = value else {
        return CheckedManifest::failed(format!(
            "A manifest is a mapping, but this is {}.",
            type_name(&value)
        ));
    };
    let mut reader = Reader { problems: Vec::new() };
    let manifest = reader.manifest(&map, dir_name);
    let failed = reader.problems.iter().any(|p| p.error);
    CheckedManifest { manifest: (!failed).then_some(manifest), problems: reader.problems }
}

struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn error(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem { error: true, field: field.into(), message: message.into() });
    }

    fn warn(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem { error: false, field: field.into(), message: message.into() });
    }

    fn text(&mut self, map: &Map<String, Value>, prefix: &str, name: &str) -> Option<String> {
        match map.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(s)) => Some(s.trim().to_string()),
            Some(other) => {
                self.error(format!("{prefix}{name}"), format!("must be text, but is {}.", type_name(other)));
                None
            }
        }
    }

    fn flag(&mut self, map: &Map<String, Value>, prefix: &str, name: &str, default: bool) -> bool {
        match map.get(name) {
            None | Some(Value::Null) => default,
            Some(value) if yaml::flag(value).is_some() => yaml::flag(value).unwrap_or(default),
            Some(other) => {
                self.error(
                    format!("{prefix}{name}"),
                    format!("must be true or false, but is {}.", type_name(other)),
                );
                default
            }
        }
    }

    fn texts(&mut self, map: &Map<String, Value>, prefix: &str, name: &str) -> Vec<String> {
        match map.get(name) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
                items.iter().filter_map(Value::as_str).map(str::to_string).collect()
            }
            Some(_) => {
                self.error(format!("{prefix}{name}"), "must be a list of texts.");
                Vec::new()
            }
        }
    }

    fn section<'a>(&mut self, map: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
        match map.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::Object(section)) => Some(section),
            Some(other) => {
                self.error(name, format!("must be a mapping, but is {}.", type_name(other)));
                None
            }
        }
    }

    fn number(&mut self, map: &Map<String, Value>, prefix: &str, name: &str, least: u64, most: u64) {
        let field = format!("{prefix}{name}");
        match map.get(name) {
            None | Some(Value::Null) => {}
            Some(v) => match v.as_u64() {
                Some(n) if n < least => self.error(field, format!("is {n}; it must be at least {least}.")),
                Some(n) if n > most => {
                    self.warn(field, format!("is {n}, which is unusually large (over {most})."))
                }
                Some(_) => {}
                None => self.error(field, format!("must be a whole number, but is {}.", type_name(v))),
            },
        }
    }

    fn unknown(&mut self, map: &Map<String, Value>, prefix: &str, known: &[&str]) {
        for key in map.keys().filter(|k| !known.contains(&k.as_str())) {
            let near = crate::core::schema::closest(key, known);
            let hint = near.map_or(String::new(), |n| format!(" Did you mean '{n}'?"));
            self.warn(format!("{prefix}{key}"), format!("is not a known key and is ignored.{hint}"));
        }
    }

    fn manifest(&mut self, map: &Map<String, Value>, dir_name: &str) -> EcosystemManifest {
        self.unknown(map, "", &KNOWN);
        let name = self.text(map, "", "name").unwrap_or_else(|| dir_name.to_string());
        if name != dir_name {
            self.warn(
                "name",
                format!("is '{name}', but the directory is '{dir_name}'; the directory's name is used."),
            );
        }
        let description = self.text(map, "", "description").unwrap_or_default();
        let repos = self.repos(map);
        let workspace = self.section(map, "workspace").cloned().unwrap_or_default();
        let branch_prefix =
            self.text(&workspace, "workspace.", "branch_prefix").unwrap_or_else(|| "workspace".into());
        let prefix =
            self.text(&workspace, "workspace.", "repo_branch_prefix").unwrap_or_else(|| "feature".into());
        let repo_branch_prefix = prefix.trim_end_matches('/').to_string();
        if let Err(why) = names::branch(&repo_branch_prefix) {
            self.error("workspace.repo_branch_prefix", why);
        }
        let provisioner = self.text(map, "", "provisioner").filter(|p| !p.is_empty());
        if let Some(Err(why)) = provisioner.as_deref().map(names::plain) {
            self.error("provisioner", why);
        }
        self.number(map, "", "provisioner_timeout", 1, WEEK);
        let provisioner_timeout = map.get("provisioner_timeout").and_then(Value::as_u64);
        let provisioner_env = self.texts(map, "", "provisioner_env");
        for (i, name) in provisioner_env.iter().enumerate() {
            if let Err(why) = names::variable(name) {
                self.error(format!("provisioner_env[{i}]"), why);
            }
        }
        let workspace_dir = self.text(map, "", "workspace_dir").filter(|d| !d.is_empty());
        if let Some(Err(why)) = workspace_dir.as_deref().map(names::relative_path) {
            self.error("workspace_dir", why);
        }
        if let Some(section) = self.section(map, "devcontainer").cloned() {
            self.flag(&section, "devcontainer.", "enabled", false);
        }
        if let Some(section) = self.section(map, "context").cloned() {
            self.number(&section, "context.", "max_files", 1, 50_000);
            self.number(&section, "context.", "summary_tokens", 100, 200_000);
        }
        if let Some(section) = self.section(map, "guardrails").cloned() {
            for (i, glob) in self.texts(&section, "guardrails.", "no_touch_paths").iter().enumerate() {
                if glob.starts_with('/') {
                    self.warn(
                        format!("guardrails.no_touch_paths[{i}]"),
                        format!("'{glob}' begins with a slash; patterns are relative to the repository."),
                    );
                }
            }
        }
        let retired = self.flag(map, "", "retired", false);
        EcosystemManifest {
            name: dir_name.to_string(),
            description,
            repos,
            branch_prefix,
            repo_branch_prefix,
            provisioner,
            provisioner_timeout,
            provisioner_env,
            workspace_dir,
            retired,
        }
    }

    fn repos(&mut self, map: &Map<String, Value>) -> Vec<ManifestRepo> {
        let items = match map.get("repos") {
            Some(Value::Array(items)) => items,
            Some(Value::Null) | None => {
                self.error("repos", "is required: a list of repositories, each with name and url.");
                return Vec::new();
            }
            Some(other) => {
                self.error("repos", format!("must be a list, but is {}.", type_name(other)));
                return Vec::new();
            }
        };
        if items.is_empty() {
            self.warn("repos", "is empty; there is nothing to install.");
        }
        let mut repos: Vec<ManifestRepo> = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let Value::Object(map) = item else {
                self.error(format!("repos[{i}]"), format!("must be a mapping, but is {}.", type_name(item)));
                continue;
            };
            let repo = self.repo(map, &format!("repos[{i}]."));
            if let Some(twin) = repos.iter().position(|r| r.name == repo.name) {
                self.error(
                    format!("repos[{i}].name"),
                    format!("'{}' is also the name of repos[{twin}].", repo.name),
                );
            }
            if let Some(twin) = repos.iter().position(|r| r.path == repo.path) {
                self.error(
                    format!("repos[{i}].path"),
                    format!("'{}' is also the path of repos[{twin}].", repo.path),
                );
            }
            repos.push(repo);
        }
        repos
    }

    fn repo(&mut self, map: &Map<String, Value>, at: &str) -> ManifestRepo {
        self.unknown(map, at, &KNOWN_REPO);
        let name = self.text(map, at, "name").unwrap_or_default();
        if name.is_empty() {
            self.error(format!("{at}name"), "is required.");
        } else if let Err(why) = names::plain(&name) {
            self.error(format!("{at}name"), why);
        }
        let url = self.text(map, at, "url").unwrap_or_default();
        if url.is_empty() {
            self.error(format!("{at}url"), "is required.");
        } else if let Err(why) = names::url(&url) {
            self.error(format!("{at}url"), why);
        } else if !names::known_url(&url) {
            self.warn(
                format!("{at}url"),
                "does not begin with git@, https://, http://, ssh:// or file://, nor is it 'local'.",
            );
        }
        let branch = match self.text(map, at, "branch").filter(|b| !b.is_empty()) {
            Some(branch) => {
                if let Err(why) = names::branch(&branch) {
                    self.error(format!("{at}branch"), why);
                }
                branch
            }
            None => {
                self.warn(format!("{at}branch"), "is missing; 'main' is used.");
                "main".to_string()
            }
        };
        let path =
            self.text(map, at, "path").filter(|p| !p.is_empty()).unwrap_or_else(|| format!("repos/{name}"));
        if let Err(why) = names::relative_path(&path) {
            self.error(format!("{at}path"), why);
        }
        self.texts(map, at, "include");
        self.texts(map, at, "exclude");
        let readonly = self.flag(map, at, "readonly", false);
        let enabled = self.flag(map, at, "enabled", true);
        ManifestRepo { name, url, branch, path, readonly, enabled }
    }
}
