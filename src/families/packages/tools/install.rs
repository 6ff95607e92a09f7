//! `aam_install`: one transaction from the request to files, lock and records.

use std::collections::{BTreeMap, BTreeSet};

use pubgrub::VersionSet;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::constraint::Set;
use super::super::errors::{INVALID, PACKAGE_NOT_FOUND, Then, fail};
use super::super::lock::PackageLock;
use super::super::names::{Spec, Want};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::resolve::Pool;
use super::super::settle::{AskedPackage, after, finished, settle};
use super::super::staging::{self, InstalledPackage, PackageFailure, Placement, Staging, failed};
use super::super::version::Version;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;
use crate::core::{Result, Writes};

pub struct PackagesInstall;

#[derive(Debug, Deserialize)]
pub struct PackagesInstallArgs {
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default, deserialize_with = "trimmed")]
    platform: Option<String>,
    #[serde(default)]
    force: bool,
    #[serde(default)]
    no_deploy: bool,
}

/// Also the answer of `aam_restore`.
#[derive(Serialize)]
pub struct InstallReply {
    pub installed: Vec<InstalledPackage>,
    pub already_installed: Vec<String>,
    pub failed: Vec<PackageFailure>,
    pub dependencies_resolved: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Planner for PackagesInstall {
    type Args = PackagesInstallArgs;
    const NAME: &'static str = "aam_install";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &PackagesInstallArgs) -> Result<PackagePlan> {
        install(scene, args)
    }
}

fn install(scene: &PackageScene, args: &PackagesInstallArgs) -> Result<PackagePlan> {
    if args.packages.is_empty() {
        return Err(fail(INVALID, "'packages' is empty.").hint("Name at least one package."));
    }
    let (platform, force) = (staging::platform(args.platform.as_deref())?, args.force);
    let mut shop = Staging::open(scene)?;
    let lock = PackageLock::load(scene)?;
    let placement = Placement { platform, deploy: !args.no_deploy, force };
    let mut again = BTreeSet::new();
    let mut failures = Vec::new();
    let mut already = Vec::new();
    let mut asked: BTreeMap<String, AskedPackage> = BTreeMap::new();
    for text in args.packages.iter().map(|text| text.trim()) {
        let spec = match Spec::parse(text) {
            Ok(spec) => spec,
            Err(e) => {
                failures.push(failed(scene, text, &e));
                continue;
            }
        };
        if !force && let Some(installed) = satisfied(&spec, &lock) {
            if shop.is_deployed(&spec.name, &placement) {
                already.push(spec.name);
                continue;
            }
            // Same version, one platform more.
            let set = Set::exactly(&installed);
            asked.insert(spec.name.clone(), AskedPackage { spec: text.to_string(), set, text: "*".into() });
            again.insert(spec.name.clone());
            continue;
        }
        shop.need_registry()?;
        match find(&shop.pool, &spec) {
            Ok(found) => {
                asked.insert(spec.name.clone(), found);
            }
            Err(e) => failures.push(failed(scene, text, &e)),
        }
    }
    let fresh: BTreeSet<String> = asked.keys().cloned().collect();
    if force {
        again.clone_from(&fresh);
    }
    let done = settle(&mut shop, &lock, asked, &fresh, &again, &placement, &mut failures)?;
    let names: Vec<String> = done.packages.iter().map(|c| c.name.clone()).collect();
    already.extend(done.asked.keys().filter(|n| !names.contains(n)).cloned());
    let resolved = done.settled.iter().filter(|n| !done.asked.contains_key(*n)).count();
    let mut staged = done.staged;
    // One of them at least was asked for and not had, or is here.
    let about = names
        .first()
        .or(already.first())
        .map(|name| Next::call(super::info::PackagesInfo::NAME).with("package_name", name.as_str()));
    let next = after(&mut failures, about.unwrap_or_else(|| Next::call(super::list::PackagesList::NAME)));
    let reply = InstallReply {
        installed: std::mem::take(&mut staged.installed),
        already_installed: already,
        failed: failures,
        dependencies_resolved: resolved,
        warnings: std::mem::take(&mut staged.warnings),
    };
    Ok(finished(reply, staged, "Installed", names).then(next))
}

/// The part of a name that a search is likely to find it by.
pub fn stem(name: &str) -> &str {
    let bare = name.rsplit('/').next().unwrap_or(name);
    bare.split('-').next().unwrap_or(bare)
}

/// The installed version, if it is what the specifier asks for.
fn satisfied(spec: &Spec, lock: &PackageLock) -> Option<Version> {
    let version = Version::parse(&lock.get(&spec.name)?.version).ok()?;
    let fits = match &spec.want {
        Want::Any => true,
        Want::Within(set, _) => set.contains(&version),
        Want::Tag(_) => false,
    };
    fits.then_some(version)
}

/// What a specifier means in these registries; an error if nothing fits it.
fn find(pool: &Pool, spec: &Spec) -> Result<AskedPackage> {
    let offers = pool.offers(&spec.name)?;
    if offers.is_empty() {
        return Err(fail(PACKAGE_NOT_FOUND, format!("No registry has a package '{}'.", spec.name))
            .hint("Look for it with aam_search.")
            .details(json!({"registries": pool.registries.iter().map(|r| &r.name).collect::<Vec<_>>()}))
            .then(Next::call(super::search::Search::NAME).with("query", stem(&spec.name))));
    }
    let (set, text) = match &spec.want {
        Want::Any => (Set::any(), "*".to_string()),
        Want::Within(set, text) => (set.clone(), text.clone()),
        Want::Tag(tag) => match offers.iter().find_map(|o| o.metadata.tag(tag)) {
            Some(version) => (Set::exactly(&version), version.as_str().to_string()),
            None => {
                return Err(fail(PACKAGE_NOT_FOUND, format!("'{}' has no tag '{tag}'.", spec.name))
                    .hint("Ask for a version or a constraint instead.")
                    .then(
                        Next::call(super::info::PackagesInfo::NAME).with("package_name", spec.name.as_str()),
                    ));
            }
        },
    };
    let versions = || offers.iter().flat_map(|o| &o.versions);
    if !versions().any(|p| set.contains(&p.version)) {
        let have: Vec<&str> = versions().map(|p| p.version.as_str()).take(20).collect();
        return Err(fail(PACKAGE_NOT_FOUND, format!("No version of '{}' matches {text}.", spec.name))
            .hint(format!("Available: {}.", have.join(", ")))
            .details(json!({"available": have}))
            .then(Next::call(super::info::PackagesInfo::NAME).with("package_name", spec.name.as_str())));
    }
    Ok(AskedPackage { spec: spec.text.clone(), set, text })
}
