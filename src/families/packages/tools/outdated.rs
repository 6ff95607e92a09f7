//! `aam_outdated`: for every installed package, what its own request allows and what there is.

use pubgrub::VersionSet;
use serde::Serialize;
use serde_json::Value;

use super::super::constraint::Set;
use super::super::lock::PackageLock;
use super::super::plan::{OffsetArgs, PackagePlan, PackageScene, Planner};
use super::super::registry::best;
use super::super::reply::ReplyPage;
use super::super::staging::Staging;
use super::super::version::Version;
use crate::core::Result;
use crate::core::layout::Next;

pub struct ListOutdated;

#[derive(Default, Serialize)]
struct OutdatedReply {
    outdated: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    up_to_date: usize,
    /// In no registry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

#[derive(Serialize)]
struct Outdated {
    name: String,
    current: String,
    wanted: String,
    latest: String,
    source: String,
}

impl Planner for ListOutdated {
    type Args = OffsetArgs;
    const NAME: &'static str = "aam_outdated";

    fn plan(scene: &PackageScene, args: &OffsetArgs) -> Result<PackagePlan> {
        outdated(scene, args.offset)
    }
}

fn outdated(scene: &PackageScene, offset: usize) -> Result<PackagePlan> {
    let lock = PackageLock::load(scene)?;
    if lock.names().is_empty() {
        return Ok(PackagePlan::object(OutdatedReply::default()));
    }
    let shop = Staging::look(scene)?;
    let kept = shop.kept(&lock);
    let mut reply = OutdatedReply::default();
    let mut found = Vec::new();
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        let offers = shop.pool.offers(&name)?;
        let Some(offer) = offers.first() else {
            reply.unknown.push(name);
            continue;
        };
        let Some(latest) = best(&offer.versions) else {
            reply.unknown.push(name);
            continue;
        };
        let newer = Version::parse(&locked.version).is_ok_and(|v| latest.version > v);
        if !newer {
            reply.up_to_date += 1;
            continue;
        }
        let set = kept.get(&name).cloned().unwrap_or_else(Set::any);
        let within: Vec<_> = offer.versions.iter().filter(|p| set.contains(&p.version)).cloned().collect();
        let wanted = best(&within).map_or(locked.version.clone(), |p| p.version.as_str().to_string());
        found.push(Outdated {
            name,
            current: locked.version,
            wanted,
            latest: latest.version.as_str().to_string(),
            source: shop.pool.registries[offer.registry].name.clone(),
        });
    }
    let page = ReplyPage::of(&found, offset);
    let rest = page.rest(Next::call(ListOutdated::NAME));
    let next = rest.or_else(|| (!found.is_empty()).then(|| Next::call(super::upgrade::Upgrade::NAME)));
    reply.left = page.left();
    reply.outdated = page.shown;
    Ok(PackagePlan::object(reply).then(next))
}
