//! Agent packages, registries and their settings for people.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::people;
use super::render::{Ink, Render};
use super::size;
use super::table::TextTable;
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Package {
    name: String,
    version: String,
    description: Option<String>,
    source: Option<String>,
    registry: Option<String>,
    artifacts: BTreeMap<String, Value>,
    artifact_types: Vec<String>,
}

/// `2 skills, 1 command` of `{"skills": 2, "commands": 1}` or of lists.
fn contents(artifacts: &BTreeMap<String, Value>) -> String {
    let number = |v: &Value| v.as_u64().or_else(|| v.as_array().map(|a| a.len() as u64)).unwrap_or(0);
    let said = artifacts.iter().filter(|(_, v)| number(v) > 0);
    let said: Vec<String> = said.map(|(kind, v)| count(number(v), kind.trim_end_matches('s'))).collect();
    said.join(", ")
}

pub fn found(r: Render, packages: &[Package], query: &str) {
    if packages.is_empty() {
        r.line(format!("No package matches '{query}'."));
        return r.hint("`packd pkg registry list` shows where packages come from.");
    }
    let mut table = TextTable::new(&["PACKAGE", "VERSION", "HAS", "FROM", "ABOUT"]).fluid(4).fluid(0);
    for p in packages {
        table.row([
            p.name.clone(),
            p.version.clone(),
            p.artifact_types.join(", "),
            p.registry.clone().unwrap_or_default(),
            p.description.clone().unwrap_or_default(),
        ]);
    }
    table.print(r);
}

