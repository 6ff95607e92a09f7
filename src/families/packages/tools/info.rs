//! `aam_info`: everything about one package, installed or in a registry.

use serde::Deserialize;

use super::super::info::details;
use super::super::plan::{Plan, Planner, Scene};
use crate::core::Result;
use crate::core::arguments::trimmed;

pub struct Info;

#[derive(Debug, Deserialize)]
pub struct InfoArgs {
    package_name: String,
    #[serde(default, deserialize_with = "trimmed")]
    version: Option<String>,
}

impl Planner for Info {
    type Args = InfoArgs;
    const NAME: &'static str = "aam_info";

    fn plan(scene: &Scene, args: &InfoArgs) -> Result<Plan> {
        let name = args.package_name.trim();
        let address = name.trim_start_matches('@').replace('/', "--");
        let plan = Plan::object(details(scene, name, args.version.as_deref())?);
        Ok(plan.whole(format!("aam://packages/{address}")))
    }
}
