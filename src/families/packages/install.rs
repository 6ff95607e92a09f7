//! aam_install: one transaction from the request to files, lock and records.
//!
//! A package that cannot be had takes those that need it out of the plan; the rest is planned again without
//! them, so that one bad package neither spoils the others nor leaves anything half-way.

use std::collections::{BTreeMap, BTreeSet};

use pubgrub::VersionSet;
use serde_json::{Value, json};

use super::constraint::Set;
use super::errors::{INVALID, PACKAGE_NOT_FOUND, fail};
use super::lock::Lock;
use super::names::{Spec, Want};
use super::plan::{Plan, Scene};
use super::resolve::{Chosen, Pool, Question, roots_of};
use super::version::Version;
use super::workshop::{Manner, Spoiled, Staged, Workshop, failed, platform_argument};
use crate::core::{Record, Result};

/// One package somebody asked for.
#[derive(Clone)]
pub struct Asked {
    pub spec: String,
    pub set: Set,
    /// The constraint as it is remembered.
    pub text: String,
}

pub fn install(scene: &Scene) -> Result<Plan> {
    let call = scene.ctx.call;
    let specs: Vec<String> = texts(call.args.get("packages"));
    if specs.is_empty() {
        return Err(fail(INVALID, "'packages' is empty.").hint("Name at least one package."));
    }
    let platform = platform_argument(scene)?;
    let force = call.flag("force");
    let mut shop = Workshop::open(scene)?;
    let lock = Lock::load(scene)?;
    let manner = Manner { platform, deploy: !call.flag("no_deploy"), force };
    let mut again = BTreeSet::new();
    let mut failures = Vec::new();
    let mut already = Vec::new();
    let mut asked: BTreeMap<String, Asked> = BTreeMap::new();
    for text in &specs {
        let spec = match Spec::parse(text) {
            Ok(spec) => spec,
            Err(e) => {
                failures.push(failed(scene, text, &e));
                continue;
            }
        };
        if !force && let Some(installed) = satisfied(&spec, &lock) {
            if shop.is_deployed(&spec.name, &manner) {
                already.push(json!(spec.name));
                continue;
            }
            // Same version, one platform more.
            let set = Set::exactly(&installed);
            asked.insert(spec.name.clone(), Asked { spec: text.clone(), set, text: "*".into() });
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
    let done = settle(&mut shop, &lock, asked, &fresh, &again, &manner, &mut failures)?;
    let names: Vec<String> = done.packages.iter().map(|c| c.name.clone()).collect();
    already.extend(done.asked.keys().filter(|n| !names.contains(n)).map(|n| json!(n)));
    let resolved = done.settled.iter().filter(|n| !done.asked.contains_key(*n)).count();
    let mut reply = json!({
        "installed": done.staged.installed, "already_installed": already, "failed": failures,
        "dependencies_resolved": resolved,
    });
    if !done.staged.warnings.is_empty() {
        reply["warnings"] = json!(done.staged.warnings);
    }
    Ok(finished(reply, done.staged, "Installed", names))
}

pub fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(|s| s.trim().to_string()).collect()
}

/// A plan with its record; nothing to install leaves no operation.
pub fn finished(reply: Value, staged: Staged, verb: &str, names: Vec<String>) -> Plan {
    let record =
        Record { summary: format!("{verb} {}", names.join(", ")), targets: names, ..Record::default() };
    let owned = staged.owned;
    let mut plan = Plan::object(reply).with(staged.stage, record);
    plan.owned = owned;
    plan
}

/// The installed version, if it is what the specifier asks for.
fn satisfied(spec: &Spec, lock: &Lock) -> Option<Version> {
    let version = Version::parse(&lock.get(&spec.name)?.version).ok()?;
    let fits = match &spec.want {
        Want::Any => true,
        Want::Within(set, _) => set.contains(&version),
        Want::Tag(_) => false,
    };
    fits.then_some(version)
}

/// What a specifier means in these registries; an error if nothing fits it.
fn find(pool: &Pool, spec: &Spec) -> Result<Asked> {
    let offers = pool.offers(&spec.name)?;
    if offers.is_empty() {
        return Err(fail(PACKAGE_NOT_FOUND, format!("No registry has a package '{}'.", spec.name))
            .hint("Look for it with aam_search.")
            .details(json!({"registries": pool.registries.iter().map(|r| &r.name).collect::<Vec<_>>()})));
    }
    let (set, text) = match &spec.want {
        Want::Any => (Set::any(), "*".to_string()),
        Want::Within(set, text) => (set.clone(), text.clone()),
        Want::Tag(tag) => match offers.iter().find_map(|o| o.metadata.tag(tag)) {
            Some(version) => (Set::exactly(&version), version.as_str().to_string()),
            None => {
                return Err(fail(PACKAGE_NOT_FOUND, format!("'{}' has no tag '{tag}'.", spec.name))
                    .hint("Ask for a version or a constraint instead."));
            }
        },
    };
    let versions = || offers.iter().flat_map(|o| &o.versions);
    if !versions().any(|p| set.contains(&p.version)) {
        let have: Vec<&str> = versions().map(|p| p.version.as_str()).take(20).collect();
        return Err(fail(PACKAGE_NOT_FOUND, format!("No version of '{}' matches {text}.", spec.name))
            .hint(format!("Available: {}.", have.join(", ")))
            .details(json!({"available": have})));
    }
    Ok(Asked { spec: spec.text.clone(), set, text })
}

pub struct Done<'a> {
    pub staged: Staged<'a>,
    pub packages: Vec<Chosen>,
    /// Everything the request rests on, installed before or now.
    pub settled: Vec<String>,
    pub asked: BTreeMap<String, Asked>,
}

