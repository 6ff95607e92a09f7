//! Putting a package's artifacts where the platforms look for them, and taking them away again.
//!
//! A place is written only if it is free, already right, or known to be this package's own and unedited.

use std::path::{Path, PathBuf};

use super::archive::{PackageFiles, PackedFile};
use super::errors::{FILE_CONFLICT, fail};
use super::manifest::PackageManifest;
use super::markers::{self, Marker};
use super::names::directory;
use super::plan::{PackageScene, file_bytes};
use super::rows::{OwnedFile, Owners, Ownership};
use super::source::is_in_git;
use super::stage::{FileStage, walk};
use super::targets::{ArtifactDeployment, DeploymentBase, DeploymentBody, Platform, deployments};
use crate::core::{Error, Result, Sha};

pub struct PackagePlacer<'a> {
    pub scene: &'a PackageScene<'a>,
    pub owners: &'a Owners,
    pub name: &'a str,
    /// Also overwrite what the user edited since it was deployed.
    pub force: bool,
    pub warnings: &'a mut Vec<String>,
}

/// What is where a deployment wants to be.
enum Found {
    Nothing,
    Same,
    Other(Sha),
}

fn root(scene: &PackageScene, base: DeploymentBase) -> PathBuf {
    match base {
        DeploymentBase::Project => scene.workspace().to_path_buf(),
        DeploymentBase::CodexHome => scene.codex_home(),
    }
}

fn place(scene: &PackageScene, platform: Platform, deployment: &ArtifactDeployment) -> OwnedFile {
    let (sha, section) = match &deployment.body {
        DeploymentBody::File(file) => (Sha::of(&file.bytes), None),
        DeploymentBody::Section(marker, text) => {
            (Sha::of(text.trim_matches(['\n', '\r']).as_bytes()), Some(marker.0.clone()))
        }
    };
    OwnedFile {
        root: root(scene, deployment.base),
        path: PathBuf::from(&deployment.path),
        sha,
        section,
        platform: platform.word().to_string(),
    }
}

impl PackagePlacer<'_> {
    /// Plans all deployments of a package and returns what it owns afterwards.
    pub fn put(
        &mut self,
        stage: &mut FileStage,
        manifest: &PackageManifest,
        files: &PackageFiles,
        platforms: &[Platform],
        before: &[OwnedFile],
    ) -> Result<Vec<OwnedFile>> {
        let mut owned = Vec::new();
        for platform in platforms {
            for deployment in deployments(*platform, manifest, files)? {
                let file = place(self.scene, *platform, &deployment);
                if self.put_one(stage, &deployment, &file, before)? {
                    owned.push(file);
                }
            }
        }
        for old in before.iter().filter(|old| !owned.iter().any(|new| new.same_place(old))) {
            self.take(stage, old)?;
        }
        Ok(owned)
    }

    /// Returns whether the place belongs to the package afterwards.
    fn put_one(
        &mut self,
        stage: &mut FileStage,
        deployment: &ArtifactDeployment,
        file: &OwnedFile,
        before: &[OwnedFile],
    ) -> Result<bool> {
        let workspace = &self.scene.ctx.session.workspace;
        let (twins, others): (Vec<_>, Vec<_>) =
            self.owners.others(workspace, self.name, file).partition(|(name, _)| *name == self.name);
        // The same package in another project may share a place in the home directory.
        let mine = before.iter().find(|b| b.same_place(file)).or(twins.first().map(|(_, f)| *f));
        let others: Vec<&str> = others.into_iter().map(|(name, _)| name).collect();
        match (found(stage, file, &deployment.body)?, mine) {
            (Found::Nothing, _) if others.is_empty() || mine.is_some() => {}
            // Two packages may bring the very same file; it goes when the last of them goes.
            (Found::Same, _) => return Ok(mine.is_some() || !others.is_empty()),
            _ if !others.is_empty() => return Err(taken(self.name, &others, file)),
            (Found::Other(_), None) => return Err(in_the_way(self.name, file)),
            (Found::Other(now), Some(mine)) if now != mine.sha && !self.force => {
                self.warnings.push(format!("{} was edited and is kept as it is.", shown(self.scene, file)));
                return Ok(true);
            }
            _ => {}
        }
        match &deployment.body {
            DeploymentBody::File(content) => {
                stage.write(&file.root, &file.path, content.bytes.clone(), content.mode())?;
            }
            DeploymentBody::Section(marker, text) => {
                let old = stage.text(&file.root, &file.path)?.unwrap_or_default();
                stage.write_text(&file.root, &file.path, &markers::put(&old, marker, text))?;
            }
        }
        Ok(true)
    }

    /// Plans the removal of one place; returns whether something goes.
    pub fn take(&mut self, stage: &mut FileStage, file: &OwnedFile) -> Result<bool> {
        if self.owners.others(&self.scene.ctx.session.workspace, self.name, file).next().is_some() {
            return Ok(false);
        }
        let Some(now) = current(stage, file)? else { return Ok(false) };
        if now != file.sha {
            self.warnings.push(format!("{} was edited and is kept.", shown(self.scene, file)));
            return Ok(false);
        }
        match &file.section {
            None => stage.remove(&file.root, &file.path)?,
            Some(marker) => {
                let old = stage.text(&file.root, &file.path)?.unwrap_or_default();
                match markers::remove(&old, &Marker(marker.clone())) {
                    Some(rest) => stage.write_text(&file.root, &file.path, &rest)?,
                    None => stage.remove(&file.root, &file.path)?,
                }
            }
        }
        Ok(true)
    }
}

