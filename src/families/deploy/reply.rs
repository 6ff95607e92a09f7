//! The one shape every answer has, and the cutting of lists that would flood a client.

use std::path::Path;

use serde_json::{Value, json};

use super::offers;
use super::state::DeployState;
use super::tools::Explain;
use crate::core::layout::Next;
use crate::core::{Ctx, Reply};

/// Longer lists are cut; the whole is a resource.
pub const MAX_LISTED: usize = 500;
/// So are lists that take more room than this, in bytes.
pub const MAX_BYTES: usize = 7 * 1024;

/// The envelope around data or errors. `kind` is the argument of `explain`.
pub fn wrap(tool: &str, kind: Option<&str>, data: Value, warnings: &[String], errors: Vec<Value>) -> Value {
    let (command, id, path) = names(tool, kind);
    json!({
        "schema_version": 1,
        "ok": errors.is_empty(),
        "command": command,
        "command_id": id,
        "command_path": path,
        "version": env!("CARGO_PKG_VERSION"),
        "data": data,
        "warnings": warnings,
        "errors": errors,
    })
}

fn names(tool: &str, kind: Option<&str>) -> (String, String, Vec<String>) {
    let split = |group: &str, verb: &str| {
        (format!("{group}.{verb}"), format!("{group} {verb}"), vec![group.to_string(), verb.to_string()])
    };
    match tool {
        "deploy_apply" => ("deploy".into(), "deploy --apply".into(), vec!["deploy".into(), "--apply".into()]),
        "evolve_propose" => split("evolve", "propose"),
        "evolve_restore" => split("evolve", "restore"),
        "explain" => {
            let kind = kind.unwrap_or("plan");
            let (_, id, path) = split("explain", kind);
            // The published system reports `explain diff` as the plan it explains.
            let command = if kind == "status" { "explain.status" } else { "explain.plan" };
            (command.into(), id, path)
        }
        other => (other.into(), other.into(), vec![other.into()]),
    }
}

/// Behind `schema_version` and `ok`.
const NEXT_AT: usize = 2;

/// A successful answer with more than the contract's envelope: what comes next, and the text of changes. Both stand
/// beside `data`, which plan hashes cover.
pub struct DeployEnvelope {
    value: Value,
    links: Vec<(String, String)>,
}

impl DeployEnvelope {
    pub fn of(tool: &str, kind: Option<&str>, data: Value, warnings: &[String]) -> DeployEnvelope {
        DeployEnvelope { value: wrap(tool, kind, data, warnings, Vec::new()), links: Vec::new() }
    }

    /// Before the data, which may be long: of such a reply some hosts show only the beginning.
    #[must_use]
    pub fn next(mut self, next: Next) -> DeployEnvelope {
        if let Value::Object(map) = &mut self.value {
            map.shift_insert(NEXT_AT, "next".into(), super::errors::details(&next));
        }
        self
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> DeployEnvelope {
        self.value[name] = value;
        self
    }

    pub fn reply(self) -> Reply {
        Reply { links: self.links, ..Reply::json(self.value) }
    }
}

/// A successful answer of a tool.
pub fn ok(tool: &str, kind: Option<&str>, data: Value, warnings: &[String]) -> Reply {
    Reply::json(wrap(tool, kind, data, warnings, Vec::new()))
}

/// Cuts `data[field]` to what a client can take and says where the rest is.
pub fn cut(data: &mut Value, field: &str, uri: &str, links: &mut Vec<(String, String)>) {
    cut_to(MAX_BYTES, data, field, uri, links);
}

/// The same to so many bytes.
fn cut_to(most: usize, data: &mut Value, field: &str, uri: &str, links: &mut Vec<(String, String)>) {
    let Some(list) = data.get_mut(field).and_then(Value::as_array_mut) else { return };
    let total = list.len();
    let mut room = most;
    let mut fits = |item: &&Value| {
        let left = room.checked_sub(item.to_string().len());
        room = left.unwrap_or(0);
        left.is_some()
    };
    let shown = list.iter().take(MAX_LISTED).take_while(|item| fits(item)).count();
    if shown == total {
        return;
    }
    list.truncate(shown);
    data[format!("{field}_total")] = json!(total);
    data[format!("{field}_truncated")] = json!(true);
    data[format!("{field}_resource")] = json!(uri);
    if !links.iter().any(|(known, _)| known == uri) {
        links.push((uri.to_string(), "The whole plan".to_string()));
    }
}

pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

pub fn posix(path: &str) -> String {
    path.replace('\\', "/")
}

/// Adds `path` and its `_posix` twin.
pub fn put_path(map: &mut Value, field: &str, path: &Path) {
    let text = shown(path);
    map[format!("{field}_posix")] = json!(posix(&text));
    map[field] = json!(text);
}

/// The envelope of a successful call about a state of things, lists cut to size.
pub fn answer(ctx: &Ctx, state: &DeployState, data: Value, warnings: &[String]) -> Reply {
    about(ctx, state, data, warnings, &offers::plan_uri(&state.args)).reply()
}

/// The same to be added to, where the whole is found under an address of its own.
pub fn about(
    ctx: &Ctx,
    state: &DeployState,
    mut data: Value,
    warnings: &[String],
    uri: &str,
) -> DeployEnvelope {
    let mut links = Vec::new();
    let lists = ["files", "changes", "drift", "not_deployed", "candidates", "skipped"];
    let there = lists.iter().filter(|field| data.get(**field).is_some_and(Value::is_array)).count();
    for field in lists {
        // What they take together is what a reply has room for.
        cut_to(MAX_BYTES / there.max(1), &mut data, field, uri, &mut links);
    }
    let mut all = state.warnings.clone();
    all.extend(warnings.iter().cloned());
    let kind = Explain::kind(ctx.call);
    DeployEnvelope { links, ..DeployEnvelope::of(&ctx.call.tool, kind.as_deref(), data, &all) }
}
