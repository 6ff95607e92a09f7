//! `aam_registry_add`: enters a registry into the settings, if it can be reached.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::config::{FILE, PackagesConfig};
use super::super::errors::{INVALID, Then, fail};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::registries::ShownRegistry;
use super::super::registry::{
    DESCRIPTION, PackageRegistry, RegistryPlace, description, file_url, place, unreachable,
};
use super::super::stage::FileStage;
use super::super::yaml;
use crate::core::layout::Next;
use crate::core::{Record, Result, Writes, owner};

pub struct RegistryAdd;

#[derive(Debug, Deserialize)]
pub struct RegistryAddArgs {
    name: String,
    url: String,
    #[serde(default)]
    set_default: bool,
    #[serde(default)]
    create: bool,
}

impl Planner for RegistryAdd {
    type Args = RegistryAddArgs;
    const NAME: &'static str = "aam_registry_add";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &RegistryAddArgs) -> Result<PackagePlan> {
        add(scene, args)
    }
}

fn add(scene: &PackageScene, args: &RegistryAddArgs) -> Result<PackagePlan> {
    let name = args.name.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) || name.starts_with(['-', '.']) {
        return Err(fail(INVALID, format!("'{name}' cannot be the name of a registry."))
            .hint("Use letters, digits, hyphens, underscores and dots."));
    }
    let config = PackagesConfig::load(scene)?;
    if config.registries()?.iter().any(|r| r.name == name) {
        return Err(fail(INVALID, format!("There is already a registry '{name}'."))
            .hint("Choose another name; aam_registry_list shows those in use.")
            .then(Next::call(super::registry_list::RegistryList::NAME)));
    }
    let url = args.url.trim();
    let registry = PackageRegistry {
        name: name.to_string(),
        place: place(url, None, scene).map_err(|e| unreachable(name, &e.message))?,
        default: args.set_default,
    };
    let mut stage = FileStage::new(scene.world);
    match &registry.place {
        RegistryPlace::Local(path) if scene.world.stat(path)?.is_none() => {
            if !args.create {
                let again = Next::call(RegistryAdd::NAME).all(scene.ctx.call.args.clone());
                return Err(unreachable(name, "its directory does not exist")
                    .hint("Make it with `mkdir`, or add \"create\": true to this call.")
                    .then(again.with("create", true)));
            }
            make(scene, &mut stage, path, name)?;
        }
        _ => registry.accessible(scene)?,
    }
    // A list in the project's file hides the global one, so that is where an addition has an effect.
    let layer = if config.project.map.contains_key("registries") { &config.project } else { &config.global };
    scene.lock(&layer.root)?;
    let mut list = layer.map.get("registries").and_then(Value::as_array).cloned().unwrap_or_default();
    if registry.default {
        for item in &mut list {
            if let Some(item) = item.as_object_mut().filter(|i| i.contains_key("default")) {
                item.insert("default".into(), json!(false));
            }
        }
    }
    let stored = match &registry.place {
        RegistryPlace::Local(path) => file_url(path),
        RegistryPlace::Git(remote) if url.starts_with("git+") => format!("git+{remote}"),
        RegistryPlace::Git(remote) => remote.to_string(),
        RegistryPlace::Http(url) | RegistryPlace::Unusable(url, _) => url.clone(),
    };
    list.push(json!({"name": name, "url": stored, "type": registry.kind(), "default": registry.default}));
    let text = yaml::set_block(&layer.text, &layer.map, "registries", &Value::Array(list));
    stage.write_text(&layer.root, Path::new(FILE), &text)?;
    let record = Record {
        summary: format!("Added the registry {name}"),
        targets: vec![format!("registry:{name}")],
        ..Record::default()
    };
    let next = Next::call(super::search::Search::NAME).with("query", "");
    Ok(PackagePlan::object(ShownRegistry::of(&registry, true)).with(stage, record).then(next))
}

/// A directory with what makes it a registry, below the nearest one that is there and the user's own.
fn make(scene: &PackageScene, stage: &mut FileStage, path: &Path, name: &str) -> Result<()> {
    for dir in path.ancestors().skip(1) {
        if let Some(root) = scene.world.canonical(dir)? {
            owner::check(scene.world, &root)?;
            let below = path.strip_prefix(dir).unwrap_or(path).join(DESCRIPTION);
            return stage.write_text(&root, &below, &description(name, scene));
        }
    }
    Err(unreachable(name, "it is below no directory"))
}