/// Digest of what is in a place now; `None` = nothing.
pub fn current(stage: &mut FileStage, file: &OwnedFile) -> Result<Option<Sha>> {
    match &file.section {
        None => Ok(stage.content(&file.root, &file.path)?.map(|c| Sha::of(&c.bytes))),
        Some(marker) => {
            let text = stage.text(&file.root, &file.path)?.unwrap_or_default();
            Ok(markers::content(&text, &Marker(marker.clone())).map(|c| Sha::of(c.as_bytes())))
        }
    }
}

fn found(stage: &mut FileStage, file: &OwnedFile, body: &DeploymentBody) -> Result<Found> {
    let mode = match body {
        DeploymentBody::File(content) => Some(content.mode()),
        DeploymentBody::Section(..) => None,
    };
    Ok(match current(stage, file)? {
        None => Found::Nothing,
        Some(now) if now == file.sha => {
            let same_mode = match mode {
                Some(mode) => {
                    stage.content(&file.root, &file.path)?.is_some_and(|c| c.mode & 0o100 == mode & 0o100)
                }
                None => true,
            };
            if same_mode { Found::Same } else { Found::Other(now) }
        }
        Some(now) => Found::Other(now),
    })
}

pub fn shown(scene: &PackageScene, file: &OwnedFile) -> String {
    let full = file.full();
    let path = super::errors::relative(
        &full.display().to_string(),
        &scene.ctx.session.workspace,
        &scene.home().to_string_lossy(),
    );
    match &file.section {
        Some(section) => format!("The section '{section}' of {path}"),
        None => path,
    }
}

fn taken(name: &str, others: &[&str], file: &OwnedFile) -> Error {
    let path = file.path.display();
    fail(FILE_CONFLICT, format!("'{name}' and '{}' both want {path}.", others.join("', '")))
        .hint(format!("Uninstall '{}' first, or ask a publisher to rename the artifact.", others[0]))
        .details(serde_json::json!({"path": file.path, "packages": [name, others[0]]}))
}

fn in_the_way(name: &str, file: &OwnedFile) -> Error {
    let path = file.path.display();
    fail(FILE_CONFLICT, format!("'{name}' wants to write {path}, but a file that is not its own is there."))
        .hint("Move or rename your file, then install again. Nothing was changed.")
        .details(serde_json::json!({"path": file.path, "packages": [name]}))
}

/// What an installed package owns: as recorded, or, if another program installed it, as far as it can be told.
pub fn ownership(scene: &PackageScene, owners: &Owners, name: &str, version: &str) -> Result<Ownership> {
    if let Some(known) = owners.of(&scene.ctx.session.workspace, name) {
        return Ok(known.clone());
    }
    let mut out = Ownership { version: version.to_string(), ..Ownership::default() };
    let files = package_files(scene, name)?;
    let Some(Ok(manifest)) = files.get(super::manifest::FILE).map(|f| PackageManifest::read(&f.bytes)) else {
        return Ok(out);
    };
    let mut stage = FileStage::new(scene.world);
    for platform in Platform::ALL {
        for deployment in deployments(platform, &manifest, &files).unwrap_or_default() {
            let mut file = place(scene, platform, &deployment);
            let Ok(Some(now)) = current(&mut stage, &file) else { continue };
            let theirs = deployment.elsewhere.as_ref().map(|bytes| Sha::of(bytes));
            if now == file.sha || Some(&now) == theirs.as_ref() {
                file.sha = now;
                out.files.push(file);
                if !out.platforms.iter().any(|p| p == platform.word()) {
                    out.platforms.push(platform.word().to_string());
                }
            }
        }
    }
    Ok(out)
}

/// The directory of an installed package, relative to `.aam/`.
pub fn package_dir(name: &str) -> String {
    format!("packages/{}", directory(name))
}

/// The files of an installed package as they are on disk.
fn package_files(scene: &PackageScene, name: &str) -> Result<PackageFiles> {
    let dir = scene.aam().join(package_dir(name));
    let mut out = PackageFiles::new();
    for path in walk(scene.world, &dir)?.0 {
        if is_in_git(&path) {
            continue;
        }
        let full = dir.join(&path);
        let executable = scene.world.stat(&full)?.is_some_and(|s| s.mode & 0o100 != 0);
        if let Some(bytes) = file_bytes(scene.world, &full)? {
            out.insert(path, PackedFile { bytes, executable });
        }
    }
    Ok(out)
}

/// Exchanges the directory of a package for these files (or removes it); returns how many files went.
pub fn replace_dir(
    scene: &PackageScene,
    stage: &mut FileStage,
    name: &str,
    files: &PackageFiles,
) -> Result<usize> {
    let (aam, dir) = (scene.aam(), package_dir(name));
    let (old, odd) = walk(scene.world, &aam.join(&dir))?;
    if let Some(odd) = odd.first() {
        return Err(fail(FILE_CONFLICT, format!(".aam/{dir}/{odd} is a symlink or a special file."))
            .hint("Remove it, then call again. Nothing was changed."));
    }
    let mut gone = 0;
    for path in old.iter().filter(|p| !files.contains_key(*p)) {
        stage.remove(&aam, Path::new(&format!("{dir}/{path}")))?;
        gone += 1;
    }
    for (path, file) in files {
        stage.write(&aam, Path::new(&format!("{dir}/{path}")), file.bytes.clone(), file.mode())?;
    }
    Ok(gone)
}
