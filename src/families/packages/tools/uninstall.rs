//! `aam_uninstall`: removes exactly what the install wrote, on every platform it was deployed to.

use serde::{Deserialize, Serialize};

use super::super::archive::PackageFiles;
use super::super::errors::{NOT_INSTALLED, Then, fail};
use super::super::lock::PackageLock;
use super::super::placing::{self, PackagePlacer};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::rows::Owners;
use super::super::stage::FileStage;
use crate::core::layout::Next;
use crate::core::{Record, Result, Writes};

pub struct Uninstall;

#[derive(Debug, Deserialize)]
pub struct UninstallArgs {
    package_name: String,
}

#[derive(Serialize)]
struct UninstallReply<'a> {
    package_name: &'a str,
    version: &'a str,
    files_removed: usize,
    dependents_warning: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_kept: Vec<String>,
}

impl Planner for Uninstall {
    type Args = UninstallArgs;
    const NAME: &'static str = "aam_uninstall";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &UninstallArgs) -> Result<PackagePlan> {
        uninstall(scene, args.package_name.trim())
    }
}

fn uninstall(scene: &PackageScene, name: &str) -> Result<PackagePlan> {
    let mut lock = PackageLock::load(scene)?;
    let Some(locked) = lock.get(name) else {
        return Err(fail(NOT_INSTALLED, format!("'{name}' is not installed."))
            .hint("aam_list shows what is installed.")
            .then(Next::call(super::list::PackagesList::NAME)));
    };
    let aam = scene.initialized()?;
    scene.lock(&aam)?;
    let owners = Owners::load(scene.ctx.view)?;
    let owned = placing::ownership(scene, &owners, name, &locked.version)?;
    let mut stage = FileStage::new(scene.world);
    let mut kept = Vec::new();
    let mut deploy = PackagePlacer { scene, owners: &owners, name, force: false, warnings: &mut kept };
    let mut removed = 0;
    for file in &owned.files {
        removed += usize::from(deploy.take(&mut stage, file)?);
    }
    removed += placing::replace_dir(scene, &mut stage, name, &PackageFiles::new())?;
    let dependents = lock.dependents(name);
    // What needed it is broken now; else there is only what is left to see.
    let next = if dependents.is_empty() {
        super::list::PackagesList::NAME
    } else {
        super::doctor::PackagesDoctor::NAME
    };
    lock.remove(name);
    lock.save(&mut stage, &aam, scene.ctx.now)?;
    let reply = UninstallReply {
        package_name: name,
        version: &locked.version,
        files_removed: removed,
        dependents_warning: dependents,
        files_kept: kept,
    };
    let record = Record {
        summary: format!("Uninstalled {name}@{}", locked.version),
        targets: vec![name.to_string()],
        ..Record::default()
    };
    let mut plan = PackagePlan::object(reply).with(stage, record).then(Next::call(next));
    plan.owned = vec![(name.to_string(), None)];
    Ok(plan)
}
