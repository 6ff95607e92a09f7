//! The arguments that most tools share, with defaults filled in.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::errors::coded;
use crate::core::arguments::trimmed;
use crate::core::{Call, Error, Given, SessionInfo, agents};

/// As they are sent.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct CommonArgs {
    #[serde(default, deserialize_with = "trimmed")]
    repo: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    profile: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    target: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    machine: Option<String>,
    #[serde(default)]
    dry_run: bool,
}

impl CommonArgs {
    /// What the call means by them.
    pub fn of(&self, call: &Call) -> Args {
        Args {
            repo: self.repo.clone(),
            profile: self.profile.clone().unwrap_or_else(|| "default".into()),
            target: self.target.clone().unwrap_or_else(|| "all".into()),
            machine: self.machine.clone(),
            dry_run: self.dry_run || call.preview,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// As the caller wrote it.
    pub repo: Option<String>,
    pub profile: String,
    pub target: String,
    pub machine: Option<String>,
    pub dry_run: bool,
}

/// What a confirmation is bound to: an argument that equals its default counts as left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Binding {
    machine: Option<String>,
    profile: Option<String>,
    repo: Option<String>,
    target: Option<String>,
}

impl Args {
    /// The config repo this call means.
    pub fn repo_path(&self, session: &SessionInfo) -> PathBuf {
        config_repo(self.repo.as_deref(), session)
    }

    pub fn binding(&self, session: &SessionInfo, detected_machine: &str) -> Binding {
        let default_repo = agentpack_home(session).join("repo");
        let machine = self
            .machine
            .as_deref()
            .filter(|m| super::ids::machine_id(m).is_some_and(|id| id != detected_machine));
        Binding {
            machine: machine.map(str::to_string),
            profile: Some(self.profile.clone()).filter(|p| p != "default"),
            repo: self.repo.clone().filter(|_| self.repo_path(session) != default_repo),
            target: Some(self.target.clone()).filter(|t| t != "all"),
        }
    }

    /// The shared arguments that differ from their defaults, ready to be sent again.
    pub fn common(&self) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, value: Option<&String>| {
            if let Some(value) = value {
                out.insert(name.to_string(), Value::from(value.as_str()));
            }
        };
        put("repo", self.repo.as_ref());
        put("profile", Some(&self.profile).filter(|p| *p != "default"));
        put("target", Some(&self.target).filter(|t| *t != "all"));
        put("machine", self.machine.as_ref());
        out
    }
}

/// An apply is approved word for word, before anything else about the call is looked at.
pub fn approved(tool: &str, yes: &Given<bool>, dry_run: bool) -> Result<(), Error> {
    if dry_run || yes.get() == Some(&true) { Ok(()) } else { Err(confirm_required(tool)) }
}

pub fn confirm_required(tool: &str) -> Error {
    #[derive(Serialize)]
    struct Details<'a> {
        command: &'a str,
    }
    coded("E_CONFIRM_REQUIRED", format!("{tool} changes files and was called without yes=true."))
        .hint("Look at the plan first, then repeat the call with yes=true.")
        .details(super::errors::details(&Details { command: tool }))
}

/// The directory that `repo` names, else the user's own config repo.
pub fn config_repo(repo: Option<&str>, session: &SessionInfo) -> PathBuf {
    match repo {
        Some(text) => session.cwd.join(expand_home(text, session)),
        None => agentpack_home(session).join("repo"),
    }
}

/// Where a first config repo may be written: one is read wherever it lies, but only these are the session's own.
pub fn own_places(session: &SessionInfo) -> [PathBuf; 3] {
    [PathBuf::from(&session.workspace), agentpack_home(session), session.home.clone()]
}

pub fn agentpack_home(session: &SessionInfo) -> PathBuf {
    match session.env.get("AGENTPACK_HOME").map(|v| v.trim()).filter(|v| !v.is_empty()) {
        Some(text) => session.cwd.join(expand_home(text, session)),
        None => session.home.join(".agentpack"),
    }
}

/// `~` and a leading `~/` mean the user's home.
pub fn expand_home(text: &str, session: &SessionInfo) -> PathBuf {
    match text.strip_prefix("~/") {
        Some(rest) => session.home.join(rest),
        None if text == "~" => session.home.clone(),
        None => PathBuf::from(text),
    }
}

pub fn unsupported_target(target: &str) -> Error {
    #[derive(Serialize)]
    struct Details<'a> {
        target: &'a str,
        allowed: Vec<&'a str>,
    }
    let mut allowed = vec!["all"];
    allowed.extend(agents::targets());
    coded("E_TARGET_UNSUPPORTED", format!("'{target}' is not a target."))
        .details(super::errors::details(&Details { target, allowed }))
}
