//! `aam_restore`: what the lock says, exactly: same versions, same archives.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::drift::is_whole;
use super::super::errors::{INVALID, PACKAGE_NOT_FOUND, fail};
use super::super::lock::{Locked, PackageLock};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::resolve::{ChosenPackage, Offer};
use super::super::settle::{after, finished};
use super::super::staging::{self, Placement, Spoiled, Staging, failed};
use super::super::version::Version;
use super::install::InstallReply;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;
use crate::core::{Result, Writes};

pub struct PackagesRestore;

#[derive(Debug, Deserialize)]
pub struct PackagesRestoreArgs {
    #[serde(default, deserialize_with = "trimmed")]
    platform: Option<String>,
    #[serde(default)]
    force: bool,
}

impl Planner for PackagesRestore {
    type Args = PackagesRestoreArgs;
    const NAME: &'static str = "aam_restore";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &PackagesRestoreArgs) -> Result<PackagePlan> {
        restore(scene, args)
    }
}

/// The directories and deployments of exactly what the lock names.
fn restore(scene: &PackageScene, args: &PackagesRestoreArgs) -> Result<PackagePlan> {
    let mut shop = Staging::open(scene)?;
    let lock = PackageLock::load(scene)?;
    let (mut packages, mut already, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        if !args.force && is_whole(scene, &shop.owners, &name, &locked)? {
            already.push(name);
            continue;
        }
        match locked_source(&shop, &name, &locked) {
            Ok(chosen) => packages.push(chosen),
            Err(e) => failures.push(failed(scene, &name, &e)),
        }
    }
    let platform = staging::platform(args.platform.as_deref())?;
    let placement = Placement { platform, deploy: true, force: args.force };
    let mut staged = loop {
        match shop.stage(&packages, &placement, &BTreeMap::new()) {
            Ok(staged) => break staged,
            Err(Spoiled { package, error }) if packages.iter().any(|p| p.name == package) => {
                packages.retain(|p| p.name != package);
                failures.push(failed(scene, &package, &error));
            }
            Err(Spoiled { error, .. }) => return Err(error),
        }
    };
    let next = after(&mut failures, Next::call(super::verify::PackagesVerify::NAME));
    let names: Vec<String> = packages.iter().map(|c| c.name.clone()).collect();
    let reply = InstallReply {
        installed: std::mem::take(&mut staged.installed),
        already_installed: already,
        failed: failures,
        dependencies_resolved: 0,
        warnings: std::mem::take(&mut staged.warnings),
    };
    Ok(finished(reply, staged, "Restored", names).then(next))
}

/// The registry that has the locked version; its archive must be the one that was locked.
fn locked_source(shop: &Staging, name: &str, locked: &Locked) -> Result<ChosenPackage> {
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
    Ok(ChosenPackage {
        name: name.to_string(),
        version,
        registry: Some(offer.registry),
        checksum: locked.checksum.clone().or(published),
        dependencies: locked.dependencies.clone(),
    })
}
