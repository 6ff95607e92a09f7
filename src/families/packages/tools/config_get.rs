//! `aam_config_get`: one setting with its true source, or all of them merged.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::config::{PackagesConfig, is_section};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use crate::core::Result;
use crate::core::arguments::trimmed;

pub struct ConfigGet;

#[derive(Debug, Deserialize)]
pub struct ConfigGetArgs {
    #[serde(default, deserialize_with = "trimmed")]
    key: Option<String>,
}

#[derive(Serialize)]
struct Setting<'a> {
    key: Option<&'a str>,
    value: Value,
    source: &'static str,
}

impl Planner for ConfigGet {
    type Args = ConfigGetArgs;
    const NAME: &'static str = "aam_config_get";

    fn plan(scene: &PackageScene, args: &ConfigGetArgs) -> Result<PackagePlan> {
        let config = PackagesConfig::load(scene)?;
        let key = args.key.as_deref();
        let (value, source) = match key {
            None => (config.merged(), "merged"),
            Some(key) if is_section(key) => (config.merged().get(key).cloned().unwrap_or_default(), "merged"),
            Some(key) => config.named(key)?,
        };
        Ok(PackagePlan::object(Setting { key, value, source }).whole("aam://config"))
    }
}
