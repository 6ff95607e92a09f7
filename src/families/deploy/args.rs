//! The arguments all tools share, checked against the tool's own schema, with defaults filled in.

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::errors::coded;
use super::targets;
use crate::core::{Call, Result, SessionInfo, Tool, schema};

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    // Part of the binary and parsed again by the tool table's own tests.
    Tool::parse_all(include_str!("../../../proto/tools/deploy.json")).expect("deploy tools")
});

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// As the caller wrote it.
    pub repo: Option<String>,
    pub profile: String,
    pub target: String,
    pub machine: Option<String>,
    pub dry_run: bool,
    pub yes: bool,
}

impl Args {
    /// Checks the call in the contract's order: approval of an apply comes before everything else.
    pub fn of(call: &Call) -> Result<Args> {
        let text = |name: &str| call.text(name).map(str::to_string);
        let args = Args {
            repo: text("repo"),
            profile: text("profile").unwrap_or_else(|| "default".into()),
            target: text("target").unwrap_or_else(|| "all".into()),
            machine: text("machine"),
            dry_run: call.flag("dry_run") || call.preview,
            yes: call.flag("yes"),
        };
        if matches!(call.tool.as_str(), "deploy_apply" | "rollback") && !args.yes && !args.dry_run {
            return Err(confirm_required(&call.tool));
        }
        check_schema(call)?;
        Ok(args)
    }

    /// The config repo this call means.
    pub fn repo_path(&self, session: &SessionInfo) -> PathBuf {
        match &self.repo {
            Some(text) => session.cwd.join(expand_home(text, session)),
            None => agentpack_home(session).join("repo"),
        }
    }

    /// What a confirmation is bound to: an argument that equals its default counts as left out.
    pub fn binding(&self, session: &SessionInfo, detected_machine: &str) -> Value {
        let default_repo = agentpack_home(session).join("repo");
        let repo = self.repo.as_ref().filter(|_| self.repo_path(session) != default_repo);
        let machine = self.machine.as_ref().filter(|m| super::ids::machine_id(m).is_some());
        let machine = machine.filter(|m| super::ids::machine_id(m).as_deref() != Some(detected_machine));
        json!({
            "machine": machine,
            "profile": (self.profile != "default").then_some(&self.profile),
            "repo": repo,
            "target": (self.target != "all").then_some(&self.target),
        })
    }

    /// The shared arguments that differ from their defaults, ready to be sent again.
    pub fn common(&self) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, value: Option<&String>| {
            if let Some(value) = value {
                out.insert(name.to_string(), json!(value));
            }
        };
        put("repo", self.repo.as_ref());
        put("profile", Some(&self.profile).filter(|p| *p != "default"));
        put("target", Some(&self.target).filter(|t| *t != "all"));
        put("machine", self.machine.as_ref());
        out
    }
}

pub fn confirm_required(tool: &str) -> crate::core::Error {
    coded("E_CONFIRM_REQUIRED", format!("{tool} changes files and was called without yes=true."))
        .hint("Look at the plan first, then repeat the call with yes=true.")
        .details(json!({"command": tool}))
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

/// The schema, minus what the published system also took: null for "left out", `dry_run` where it means nothing.
fn check_schema(call: &Call) -> Result<()> {
    let Some(tool) = TOOLS.iter().find(|t| t.name == call.tool) else { return Ok(()) };
    let mut args: Map<String, Value> = call.args.clone();
    args.retain(|_, v| !v.is_null());
    if call.tool == "explain" {
        args.shift_remove("dry_run");
    }
    if matches!(call.tool.as_str(), "deploy_apply" | "rollback") {
        // Both are judged by hand, with codes of their own.
        args.insert("yes".into(), json!(true));
        if call.tool == "deploy_apply" {
            args.entry("confirm_token").or_insert_with(|| json!("-"));
        }
    }
    let Some(wrong) = schema::check(&tool.schema, &Value::Object(args)) else { return Ok(()) };
    if let Some(target) = call.text("target").filter(|_| wrong.field == "target") {
        return Err(unsupported_target(target));
    }
    Err(coded("E_INVALID_ARGUMENTS", wrong.problem).hint(wrong.hint).details(json!({"field": wrong.field})))
}

pub fn unsupported_target(target: &str) -> crate::core::Error {
    let mut allowed = vec!["all"];
    allowed.extend(targets::NAMES);
    coded("E_TARGET_UNSUPPORTED", format!("'{target}' is not a target."))
        .details(json!({"target": target, "allowed": allowed}))
}
