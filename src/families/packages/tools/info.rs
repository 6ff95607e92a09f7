//! `aam_info`: everything about one package, installed or in a registry.

use serde::Deserialize;

use super::super::info::details;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use crate::core::Result;
use crate::core::arguments::trimmed;

pub struct PackagesInfo;

#[derive(Debug, Deserialize)]
pub struct PackagesInfoArgs {
    package_name: String,
    #[serde(default, deserialize_with = "trimmed")]
    version: Option<String>,
}

impl Planner for PackagesInfo {
    type Args = PackagesInfoArgs;
    const NAME: &'static str = "aam_info";

    fn plan(scene: &PackageScene, args: &PackagesInfoArgs) -> Result<PackagePlan> {
        let name = args.package_name.trim();
        let address = name.trim_start_matches('@').replace('/', "--");
        let plan = PackagePlan::object(details(scene, name, args.version.as_deref())?);
        Ok(plan.whole(format!("aam://packages/{address}")))
    }
}
