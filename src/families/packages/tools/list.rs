//! `aam_list`: what is installed in this project.

use super::super::info::listed;
use super::super::plan::{ListArgs, Plan, Planner, Scene};
use crate::core::Result;

pub struct List;

impl Planner for List {
    type Args = ListArgs;
    const NAME: &'static str = "aam_list";

    fn plan(scene: &Scene, args: &ListArgs) -> Result<Plan> {
        Ok(Plan::list(Self::NAME, &listed(scene)?, args.offset))
    }
}
