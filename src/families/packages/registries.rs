//! aam_registry_list and aam_registry_add.

use std::path::Path;

use serde_json::{Value, json};

use super::config::{Config, FILE};
use super::errors::{INVALID, fail};
use super::plan::{Plan, Scene};
use super::registry::{Place, Registry, file_url, place, unreachable};
use super::stage::Stage;
use super::yaml;
use crate::core::{Record, Result};

fn shown(registry: &Registry, accessible: bool) -> Value {
    json!({
        "name": registry.name, "url": registry.url(), "type": registry.kind(),
        "is_default": registry.default, "accessible": accessible,
    })
}

pub fn list(scene: &Scene) -> Result<Plan> {
    Ok(Plan::list(listed(scene)?))
}

pub fn listed(scene: &Scene) -> Result<Vec<Value>> {
    let registries = Registry::all(&Config::load(scene)?, scene)?;
    Ok(registries.iter().map(|r| shown(r, r.accessible(scene).is_ok())).collect())
}

pub fn add(scene: &Scene) -> Result<Plan> {
    let call = scene.ctx.call;
    let name = call.text("name").unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) || name.starts_with(['-', '.']) {
        return Err(fail(INVALID, format!("'{name}' cannot be the name of a registry."))
            .hint("Use letters, digits, hyphens, underscores and dots."));
    }
    let config = Config::load(scene)?;
    if config.registries()?.iter().any(|r| r.name == name) {
        return Err(fail(INVALID, format!("There is already a registry '{name}'."))
            .hint("Choose another name; aam_registry_list shows those in use."));
    }
    let url = call.text("url").unwrap_or_default();
    let registry = Registry {
        name: name.to_string(),
        place: place(url, None, scene).map_err(|e| unreachable(name, &e.message))?,
        default: call.flag("set_default"),
    };
    registry.accessible(scene)?;
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
        Place::Local(path) => file_url(path),
        Place::Git(remote) if url.starts_with("git+") => format!("git+{remote}"),
        Place::Git(remote) => remote.to_string(),
        Place::Http(url) | Place::Unusable(url, _) => url.clone(),
    };
    list.push(json!({"name": name, "url": stored, "type": registry.kind(), "default": registry.default}));
    let text = yaml::set_block(&layer.text, &layer.map, "registries", &Value::Array(list));
    let mut stage = Stage::new(scene.world);
    stage.write_text(&layer.root, Path::new(FILE), &text)?;
    let record = Record {
        summary: format!("Added the registry {name}"),
        targets: vec![format!("registry:{name}")],
        ..Record::default()
    };
    Ok(Plan::object(shown(&registry, true)).with(stage, record))
}
