//! `aam_registry_list`: the configured registries, and whether each can be reached.

use super::super::plan::{ListArgs, Plan, Planner, Scene};
use super::super::registries::listed;
use crate::core::Result;

pub struct RegistryList;

impl Planner for RegistryList {
    type Args = ListArgs;
    const NAME: &'static str = "aam_registry_list";

    fn plan(scene: &Scene, args: &ListArgs) -> Result<Plan> {
        Ok(Plan::list(Self::NAME, &listed(scene)?, args.offset))
    }
}
