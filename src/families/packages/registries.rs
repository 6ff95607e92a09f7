//! The configured registries as replies and resources show them.

use serde::Serialize;

use super::config::PackagesConfig;
use super::plan::PackageScene;
use super::registry::PackageRegistry;
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
    pub fn of(registry: &PackageRegistry, accessible: bool) -> ShownRegistry {
        ShownRegistry {
            name: registry.name.clone(),
            url: registry.url(),
            r#type: registry.kind(),
            is_default: registry.default,
            accessible,
        }
    }
}

pub fn listed(scene: &PackageScene) -> Result<Vec<ShownRegistry>> {
    let registries = PackageRegistry::all(&PackagesConfig::load(scene)?, scene)?;
    Ok(registries.iter().map(|r| ShownRegistry::of(r, r.accessible(scene).is_ok())).collect())
}
