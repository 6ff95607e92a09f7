//! `packd pkg`: agent packages for people.

use serde_json::{Value, json};

use super::args::{ConfigCommand, PkgCommand, RegistryCommand};
use super::render::{Ink, Render, shorten};
use super::{Client, Failure, Scope};

pub fn run(command: PkgCommand, render: Render, scope: &Scope) -> Result<(), Failure> {
    let client = &mut Client::open(scope)?;
    let (tool, args) = match command {
        PkgCommand::Search { query, limit } => ("aam_search", json!({"query": query, "limit": limit})),
        PkgCommand::List => ("aam_list", json!({})),
        PkgCommand::Info { name, version } => {
            ("aam_info", optional(json!({"package_name": name}), "version", version))
        }
        PkgCommand::Validate { path } => ("aam_validate", optional(json!({}), "path", path)),
        PkgCommand::Install { packages, platform, force, no_deploy } => {
            let args = json!({"packages": packages, "force": force, "no_deploy": no_deploy});
            ("aam_install", optional(args, "platform", platform))
        }
        PkgCommand::Uninstall { name } => ("aam_uninstall", json!({"package_name": name})),
        PkgCommand::Publish { registry, tag } => {
            ("aam_publish", optional(optional(json!({}), "registry", registry), "tag", tag))
        }
        PkgCommand::Create { path, name, version } => {
            let args = optional(optional(json!({"include_all": true}), "path", path), "name", name);
            ("aam_create_package", optional(args, "version", version))
        }
        PkgCommand::Outdated => ("aam_outdated", json!({})),
        PkgCommand::Upgrade { packages } if packages.is_empty() => ("aam_upgrade", json!({})),
        PkgCommand::Upgrade { packages } => ("aam_upgrade", json!({"packages": packages})),
        PkgCommand::Verify { name } => ("aam_verify", optional(json!({}), "package_name", name)),
        PkgCommand::Restore { force } => ("aam_restore", json!({"force": force})),
        PkgCommand::Registry(RegistryCommand::List) => ("aam_registry_list", json!({})),
        PkgCommand::Registry(RegistryCommand::Add { name, url, default }) => {
            ("aam_registry_add", json!({"name": name, "url": url, "set_default": default}))
        }
        PkgCommand::Config(ConfigCommand::Get { key }) => ("aam_config_get", optional(json!({}), "key", key)),
        PkgCommand::Config(ConfigCommand::Set { key, value }) => {
            ("aam_config_set", json!({"key": key, "value": value, "mode": "execute"}))
        }
        PkgCommand::Doctor => ("aam_doctor", json!({})),
    };
    let answer = client.call(tool, args)?;
    if answer.is_error {
        return Err(Failure::of_tool(&answer));
    }
    let value = answer.value();
    let value = value.get("result").cloned().unwrap_or(value);
    render.show(&value, |r| show(r, &value));
    Ok(())
}

fn optional(mut args: Value, name: &str, value: Option<String>) -> Value {
    if let Some(value) = value {
        args[name] = json!(value);
    }
    args
}

/// Lists of objects as a table, objects as `name value` lines with their lists as tables below.
fn show(r: Render, value: &Value) {
    match value {
        Value::Array(rows) if rows.is_empty() => r.line("Nothing found."),
        Value::Array(rows) => table(r, rows),
        Value::Object(map) => {
            for (name, field) in map {
                match field {
                    Value::Array(rows) if rows.iter().any(Value::is_object) => {
                        r.line(r.ink(Ink::Bold, name));
                        table(r, rows);
                    }
                    Value::Null => {}
                    other => r.line(format!("{name:<16} {}", cell(other, 60))),
                }
            }
        }
        other => r.line(cell(other, 2000)),
    }
}

/// The columns are the simple fields of the first row, in its order, as many as fit.
fn table(r: Render, rows: &[Value]) {
    const COLUMNS: usize = 5;
    const WIDTH: usize = 36;
    let Some(Value::Object(first)) = rows.first() else {
        return rows.iter().for_each(|row| r.line(format!("  {}", cell(row, 70))));
    };
    let names: Vec<&String> =
        first.iter().filter(|(_, v)| !v.is_object()).map(|(k, _)| k).take(COLUMNS).collect();
    let mut lines = vec![names.iter().map(|n| r.ink(Ink::Bold, n.to_uppercase())).collect::<Vec<_>>()];
    for row in rows {
        lines.push(names.iter().map(|n| cell(&row[n.as_str()], WIDTH)).collect());
    }
    r.table(&lines);
}

fn cell(value: &Value, width: usize) -> String {
    let text = match value {
        Value::String(s) => s.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(|i| cell(i, width)).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    shorten(&text, width)
}