pub fn installed(r: Render, packages: &[Package]) {
    if packages.is_empty() {
        r.line("No package is installed in this project.");
        return r.hint("`packd pkg search WORD` looks for some.");
    }
    let mut table = TextTable::new(&["PACKAGE", "VERSION", "FROM", "HAS"]).fluid(3).fluid(0);
    for p in packages {
        table.row([
            p.name.clone(),
            p.version.clone(),
            p.source.clone().unwrap_or_default(),
            contents(&p.artifacts),
        ]);
    }
    table.print(r);
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackageDetailsView {
    name: String,
    version: String,
    description: Option<String>,
    author: Option<String>,
    license: Option<String>,
    homepage: Option<String>,
    repository: Option<String>,
    artifacts: BTreeMap<String, Vec<Artifact>>,
    dependencies: BTreeMap<String, Value>,
    installed_version: Option<String>,
    source: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Artifact {
    name: String,
    description: Option<String>,
}

pub fn info(r: Render, p: &PackageDetailsView) {
    r.line(format!("{} {}", r.ink(Ink::Bold, &p.name), p.version));
    let fields = [
        ("about", p.description.clone()),
        ("author", p.author.clone()),
        ("licence", p.license.clone()),
        ("home", p.homepage.clone().or(p.repository.clone())),
        ("from", p.source.clone()),
        ("installed", Some(p.installed_version.clone().unwrap_or_else(|| "no".into()))),
    ];
    for (name, value) in fields {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            r.field(name, 9, value);
        }
    }
    let needs: Vec<String> =
        p.dependencies.iter().map(|(n, v)| format!("{n} {}", v.as_str().unwrap_or_default())).collect();
    if !needs.is_empty() {
        r.field("needs", 9, needs.join(", "));
    }
    let mut table = TextTable::new(&[]).fluid(2).indent(2);
    for (kind, list) in &p.artifacts {
        for one in list {
            let kind = kind.trim_end_matches('s');
            table.row([kind.to_string(), one.name.clone(), one.description.clone().unwrap_or_default()]);
        }
    }
    table.print(r);
    if p.installed_version.is_none() {
        r.hint(format!("`packd pkg install {}` installs it.", p.name));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Validated {
    valid: bool,
    package_name: Option<String>,
    package_version: Option<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
    artifact_count: u64,
}

pub fn validated(r: Render, v: &Validated) {
    let name = v.package_name.as_deref().unwrap_or("This package");
    let version = v.package_version.as_deref().map(|v| format!(" {v}")).unwrap_or_default();
    match v.valid {
        true => r.line(format!(
            "{}  {name}{version} is in order: {}.",
            r.ink(Ink::Green, "ok"),
            count(v.artifact_count, "artifact")
        )),
        false => r.line(format!("{}  {name}{version} is not in order.", r.ink(Ink::Red, "no"))),
    }
    v.errors.iter().for_each(|e| r.prose(9, format!("{}  {}", r.ink(Ink::Red, "error  "), people::plain(e))));
    warned(r, &v.warnings);
    if !v.valid && v.package_name.is_none() {
        r.hint("`packd pkg init` writes an aam.yaml.");
    }
}

fn warned(r: Render, warnings: &[String]) {
    for warning in warnings {
        r.prose(9, format!("{}  {}", r.ink(Ink::Yellow, "warning"), people::plain(warning)));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangedPackagesView {
    installed: Vec<Package>,
    upgraded: Vec<Upgrade>,
    restored: Vec<Value>,
    already_installed: Vec<Value>,
    unchanged: Vec<Value>,
    failed: Vec<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Upgrade {
    name: String,
    from: Option<String>,
    to: Option<String>,
    old_version: Option<String>,
    new_version: Option<String>,
}

fn name(value: &Value) -> String {
    value.as_str().or(value["name"].as_str()).unwrap_or_default().to_string()
}

pub fn changed(r: Render, c: &ChangedPackagesView) {
    for p in &c.installed {
        let has = contents(&p.artifacts);
        let has = if has.is_empty() { String::new() } else { format!(" ({has})") };
        r.line(format!("{}  {} {}{has}", r.ink(Ink::Green, "installed"), p.name, p.version));
    }
    for p in &c.upgraded {
        let from = p.from.as_ref().or(p.old_version.as_ref()).map(String::as_str).unwrap_or("?");
        let to = p.to.as_ref().or(p.new_version.as_ref()).map(String::as_str).unwrap_or("?");
        r.line(format!("{}  {} {from} to {to}", r.ink(Ink::Green, "upgraded"), p.name));
    }
    for p in &c.restored {
        r.line(format!("{}  {}", r.ink(Ink::Green, "restored"), name(p)));
    }
    for p in c.already_installed.iter().chain(&c.unchanged) {
        r.line(format!("{}  {} is as it should be", r.ink(Ink::Dim, "unchanged"), name(p)));
    }
    // One alone is told as the failure of the command.
    for p in c.failed.iter().filter(|_| c.failed.len() > 1) {
        let why = p["message"].as_str().unwrap_or_default();
        r.prose(2, format!("{}  {}", r.ink(Ink::Red, "failed"), people::plain(why)));
    }
    let did = !c.installed.is_empty() || !c.upgraded.is_empty() || !c.restored.is_empty();
    match did {
        true => r.hint("`packd undo` takes it back."),
        false if c.already_installed.is_empty() && c.unchanged.is_empty() && c.failed.is_empty() => {
            r.line("There was nothing to do.");
        }
        false => {}
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Uninstalled {
    package_name: String,
    version: String,
    files_removed: u64,
    dependents_warning: Vec<Value>,
}

pub fn uninstalled(r: Render, u: &Uninstalled) {
    let files = count(u.files_removed, "file");
    r.line(format!("{}  {} {}: {files}", r.ink(Ink::Green, "removed"), u.package_name, u.version));
    let dependents: Vec<String> = u.dependents_warning.iter().map(name).collect();
    if !dependents.is_empty() {
        r.line(format!("{}  still needed by {}", r.ink(Ink::Yellow, "warning"), dependents.join(", ")));
    }
    r.hint("`packd undo` brings it back.");
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct MadePackageView {
    manifest_path: String,
    package_name: String,
    version: String,
    artifacts_included: BTreeMap<String, Value>,
}

pub fn made(r: Render, m: &MadePackageView) {
    r.line(format!(
        "{}  {} {} in {}",
        r.ink(Ink::Green, "made"),
        m.package_name,
        m.version,
        r.path(&m.manifest_path)
    ));
    let has = contents(&m.artifacts_included);
    r.line(format!("It has {}.", if has.is_empty() { "no artifacts yet".to_string() } else { has }));
    r.hint("`packd pkg validate` checks it, `packd pkg publish` publishes it.");
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PublishedPackageView {
    package_name: String,
    version: String,
    registry: String,
    archive_size: u64,
    warnings: Vec<String>,
}

pub fn published(r: Render, p: &PublishedPackageView) {
    let what =
        format!("{} {} to {} ({})", p.package_name, p.version, p.registry, size::bytes(p.archive_size));
    r.line(format!("{}  {what}", r.ink(Ink::Green, "published")));
    warned(r, &p.warnings);
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Outdated {
    outdated: Vec<Newer>,
    up_to_date: u64,
    unknown: Vec<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Newer {
    name: String,
    current: Option<String>,
    installed: Option<String>,
    latest: Option<String>,
    available: Option<String>,
}

pub fn outdated(r: Render, o: &Outdated) {
    if o.outdated.is_empty() {
        r.line(match o.up_to_date {
            0 => "No package is installed in this project.".to_string(),
            n => format!(
                "{} up to date.",
                if n == 1 { "1 package is".into() } else { format!("{n} packages are") }
            ),
        });
    }
    let mut table = TextTable::new(&["PACKAGE", "HERE", "NEWEST"]).fluid(0);
    for one in &o.outdated {
        let here = one.current.clone().or(one.installed.clone()).unwrap_or_default();
        table.row([one.name.clone(), here, one.latest.clone().or(one.available.clone()).unwrap_or_default()]);
    }
    table.print(r);
    for one in &o.unknown {
        r.line(format!("{}  {} is in no registry", r.ink(Ink::Yellow, "unknown"), name(one)));
    }
    if !table.is_empty() {
        r.hint("`packd pkg upgrade` upgrades them.");
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Verified {
    packages: Vec<Checked>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Checked {
    name: String,
    version: String,
    valid: bool,
    verifiable: bool,
    modified: Vec<String>,
    missing: Vec<String>,
    extra: Vec<String>,
    deployed_modified: Vec<String>,
    deployed_missing: Vec<String>,
}

pub fn verified(r: Render, v: &Verified) {
    if v.packages.is_empty() {
        r.line("No package is installed in this project.");
    }
    for p in &v.packages {
        let mark = match (p.verifiable, p.valid) {
            (false, _) => r.ink(Ink::Yellow, "unknown"),
            (_, true) => r.ink(Ink::Green, "ok     "),
            _ => r.ink(Ink::Red, "changed"),
        };
        r.line(format!("{mark}  {} {}", p.name, p.version));
        let parts = [
            ("modified", &p.modified),
            ("missing", &p.missing),
            ("extra", &p.extra),
            ("modified", &p.deployed_modified),
            ("missing", &p.deployed_missing),
        ];
        for (word, files) in parts {
            files.iter().for_each(|file| r.line(format!("  {word:<8}  {}", r.path(file))));
        }
    }
    if v.packages.iter().any(|p| !p.valid) {
        r.hint("`packd pkg restore` puts them back as they were locked.");
    }
}
