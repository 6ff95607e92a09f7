//! Are the files of installed packages what was installed, in their directory and where deployed?

use serde::Serialize;

use super::lock::Locked;
use super::placing::{self, current, package_dir, shown};
use super::plan::{PackageScene, file_bytes};
use super::rows::Owners;
use super::stage::{FileStage, walk};
use crate::core::{Result, Sha};

/// What differs from what was installed.
#[derive(Debug, Default, Serialize)]
pub struct PackageDrift {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modified: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deployed_modified: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deployed_missing: Vec<String>,
    /// The lock has no hashes to compare with.
    #[serde(skip)]
    pub unknown: bool,
}

impl PackageDrift {
    pub fn package_is_whole(&self) -> bool {
        self.modified.is_empty() && self.missing.is_empty() && self.extra.is_empty() && !self.unknown
    }

    pub fn deployment_is_whole(&self) -> bool {
        self.deployed_modified.is_empty() && self.deployed_missing.is_empty()
    }
}

pub fn drift(scene: &PackageScene, owners: &Owners, name: &str, locked: &Locked) -> Result<PackageDrift> {
    let mut out = PackageDrift { unknown: locked.files.is_empty(), ..PackageDrift::default() };
    let dir = scene.aam().join(package_dir(name));
    let (files, odd) = walk(scene.world, &dir)?;
    for (path, sha) in &locked.files {
        match file_bytes(scene.world, &dir.join(path))? {
            None => out.missing.push(path.clone()),
            Some(bytes) if Sha::of(&bytes).as_str() != sha => out.modified.push(path.clone()),
            Some(_) => {}
        }
    }
    if files.is_empty() && locked.files.is_empty() {
        out.missing.push(super::manifest::FILE.to_string());
    }
    if !out.unknown {
        out.extra.extend(files.into_iter().chain(odd).filter(|p| !locked.files.contains_key(p)));
    }
    let owned = placing::ownership(scene, owners, name, &locked.version)?;
    let mut stage = FileStage::new(scene.world);
    for file in &owned.files {
        // Something that is no file stands in its place: not what was deployed, either.
        match current(&mut stage, file) {
            Ok(Some(now)) if now == file.sha => {}
            Ok(None) => out.deployed_missing.push(shown(scene, file)),
            _ => out.deployed_modified.push(shown(scene, file)),
        }
    }
    Ok(out)
}

/// Nothing to restore: the directory is as locked and nothing deployed is missing.
pub fn is_whole(scene: &PackageScene, owners: &Owners, name: &str, locked: &Locked) -> Result<bool> {
    let recorded = owners.of(&scene.ctx.session.workspace, name).is_some();
    let drift = drift(scene, owners, name, locked)?;
    Ok(recorded && drift.package_is_whole() && drift.deployed_missing.is_empty())
}
