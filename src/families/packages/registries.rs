//! The configured registries as replies and resources show them.

use serde::Serialize;

use super::config::Config;
use super::plan::Scene;
use super::registry::Registry;
use crate::core::Result;

#[derive(Serialize)]
pub struct ShownRegistry {
    name: String,
    url: String,
    r#type: &'static str,
    is_default: bool,
    accessible: bool,
}

impl ShownRegistry {
    pub fn of(registry: &Registry, accessible: bool) -> ShownRegistry {
        ShownRegistry {
            name: registry.name.clone(),
            url: registry.url(),
            r#type: registry.kind(),
            is_default: registry.default,
            accessible,
        }
    }
}

pub fn listed(scene: &Scene) -> Result<Vec<ShownRegistry>> {
    let registries = Registry::all(&Config::load(scene)?, scene)?;
    Ok(registries.iter().map(|r| ShownRegistry::of(r, r.accessible(scene).is_ok())).collect())
}
