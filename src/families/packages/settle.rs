//! From what was asked for to what will be installed: resolved and planned until everything left can be had.
//!
//! A package that cannot be had takes those that need it out of the plan; the rest is planned again without
//! them, so that one bad package neither spoils the others nor leaves anything half-way.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::constraint::Set;
use super::lock::PackageLock;
use super::plan::PackagePlan;
use super::resolve::{ChosenPackage, ResolveQuestion, roots_of};
use super::staging::{PackageFailure, Placement, Spoiled, StagedPackages, Staging, failed};
use crate::core::layout::Next;
use crate::core::{Record, Result};

/// One package somebody asked for.
#[derive(Clone)]
pub struct AskedPackage {
    pub spec: String,
    pub set: Set,
    /// The constraint as it is remembered.
    pub text: String,
}

/// What comes after an install: the way past the first failure that knows one, which then is not said twice.
pub fn after(failures: &mut [PackageFailure], done: Next) -> Next {
    let mut ways = failures.iter_mut().filter_map(|failure| failure.details.as_object_mut()?.remove("next"));
    let first = ways.next();
    ways.for_each(drop);
    first.and_then(|next| serde_json::from_value(next).ok()).unwrap_or(done)
}

/// A plan with its record; nothing to install leaves no operation.
pub fn finished(
    reply: impl Serialize,
    staged: StagedPackages,
    verb: &str,
    names: Vec<String>,
) -> PackagePlan {
    let record =
        Record { summary: format!("{verb} {}", names.join(", ")), targets: names, ..Record::default() };
    let owned = staged.owned;
    let mut plan = PackagePlan::object(reply).with(staged.stage, record).whole("aam://packages/installed");
    plan.owned = owned;
    plan
}

pub struct Settlement<'a> {
    pub staged: StagedPackages<'a>,
    pub packages: Vec<ChosenPackage>,
    /// Everything the request rests on, installed before or now.
    pub settled: Vec<String>,
    pub asked: BTreeMap<String, AskedPackage>,
}

/// Resolves and plans until everything left can be had.
pub fn settle<'a>(
    shop: &mut Staging<'a>,
    lock: &PackageLock,
    mut asked: BTreeMap<String, AskedPackage>,
    fresh: &BTreeSet<String>,
    forced: &BTreeSet<String>,
    placement: &Placement,
    failures: &mut Vec<PackageFailure>,
) -> Result<Settlement<'a>> {
    let kept = shop.kept(lock);
    loop {
        let wanted: BTreeMap<String, Set> = asked.iter().map(|(n, a)| (n.clone(), a.set.clone())).collect();
        let roots: Vec<String> = wanted.keys().cloned().collect();
        let chosen = if roots.is_empty() {
            Vec::new()
        } else {
            ResolveQuestion { pool: &shop.pool, lock, wanted: &wanted, kept: &kept, fresh }.answer()?
        };
        let mut packages: Vec<ChosenPackage> = chosen.clone();
        for package in &mut packages {
            if package.registry.is_none() && forced.contains(&package.name) {
                take_again(shop, package)?;
            }
        }
        packages.retain(|c| c.registry.is_some());
        let texts = asked.iter().map(|(n, a)| (n.clone(), a.text.clone())).collect();
        match shop.stage(&packages, placement, &texts) {
            Ok(staged) => {
                let needed = |c: &&ChosenPackage| !roots_of(&c.name, &roots, &chosen).is_empty();
                let settled = chosen.iter().filter(needed).map(|c| c.name.clone()).collect();
                return Ok(Settlement { staged, packages, settled, asked });
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
fn take_again(shop: &Staging, package: &mut ChosenPackage) -> Result<()> {
    for offer in shop.pool.offers(&package.name)?.iter() {
        if let Some(found) = offer.versions.iter().find(|p| p.version == package.version) {
            package.registry = Some(offer.registry);
            package.checksum = found.checksum.clone();
            return Ok(());
        }
    }
    Ok(())
}
