//! aam_outdated and aam_upgrade: what is newer, and moving to it as far as everything installed allows.

use std::collections::{BTreeMap, BTreeSet};

use pubgrub::VersionSet;
use serde_json::json;

use super::constraint::Set;
use super::errors::{NOT_INSTALLED, fail};
use super::install::{Asked, finished, settle, texts};
use super::lock::Lock;
use super::plan::{Plan, Scene};
use super::registry::best;
use super::version::Version;
use super::workshop::{Manner, Workshop, failed};
use crate::core::Result;

/// aam_upgrade: the newest versions that everything installed allows.
pub fn upgrade(scene: &Scene) -> Result<Plan> {
    let mut shop = Workshop::open(scene)?;
    let lock = Lock::load(scene)?;
    let mut names = texts(scene.ctx.call.args.get("packages"));
    if names.is_empty() {
        names = lock.names();
    }
    let kept = shop.kept(&lock);
    let mut failures = Vec::new();
    let mut asked = BTreeMap::new();
    for name in &names {
        let Some(locked) = lock.get(name) else {
            let error = fail(NOT_INSTALLED, format!("'{name}' is not installed."))
                .hint("Install it with aam_install.");
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
                Asked { spec: name.clone(), set, text: text.unwrap_or_else(|| "*".into()) },
            );
        }
    }
    let fresh: BTreeSet<String> = asked.keys().cloned().collect();
    let manner = Manner { platform: None, deploy: true, force: false };
    let mut done = settle(&mut shop, &lock, asked, &fresh, &BTreeSet::new(), &manner, &mut failures)?;
    let mut upgraded = Vec::new();
    for item in &mut done.staged.installed {
        let name = item["name"].as_str().unwrap_or_default();
        let from = lock.get(name).map(|l| l.version);
        item["from"] = json!(from);
        upgraded.push(item.clone());
    }
    let changed: Vec<String> = done.packages.iter().map(|c| c.name.clone()).collect();
    let failed_names: Vec<&str> = failures.iter().filter_map(|f| f["package"].as_str()).collect();
    let unchanged: Vec<&String> =
        names.iter().filter(|n| !changed.contains(n) && !failed_names.contains(&n.as_str())).collect();
    let mut reply = json!({"upgraded": upgraded, "unchanged": unchanged, "failed": failures});
    if !done.staged.warnings.is_empty() {
        reply["warnings"] = json!(done.staged.warnings);
    }
    Ok(finished(reply, done.staged, "Upgraded", changed))
}

fn exact(version: &str) -> Set {
    Version::parse(version).map_or_else(|_| Set::any(), |v| Set::exactly(&v))
}

/// aam_outdated: for every installed package, what its own request allows and what there is.
pub fn outdated(scene: &Scene) -> Result<Plan> {
    let lock = Lock::load(scene)?;
    if lock.names().is_empty() {
        return Ok(Plan::object(json!({"outdated": [], "up_to_date": 0, "unknown": []})));
    }
    let shop = Workshop::look(scene)?;
    let kept = shop.kept(&lock);
    let (mut outdated, mut current, mut unknown) = (Vec::new(), 0, Vec::new());
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        let offers = shop.pool.offers(&name)?;
        let Some(offer) = offers.first() else {
            unknown.push(name);
            continue;
        };
        let Some(latest) = best(&offer.versions) else {
            unknown.push(name);
            continue;
        };
        let newer = Version::parse(&locked.version).is_ok_and(|v| latest.version > v);
        if !newer {
            current += 1;
            continue;
        }
        let set = kept.get(&name).cloned().unwrap_or_else(Set::any);
        let within: Vec<_> = offer.versions.iter().filter(|p| set.contains(&p.version)).cloned().collect();
        let wanted = best(&within).map_or(locked.version.clone(), |p| p.version.as_str().to_string());
        outdated.push(json!({
            "name": name, "current": locked.version, "wanted": wanted, "latest": latest.version.as_str(),
            "source": shop.pool.registries[offer.registry].name,
        }));
    }
    Ok(Plan::object(json!({"outdated": outdated, "up_to_date": current, "unknown": unknown})))
}
