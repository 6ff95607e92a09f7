//! aam_restore: what the lock says, exactly: same versions, same archives.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::errors::{INVALID, PACKAGE_NOT_FOUND, fail};
use super::install::finished;
use super::lock::{Lock, Locked};
use super::plan::{Plan, Scene};
use super::resolve::{Chosen, Offer};
use super::verify::is_whole;
use super::version::Version;
use super::workshop::{Manner, Spoiled, Workshop, failed, platform_argument};
use crate::core::Result;

/// aam_restore: the directories and deployments of exactly what the lock names.
pub fn restore(scene: &Scene) -> Result<Plan> {
    let mut shop = Workshop::open(scene)?;
    let lock = Lock::load(scene)?;
    let (mut packages, mut already, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        if !scene.ctx.call.flag("force") && is_whole(scene, &shop.owners, &name, &locked)? {
            already.push(json!(name));
            continue;
        }
        match locked_source(&shop, &name, &locked) {
            Ok(chosen) => packages.push(chosen),
            Err(e) => failures.push(failed(scene, &name, &e)),
        }
    }
    let manner =
        Manner { platform: platform_argument(scene)?, deploy: true, force: scene.ctx.call.flag("force") };
    let staged = loop {
        match shop.stage(&packages, &manner, &BTreeMap::new()) {
            Ok(staged) => break staged,
            Err(Spoiled { package, error }) if packages.iter().any(|p| p.name == package) => {
                packages.retain(|p| p.name != package);
                failures.push(failed(scene, &package, &error));
            }
            Err(Spoiled { error, .. }) => return Err(error),
        }
    };
    let names: Vec<String> = packages.iter().map(|c| c.name.clone()).collect();
    let mut reply = Map::new();
    reply.insert("installed".into(), json!(staged.installed));
    reply.insert("already_installed".into(), json!(already));
    reply.insert("failed".into(), json!(failures));
    reply.insert("dependencies_resolved".into(), json!(0));
    if !staged.warnings.is_empty() {
        reply.insert("warnings".into(), json!(staged.warnings));
    }
    Ok(finished(Value::Object(reply), staged, "Restored", names))
}

/// The registry that has the locked version; its archive must be the one that was locked.
fn locked_source(shop: &Workshop, name: &str, locked: &Locked) -> Result<Chosen> {
    shop.need_registry()?;
    let version = Version::parse(&locked.version).map_err(|why| fail(INVALID, format!("{why}.")))?;
    let offers = shop.pool.offers(name)?;
    let has = |o: &&Offer| o.versions.iter().any(|p| p.version == version);
    let named = offers.iter().filter(has).find(|o| shop.pool.registries[o.registry].name == locked.source);
    let offer = named.or_else(|| offers.iter().find(has)).ok_or_else(|| {
        fail(PACKAGE_NOT_FOUND, format!("No registry has {name}@{version} any more."))
            .hint("Upgrade it, or add the registry it came from.")
    })?;
    let published = offer.versions.iter().find(|p| p.version == version).and_then(|p| p.checksum.clone());
    Ok(Chosen {
        name: name.to_string(),
        version,
        registry: Some(offer.registry),
        checksum: locked.checksum.clone().or(published),
        dependencies: locked.dependencies.clone(),
    })
}
