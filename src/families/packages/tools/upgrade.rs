//! `aam_upgrade`: moves installed packages to the newest versions that everything installed allows.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::constraint::Set;
use super::super::errors::{NOT_INSTALLED, Then, fail};
use super::super::lock::PackageLock;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::settle::{AskedPackage, after, finished, settle};
use super::super::staging::{InstalledPackage, PackageFailure, Placement, Staging, failed};
use super::super::version::Version;
use crate::core::layout::Next;
use crate::core::{Result, Writes};

pub struct Upgrade;

#[derive(Debug, Deserialize)]
pub struct UpgradeArgs {
    #[serde(default)]
    packages: Vec<String>,
}

#[derive(Serialize)]
struct UpgradeReply {
    upgraded: Vec<InstalledPackage>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<PackageFailure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Planner for Upgrade {
    type Args = UpgradeArgs;
    const NAME: &'static str = "aam_upgrade";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &UpgradeArgs) -> Result<PackagePlan> {
        upgrade(scene, args)
    }
}

fn upgrade(scene: &PackageScene, args: &UpgradeArgs) -> Result<PackagePlan> {
    let mut shop = Staging::open(scene)?;
    let lock = PackageLock::load(scene)?;
    let mut names: Vec<String> = args.packages.iter().map(|name| name.trim().to_string()).collect();
    if names.is_empty() {
        names = lock.names();
    }
    let kept = shop.kept(&lock);
    let mut failures = Vec::new();
    let mut asked = BTreeMap::new();
    for name in &names {
        let Some(locked) = lock.get(name) else {
            let error = fail(NOT_INSTALLED, format!("'{name}' is not installed."))
                .hint("Install it with aam_install.")
                .then(Next::call(super::install::PackagesInstall::NAME).with("packages", vec![name.clone()]));
            failures.push(failed(scene, name, &error));
            continue;
        };
        shop.need_registry()?;
        // Pinned by its own request unless it was asked for exactly: an upgrade is what loosens that.
        let set = match kept.get(name) {
            Some(set) if *set != exact(&locked.version) => set.clone(),
            _ => Set::any(),
        };
        let known = !shop.pool.offers(name)?.is_empty();
        if known {
            let owned = shop.owners.of(&scene.ctx.session.workspace, name);
            let text = owned.and_then(|o| o.requested.clone()).filter(|_| set != Set::any());
            asked.insert(
                name.clone(),
                AskedPackage { spec: name.clone(), set, text: text.unwrap_or_else(|| "*".into()) },
            );
        }
    }
    let fresh: BTreeSet<String> = asked.keys().cloned().collect();
    let placement = Placement { platform: None, deploy: true, force: false };
    let mut done = settle(&mut shop, &lock, asked, &fresh, &BTreeSet::new(), &placement, &mut failures)?;
    let changed: Vec<String> = done.packages.iter().map(|c| c.name.clone()).collect();
    let failed = |name: &String| failures.iter().any(|f| f.package == *name);
    let unchanged = names.iter().filter(|n| !changed.contains(n) && !failed(n)).cloned().collect();
    let mut upgraded = std::mem::take(&mut done.staged.installed);
    for package in &mut upgraded {
        package.from = lock.get(&package.name).map(|l| l.version);
    }
    let warnings = std::mem::take(&mut done.staged.warnings);
    let next = after(&mut failures, Next::call(super::list::PackagesList::NAME));
    let reply = UpgradeReply { upgraded, unchanged, failed: failures, warnings };
    Ok(finished(reply, done.staged, "Upgraded", changed).then(next))
}

fn exact(version: &str) -> Set {
    Version::parse(version).map_or_else(|_| Set::any(), |v| Set::exactly(&v))
}
