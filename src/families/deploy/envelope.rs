//! The one shape every answer has, and the cutting of lists that would flood a client.

use std::path::Path;

use serde_json::{Value, json};

use crate::core::Reply;

/// Longer lists are cut; the whole is a resource.
pub const MAX_LISTED: usize = 500;

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

/// A successful answer of a tool.
pub fn ok(tool: &str, kind: Option<&str>, data: Value, warnings: &[String]) -> Reply {
    Reply::json(wrap(tool, kind, data, warnings, Vec::new()))
}

/// Cuts `data[field]` to what a client can take and says where the rest is.
pub fn cut(data: &mut Value, field: &str, uri: &str, links: &mut Vec<(String, String)>) {
    let Some(list) = data.get_mut(field).and_then(Value::as_array_mut) else { return };
    let total = list.len();
    if total <= MAX_LISTED {
        return;
    }
    list.truncate(MAX_LISTED);
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
