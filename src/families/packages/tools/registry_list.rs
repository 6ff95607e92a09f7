//! `aam_registry_list`: the configured registries, and whether each can be reached.

use super::super::plan::{OffsetArgs, PackagePlan, PackageScene, Planner};
use super::super::registries::listed;
use crate::core::Result;

pub struct RegistryList;

impl Planner for RegistryList {
    type Args = OffsetArgs;
    const NAME: &'static str = "aam_registry_list";

    fn plan(scene: &PackageScene, args: &OffsetArgs) -> Result<PackagePlan> {
        Ok(PackagePlan::list(Self::NAME, &listed(scene)?, args.offset))
    }
}
