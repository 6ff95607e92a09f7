//! aam_uninstall: removes exactly what the install wrote, on every platform it was deployed to.

use serde_json::json;

use super::archive::Files;
use super::deployed::{self, Deploy};
use super::errors::{NOT_INSTALLED, fail};
use super::lock::Lock;
use super::owned::Owners;
use super::plan::{Plan, Scene};
use super::stage::Stage;
use crate::core::{Record, Result};

pub fn uninstall(scene: &Scene) -> Result<Plan> {
    let name = scene.ctx.call.text("package_name").unwrap_or_default();
    let mut lock = Lock::load(scene)?;
    let Some(locked) = lock.get(name) else {
        return Err(fail(NOT_INSTALLED, format!("'{name}' is not installed."))
            .hint("aam_list shows what is installed."));
    };
    let aam = scene.initialized()?;
    scene.lock(&aam)?;
    let owners = Owners::load(scene.ctx.view)?;
    let owned = deployed::ownership(scene, &owners, name, &locked.version)?;
    let mut stage = Stage::new(scene.world);
    let mut kept = Vec::new();
    let mut deploy = Deploy { scene, owners: &owners, name, force: false, warnings: &mut kept };
    let mut removed = 0;
    for file in &owned.files {
        removed += usize::from(deploy.take(&mut stage, file)?);
    }
    removed += deployed::replace_dir(scene, &mut stage, name, &Files::new())?;
    let dependents = lock.dependents(name);
    lock.remove(name);
    lock.save(&mut stage, &aam, scene.ctx.now)?;
    let mut reply = json!({
        "package_name": name, "version": locked.version, "files_removed": removed,
        "dependents_warning": dependents,
    });
    if !kept.is_empty() {
        reply["files_kept"] = json!(kept);
    }
    let record = Record {
        summary: format!("Uninstalled {name}@{}", locked.version),
        targets: vec![name.to_string()],
        ..Record::default()
    };
    let mut plan = Plan::object(reply).with(stage, record);
    plan.owned = vec![(name.to_string(), None)];
    Ok(plan)
}
