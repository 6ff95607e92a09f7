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
use crate::core::resource::{Offers, Resource, ResourceContents, ResourceTemplate};
use crate::core::templates::{PACKAGE, SKILL, Starter};
use crate::core::{Look, Op, Result};

const MIME: &str = "application/json";
const PREFIX: &str = "aam://packages/";

const FIXED: [(&str, &str, &str); 4] = [
    ("aam://config", "config", "Package settings, merged"),
    ("aam://packages/installed", "installed packages", "Installed packages with versions and artifacts"),
    ("aam://registries", "registries", "Configured package registries"),
    ("aam://manifest", "manifest", "aam.yaml of this project"),
];

/// Forms of the files that people and agents write for this family.
const STARTERS: [Starter; 2] = [PACKAGE, SKILL];

pub struct PackageOffers;

impl Offers for PackageOffers {
    fn fixed(&self) -> Vec<Resource> {
        let resource = |(uri, name, description): (&str, &str, &str)| Resource {
            uri: uri.to_string(),
            name: name.to_string(),
            title: None,
            description: Some(description.to_string()),
            mime: MIME,
        };
        FIXED.map(resource).into_iter().chain(STARTERS.iter().map(Starter::listed)).collect()
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate {
            uri_template: "aam://packages/{name}",
            name: "package",
            description: "One package; @scope/name is written scope--name",
            mime: MIME,
        }]
    }

    fn read(&self, look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        if let Some(contents) = STARTERS.iter().find_map(|starter| starter.read(uri)) {
            return Ok(Some(contents));
        }
        if !uri.starts_with("aam://") {
            return Ok(None);
        }
        let value = value(&PackageScene::of(look.ctx, look.world), uri)?;
        Ok(value.map(|value| ResourceContents {
            uri: uri.to_string(),
            mime: MIME.to_string(),
            text: value.to_string(),
        }))
    }

    fn changed(&self, op: &Op) -> Vec<String> {
        let changes: [(&str, &[&str]); 5] = [
            (PackagesInit::NAME, &["aam://manifest", "aam://config"]),
            (ConfigSet::NAME, &["aam://config"]),
            (RegistryAdd::NAME, &["aam://registries", "aam://config"]),
            (CreatePackage::NAME, &["aam://manifest"]),
            (Publish::NAME, &[]),
        ];
        let found = changes.into_iter().find(|(name, _)| *name == op.tool);
        let uris = found.map_or(&["aam://packages/installed"][..], |(_, uris)| uris);
        uris.iter().map(|uri| uri.to_string()).collect()
    }
}

/// What a resource says; `None` = not one of ours.
fn value(scene: &PackageScene, uri: &str) -> Result<Option<Value>> {
    Ok(Some(match uri {
        "aam://config" => PackagesConfig::load(scene)?.merged(),
        "aam://packages/installed" => json!(info::listed(scene)?),
        "aam://registries" => json!(registries::listed(scene)?),
        "aam://manifest" => manifest(scene)?,
        _ => match uri.strip_prefix(PREFIX) {
            Some(name) => package(scene, name)?,
            None => return Ok(None),
        },
    }))
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
