//! `aam_verify`: compares installed and deployed files with what was recorded when they were installed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::drift::{PackageDrift, drift};
use super::super::errors::{NOT_INSTALLED, Then, fail};
use super::super::lock::PackageLock;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::reply::ReplyPage;
use super::super::rows::Owners;
use crate::core::Result;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;

pub struct PackagesVerify;

#[derive(Debug, Deserialize)]
pub struct PackagesVerifyArgs {
    #[serde(default, deserialize_with = "trimmed")]
    package_name: Option<String>,
    #[serde(default)]
    offset: usize,
}

#[derive(Serialize)]
struct VerifyReply {
    valid: bool,
    packages: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
}

#[derive(Serialize)]
struct Verified {
    name: String,
    version: String,
    valid: bool,
    verifiable: bool,
    #[serde(flatten)]
    drift: PackageDrift,
}

impl Planner for PackagesVerify {
    type Args = PackagesVerifyArgs;
    const NAME: &'static str = "aam_verify";

    fn plan(scene: &PackageScene, args: &PackagesVerifyArgs) -> Result<PackagePlan> {
        verify(scene, args.package_name.as_deref(), args.offset)
    }
}

fn verify(scene: &PackageScene, wanted: Option<&str>, offset: usize) -> Result<PackagePlan> {
    let lock = PackageLock::load(scene)?;
    let owners = Owners::load(scene.ctx.view)?;
    if let Some(name) = wanted.filter(|n| lock.get(n).is_none()) {
        return Err(fail(NOT_INSTALLED, format!("'{name}' is not installed."))
            .hint("aam_list shows what is installed.")
            .then(Next::call(super::list::PackagesList::NAME)));
    }
    let mut packages = Vec::new();
    let mut valid = true;
    for name in lock.names().into_iter().filter(|n| wanted.is_none_or(|w| w == n)) {
        let Some(locked) = lock.get(&name) else { continue };
        let drift = drift(scene, &owners, &name, &locked)?;
        let good = (drift.package_is_whole() || (drift.unknown && drift.missing.is_empty()))
            && drift.deployment_is_whole();
        valid &= good;
        packages.push(Verified {
            name,
            version: locked.version,
            valid: good,
            verifiable: !drift.unknown,
            drift,
        });
    }
    let page = ReplyPage::of(&packages, offset);
    let again = Next::call(PackagesVerify::NAME);
    let again = wanted.map_or(again.clone(), |name| again.with("package_name", name));
    let next =
        page.rest(again).or_else(|| (!valid).then(|| Next::call(super::restore::PackagesRestore::NAME)));
    let left = page.left();
    Ok(PackagePlan::object(VerifyReply { valid, packages: page.shown, left }).then(next))
}
