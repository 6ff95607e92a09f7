//! `aam_config_set`: changes one setting of the user's global configuration.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::config::{ConfigLayer, FILE, typed};
use super::super::errors::{DENIED, Then, fail};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::stage::FileStage;
use crate::core::changed::{Changed, cut};
use crate::core::layout::Next;
use crate::core::{Mode, Record, Result, Writes, redact};

pub struct ConfigSet;

#[derive(Debug, Deserialize)]
pub struct ConfigSetArgs {
    key: String,
    value: String,
}

#[derive(Serialize)]
struct ConfigSetReply<'a> {
    key: &'a str,
    value: &'a Value,
    source: &'static str,
    /// The project has a value of its own, which still counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    overridden_by: Option<&'static str>,
}

impl Planner for ConfigSet {
    type Args = ConfigSetArgs;
    const NAME: &'static str = "aam_config_set";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &ConfigSetArgs) -> Result<PackagePlan> {
        let (call, key) = (scene.ctx.call, args.key.trim());
        let value = typed(key, args.value.trim())?;
        let said = call.mode_said && call.mode == Mode::Execute;
        if key.starts_with("security.") && !call.preview && !said {
            return Err(fail(
                DENIED,
                format!("{key} decides what may be installed, so it is not changed in passing."),
            )
            .hint("Add \"mode\":\"execute\" to this call to say that you mean it.")
            .then(Next::call(Self::NAME).all(call.args.clone()).with("mode", "execute")));
        }
        let root = scene.home().join(".aam");
        scene.lock(&root)?;
        let global = ConfigLayer::load(scene, root)?;
        let mut stage = FileStage::new(scene.world);
        stage.write_text(&global.root, Path::new(FILE), &global.with(key, value.clone()))?;
        // Looked at separately: a damaged project file must not keep anybody from repairing the global one.
        let overridden =
            ConfigLayer::load(scene, scene.aam()).is_ok_and(|project| project.get(key).is_some());
        let reply = ConfigSetReply {
            key,
            value: &value,
            source: "global",
            overridden_by: overridden.then_some("project"),
        };
        let record =
            Record { summary: format!("Set {key}"), targets: vec![key.to_string()], ..Record::default() };
        let shown = |value: &Value| cut(redact::value(value));
        let changed = Changed {
            field: key.to_string(),
            before: global.get(key).map(shown),
            after: Some(shown(&value)),
            ..Changed::default()
        };
        let changed = if changed.before == changed.after { Vec::new() } else { vec![changed] };
        let next = Next::call(super::config_get::ConfigGet::NAME).with("key", key);
        Ok(PackagePlan::object(reply).with(stage, record).changing(changed).then(next))
    }
}
