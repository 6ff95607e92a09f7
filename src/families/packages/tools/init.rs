//! `aam_init`: a first package that works, and `.aam` for installing others. What is there already stays as it is.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::config::{FILE as SETTINGS, PackagesConfig};
use super::super::errors::{INVALID, Then, fail};
use super::super::manifest::FILE as MANIFEST;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::reply::named;
use super::super::stage::FileStage;
use super::create_package::package_name;
use crate::core::agents::platforms_shown;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;
use crate::core::templates::{PACKAGE, SKILL, package_settings};
use crate::core::{Record, Result, Writes};

/// Where the skill of the first manifest lies.
const HELLO: &str = "skills/hello/SKILL.md";

pub struct PackagesInit;

#[derive(Debug, Deserialize)]
pub struct PackagesInitArgs {
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    name: Option<String>,
    #[serde(default)]
    workspace_only: bool,
}

#[derive(Serialize)]
struct InitReply {
    #[serde(skip_serializing_if = "Option::is_none")]
    package_name: Option<String>,
    written: Vec<String>,
}

impl Planner for PackagesInit {
    type Args = PackagesInitArgs;
    const NAME: &'static str = "aam_init";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &PackagesInitArgs) -> Result<PackagePlan> {
        init(scene, args)
    }
}

fn init(scene: &PackageScene, args: &PackagesInitArgs) -> Result<PackagePlan> {
    let given = args.path.as_deref().unwrap_or(".");
    let root = scene.directory(given)?;
    let mut stage = FileStage::new(scene.world);
    let mut written = Vec::new();
    let mut fill = |stage: &mut FileStage, root: &Path, path: &str, text: &str| -> Result<bool> {
        let free = stage.content(root, Path::new(path))?.is_none();
        if free {
            stage.write_text(root, Path::new(path), text)?;
            written.push(named(scene, &root.join(path)));
        }
        Ok(free)
    };
    let mut package = None;
    if !args.workspace_only {
        let name = package_name(args.name.as_deref(), &root, &PackagesConfig::load(scene)?)?;
        if fill(&mut stage, &root, MANIFEST, &PACKAGE.named(&name))? {
            fill(&mut stage, &root, HELLO, SKILL.text)?;
            package = Some(name);
        }
    }
    let workspace = scene.workspace();
    if args.workspace_only || root == workspace {
        let mut failed = None;
        let platforms = platforms_shown(|sign| {
            scene
                .world
                .stat(&workspace.join(sign))
                .map_or_else(|e| failed.replace(e).is_some(), |s| s.is_some())
        });
        if let Some(error) = failed {
            return Err(error);
        }
        fill(&mut stage, workspace, &format!(".aam/{SETTINGS}"), &package_settings(&platforms))?;
    }
    if written.is_empty() {
        return Err(fail(INVALID, format!("There is nothing to write: '{given}' has what it needs."))
            .hint("Edit what is there; it is never overwritten.")
            .then(Next::call(super::validate::PackagesValidate::NAME).with("path", given)));
    }
    let summary = match &package {
        Some(name) => format!("Wrote the manifest of package {name}"),
        None => "Made this project ready for packages".to_string(),
    };
    let next = match &package {
        Some(_) => Next::call(super::validate::PackagesValidate::NAME).with("path", given),
        None => Next::call(super::registry_list::RegistryList::NAME),
    };
    let record = Record { summary, targets: package.iter().cloned().collect(), ..Record::default() };
    let reply = InitReply { package_name: package, written };
    // The files are named already.
    Ok(PackagePlan::object(reply).with(stage, record).changing(Vec::new()).then(next))
}
