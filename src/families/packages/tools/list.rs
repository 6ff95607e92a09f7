//! `aam_list`: what is installed in this project.

use super::super::info::listed;
use super::super::plan::{OffsetArgs, PackagePlan, PackageScene, Planner};
use crate::core::Result;

pub struct PackagesList;

impl Planner for PackagesList {
    type Args = OffsetArgs;
    const NAME: &'static str = "aam_list";

    fn plan(scene: &PackageScene, args: &OffsetArgs) -> Result<PackagePlan> {
        Ok(PackagePlan::list(Self::NAME, &listed(scene)?, args.offset))
    }
}
