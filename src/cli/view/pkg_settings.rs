//! Where packages come from and how they are set up, for people: registries, settings, checks.

use serde::Deserialize;
use serde_json::Value;

use super::people;
use super::render::{Ink, Render};
use super::table::TextTable;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RegistryView {
    name: String,
    url: String,
    is_default: bool,
    accessible: bool,
}

pub fn registries(r: Render, list: &[RegistryView]) {
    if list.is_empty() {
        r.line("There are no registries.");
        return r.hint("`packd pkg registry add NAME URL` adds one; a directory will do.");
    }
    let mut table = TextTable::new(&["REGISTRY", "", "STATE", "AT"]).fluid(3);
    for one in list {
        let state =
            if one.accessible { r.ink(Ink::Green, "reachable") } else { r.ink(Ink::Red, "unreachable") };
        table.row([
            one.name.clone(),
            if one.is_default { "default".into() } else { String::new() },
            state,
            r.path(&one.url),
        ]);
    }
    table.print(r);
}

pub fn registered(r: Render, one: &RegistryView) {
    let default = if one.is_default { ", used where none is named" } else { "" };
    r.prose(2, format!("{}  {} at {}{default}", r.ink(Ink::Green, "added"), one.name, r.path(&one.url)));
    r.hint("`packd undo` takes it back.");
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Setting {
    key: Option<String>,
    value: Value,
}

/// Every setting on a line of its own, by its full name.
pub fn setting(r: Render, s: &Setting) {
    let mut lines = Vec::new();
    flat(s.key.as_deref().unwrap_or_default(), &s.value, &mut lines);
    let mut table = TextTable::new(&[]).fluid(1);
    lines.into_iter().for_each(|(name, value)| table.row([name, value]));
    table.print(r);
}

fn flat(name: &str, value: &Value, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                flat(&if name.is_empty() { key.clone() } else { format!("{name}.{key}") }, value, out);
            }
        }
        Value::Array(items) if items.iter().all(|i| !i.is_object()) => {
            let items: Vec<String> = items.iter().map(scalar).collect();
            out.push((name.to_string(), if items.is_empty() { "none".into() } else { items.join(", ") }));
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let key = item["name"].as_str().map_or(i.to_string(), str::to_string);
                flat(&format!("{name}.{key}"), item, out);
            }
        }
        other => out.push((name.to_string(), scalar(other))),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(s) if s.is_empty() => "-".into(),
        Value::String(s) => s.clone(),
        Value::Null => "-".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        other => other.to_string(),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackagesDoctorView {
    healthy: bool,
    checks: Vec<Check>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Check {
    name: String,
    status: String,
    message: String,
    suggestion: Option<String>,
}

pub fn doctor(r: Render, d: &PackagesDoctorView) {
    for check in &d.checks {
        let ink = match check.status.as_str() {
            "pass" => Ink::Green,
            "warn" => Ink::Yellow,
            _ => Ink::Red,
        };
        let name = check.name.replace('_', " ");
        r.prose(
            27,
            format!(
                "{}  {name:<19}  {}",
                r.ink(ink, format!("{:<4}", check.status)),
                people::plain(&check.message)
            ),
        );
        if let Some(remedy) = &check.suggestion {
            r.prose(6, format!("      {}", people::plain(remedy)));
        }
    }
    if d.healthy {
        r.hint("Everything is in order.");
    }
}