/// Resolves and plans until everything left can be had.
pub fn settle<'a>(
    shop: &mut Workshop<'a>,
    lock: &Lock,
    mut asked: BTreeMap<String, Asked>,
    fresh: &BTreeSet<String>,
    forced: &BTreeSet<String>,
    manner: &Manner,
    failures: &mut Vec<Value>,
) -> Result<Done<'a>> {
    let kept = shop.kept(lock);
    loop {
        let wanted: BTreeMap<String, Set> = asked.iter().map(|(n, a)| (n.clone(), a.set.clone())).collect();
        let roots: Vec<String> = wanted.keys().cloned().collect();
        let chosen = if roots.is_empty() {
            Vec::new()
        } else {
            Question { pool: &shop.pool, lock, wanted: &wanted, kept: &kept, fresh }.answer()?
        };
        let mut packages: Vec<Chosen> = chosen.clone();
        for package in &mut packages {
            if package.registry.is_none() && forced.contains(&package.name) {
                take_again(shop, package)?;
            }
        }
        packages.retain(|c| c.registry.is_some());
        let texts = asked.iter().map(|(n, a)| (n.clone(), a.text.clone())).collect();
        match shop.stage(&packages, manner, &texts) {
            Ok(staged) => {
                let needed = |c: &&Chosen| !roots_of(&c.name, &roots, &chosen).is_empty();
                let settled = chosen.iter().filter(needed).map(|c| c.name.clone()).collect();
                return Ok(Done { staged, packages, settled, asked });
            }
            Err(Spoiled { package, error }) => {
                let lost = roots_of(&package, &roots, &chosen);
                if lost.is_empty() {
                    return Err(error);
                }
                for name in lost {
                    if let Some(gone) = asked.remove(&name) {
                        failures.push(failed(shop.scene, &gone.spec, &error));
                    }
                }
            }
        }
    }
}

/// A forced reinstall takes the installed version from a registry once more.
fn take_again(shop: &Workshop, package: &mut Chosen) -> Result<()> {
    for offer in shop.pool.offers(&package.name)?.iter() {
        if let Some(found) = offer.versions.iter().find(|p| p.version == package.version) {
            package.registry = Some(offer.registry);
            package.checksum = found.checksum.clone();
            return Ok(());
        }
    }
    Ok(())
}
