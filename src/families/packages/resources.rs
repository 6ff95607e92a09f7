//! The resources of this family: the same data as the tools, to be read by address.

use serde_json::{Value, json};

use super::config::PackagesConfig;
use super::errors::{PACKAGE_NOT_FOUND, relative};
use super::manifest::FILE as MANIFEST;
use super::plan::{PackageScene, Planner};
use super::tools::config_set::ConfigSet;
use super::tools::create_package::CreatePackage;
use super::tools::init::PackagesInit;
use super::tools::publish::Publish;
use super::tools::registry_add::RegistryAdd;
use super::{info, registries, yaml};
use crate::core::Result;
use crate::core::resource::{Resource, ResourceTemplate};
use crate::core::templates::{PACKAGE, SKILL, Starter};

const MIME: &str = "application/json";
const PREFIX: &str = "aam://packages/";

const FIXED: [(&str, &str, &str); 4] = [
    ("aam://config", "config", "Package settings, merged"),
    ("aam://packages/installed", "installed packages", "Installed packages with versions and artifacts"),
    ("aam://registries", "registries", "Configured package registries"),
    ("aam://manifest", "manifest", "aam.yaml of this project"),
];

/// Forms of the files that people and agents write for this family.
pub fn starters() -> [Starter; 2] {
    [PACKAGE, SKILL]
}

pub fn fixed() -> Vec<Resource> {
    let resource = |(uri, name, description): (&str, &str, &str)| Resource {
        uri: uri.to_string(),
        name: name.to_string(),
        title: None,
        description: Some(description.to_string()),
        mime: MIME,
    };
    FIXED.map(resource).into_iter().chain(starters().iter().map(Starter::listed)).collect()
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![ResourceTemplate {
        uri_template: "aam://packages/{name}",
        name: "package",
        description: "One package; @scope/name is written scope--name",
        mime: MIME,
    }]
}

/// The resources that an operation of a tool changes.
pub fn changed_by(tool: &str) -> &'static [&'static str] {
    let changes: [(&str, &[&str]); 5] = [
        (PackagesInit::NAME, &["aam://manifest", "aam://config"]),
        (ConfigSet::NAME, &["aam://config"]),
        (RegistryAdd::NAME, &["aam://registries", "aam://config"]),
        (CreatePackage::NAME, &["aam://manifest"]),
        (Publish::NAME, &[]),
    ];
    let found = changes.into_iter().find(|(name, _)| *name == tool);
    found.map_or(&["aam://packages/installed"], |(_, uris)| uris)
}

/// The text of a resource; `None` = not one of ours.
pub fn read(scene: &PackageScene, uri: &str) -> Result<Option<String>> {
    let value = match uri {
        "aam://config" => PackagesConfig::load(scene)?.merged(),
        "aam://packages/installed" => json!(info::listed(scene)?),
        "aam://registries" => json!(registries::listed(scene)?),
        "aam://manifest" => manifest(scene)?,
        _ => match uri.strip_prefix(PREFIX) {
            Some(name) => package(scene, name)?,
            None => return Ok(None),
        },
    };
    Ok(Some(value.to_string()))
}

/// `a--b` is `@a/b`, unless there is a package that really has that name.
fn package(scene: &PackageScene, name: &str) -> Result<Value> {
    let mut names = vec![name.replace("%40", "@").replace("%2F", "/").replace("%2f", "/")];
    if let Some((scope, rest)) = name.split_once("--") {
        names.insert(0, format!("@{scope}/{rest}"));
    }
    for name in names {
        match info::details(scene, &name, None) {
            Ok(found) => return Ok(found),
            Err(e) if e.code == PACKAGE_NOT_FOUND || e.code == super::errors::INVALID => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Value::Null)
}

fn manifest(scene: &PackageScene) -> Result<Value> {
    let path = scene.workspace().join(MANIFEST);
    let Some(text) = scene.read_text(&path)? else { return Ok(Value::Null) };
    Ok(yaml::parse(&text).unwrap_or_else(|why| {
        let why = relative(&why, &scene.ctx.session.workspace, &scene.home().to_string_lossy());
        json!({"error": why})
    }))
}
