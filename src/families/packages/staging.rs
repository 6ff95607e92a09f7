//! From packages that were chosen to planned files, lock entries and records: fetch, verify, unpack, collide.
//!
//! Everything happens in memory; a package that is not as promised spoils the plan before any file is touched.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Value, json};

use super::archive::{self, PackageFiles};
use super::config::PackagesConfig;
use super::constraint::Set;
use super::errors::{
    ARCHIVE, CHECKSUM, DENIED, FILE_CONFLICT, INVALID, MANIFEST_INVALID, NO_REGISTRY, PACKAGE_NOT_FOUND,
    Then, code_of, fail,
};
use super::hidden;
use super::lock::{Locked, PackageLock, checksum};
use super::manifest::{ArtifactCounts, FILE as MANIFEST, PackageManifest};
use super::names::directory;
use super::placing::{self, PackagePlacer};
use super::plan::PackageScene;
use super::registry::PackageRegistry;
use super::resolve::{ChosenPackage, Pool};
use super::rows::{Owners, Ownership};
use super::stage::FileStage;
use super::targets::Platform;
use crate::core::layout::Next;
use crate::core::{Error, Kind, Result, Sha};

/// A package whose archive was fetched, checked and unpacked.
#[derive(Clone)]
pub struct Fetched {
    files: PackageFiles,
    manifest: PackageManifest,
    checksum: String,
}

/// How packages are put in place.
pub struct Placement {
    /// `None` = wherever the package is already, else where the configuration says.
    pub platform: Option<Platform>,
    pub deploy: bool,
    /// Overwrites what the user edited.
    pub force: bool,
}

/// An installed package as replies show it.
#[derive(Debug, Clone, Serialize)]
pub struct InstalledPackage {
    pub name: String,
    pub version: String,
    pub source: String,
    pub artifact_count: usize,
    pub artifacts: ArtifactCounts,
    pub checksum: Option<String>,
    /// The version before an upgrade, where it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// The result of planning: everything but the reply.
pub struct StagedPackages<'a> {
    pub stage: FileStage<'a>,
    pub owned: Vec<(String, Option<Ownership>)>,
    pub installed: Vec<InstalledPackage>,
    pub warnings: Vec<String>,
}

/// Everything an install looks at.
pub struct Staging<'a> {
    pub scene: &'a PackageScene<'a>,
    pub config: PackagesConfig,
    pub pool: Pool<'a>,
    pub owners: Owners,
    pub fetched: HashMap<String, Fetched>,
}

/// A package that cannot be installed, and why.
pub struct Spoiled {
    pub package: String,
    pub error: Error,
}

impl<'a> Staging<'a> {
    /// For somebody who will write: keeps other programs out of the workspace.
    pub fn open(scene: &'a PackageScene<'a>) -> Result<Staging<'a>> {
        let aam = scene.initialized()?;
        scene.lock(&aam)?;
        Staging::look(scene)
    }

    pub fn look(scene: &'a PackageScene<'a>) -> Result<Staging<'a>> {
        let config = PackagesConfig::load(scene)?;
        let pool = Pool::new(scene, PackageRegistry::all(&config, scene)?);
        Ok(Staging { scene, config, pool, owners: Owners::load(scene.ctx.view)?, fetched: HashMap::new() })
    }

    pub fn need_registry(&self) -> Result<()> {
        if !self.pool.registries.is_empty() {
            return Ok(());
        }
        Err(fail(NO_REGISTRY, "No registry is configured, so there is nowhere to install from.")
            .hint("Add one with aam_registry_add {\"name\":\"…\",\"url\":\"…\"}.")
            .then(
                Next::call("aam_registry_add")
                    .with("name", "main")
                    .with("url", "<directory, git or https address of the registry>"),
            ))
    }

    /// Is an installed package already where this install would put it? What another program installed is
    /// taken as it is.
    pub fn is_deployed(&self, name: &str, placement: &Placement) -> bool {
        let Some(owned) = self.owners.of(&self.scene.ctx.session.workspace, name) else { return true };
        !placement.deploy
            || match placement.platform {
                Some(platform) => owned.platforms.iter().any(|p| p == platform.word()),
                None => !owned.platforms.is_empty(),
            }
    }

    /// The constraints under which installed packages were asked for.
    pub fn kept(&self, lock: &PackageLock) -> BTreeMap<String, Set> {
        let workspace = &self.scene.ctx.session.workspace;
        let requested = |name: &String| {
            let owned = self.owners.of(workspace, name)?;
            Set::parse(owned.requested.as_deref()?).ok().map(|set| (name.clone(), set))
        };
        lock.names().iter().filter_map(requested).collect()
    }

    fn fetch(&mut self, chosen: &ChosenPackage) -> Result<Fetched> {
        let at = format!("{}@{}", chosen.name, chosen.version);
        if let Some(known) = self.fetched.get(&at) {
            return Ok(known.clone());
        }
        let registry = chosen.registry.ok_or_else(|| Error::internal(format!("{at} has no source.")))?;
        let opened = self.pool.open(registry)?;
        let version = chosen.version.as_str();
        let bytes = opened.archive(self.scene, &chosen.name, version)?.ok_or_else(|| {
            let message = format!("The registry '{}' lists {at} but does not have its archive.", opened.name);
            fail(PACKAGE_NOT_FOUND, message).hint("Ask for another version.")
        })?;
        let sum = checksum(&bytes);
        self.verify(&at, chosen.checksum.as_deref(), &sum)?;
        let files = archive::unpack(&bytes)?;
        let manifest = read_manifest(&at, &files)?;
        if manifest.name != chosen.name || manifest.version != version {
            let inside = format!("{}@{}", manifest.name, manifest.version);
            return Err(fail(ARCHIVE, format!("The archive of {at} contains {inside}."))
                .hint("The registry is damaged; nothing was installed."));
        }
        let fetched = Fetched { files, manifest, checksum: sum };
        self.fetched.insert(at, fetched.clone());
        Ok(fetched)
    }

    fn verify(&self, at: &str, promised: Option<&str>, sum: &str) -> Result<()> {
        if !self.config.flag("security.require_checksum")? {
            return Ok(());
        }
        match promised {
            Some(promised) if promised == sum => Ok(()),
            Some(promised) => {
                Err(fail(CHECKSUM, format!("The archive of {at} is not the one that was published."))
                    .hint("It was changed or damaged on the way. Nothing was installed.")
                    .details(json!({"expected": promised, "actual": sum})))
            }
            None => Err(fail(CHECKSUM, format!("The registry has no checksum for {at}."))
                .hint("Publish it again, or a person may turn security.require_checksum off.")),
        }
    }

    /// Signatures do not exist yet, so requiring them means that nothing passes.
    fn check_signature(&self, at: &str, warnings: &mut Vec<String>) -> Result<()> {
        if !self.config.flag("security.require_signature")? {
            return Ok(());
        }
        match self.config.text("security.on_signature_failure").as_deref() {
            Some("error") => {
                Err(fail(DENIED, format!("{at} is not signed, and the configuration requires it."))
                    .hint("A person may change security.require_signature or security.on_signature_failure."))
            }
            Some("ignore") => Ok(()),
            _ => {
                warnings.push(format!("{at} is not signed."));
                Ok(())
            }
        }
    }

    fn platforms(&self, placement: &Placement, before: &Ownership) -> Result<Vec<Platform>> {
        let mut out: Vec<Platform> = before.platforms.iter().filter_map(|p| Platform::parse(p)).collect();
        match placement.platform {
            Some(platform) => out.push(platform),
            None if out.is_empty() => out = self.config.platforms()?,
            None => {}
        }
        out.sort();
        out.dedup();
        Ok(out)
    }

    /// Plans the files, lock entries and records of these packages, in this order.
    pub fn stage(
        &mut self,
        packages: &[ChosenPackage],
        placement: &Placement,
        asked: &BTreeMap<String, String>,
    ) -> std::result::Result<StagedPackages<'a>, Spoiled> {
        let general = |error| Spoiled { package: String::new(), error };
        let mut lock = PackageLock::load(self.scene).map_err(general)?;
        let mut out = StagedPackages {
            stage: FileStage::new(self.scene.world),
            owned: Vec::new(),
            installed: Vec::new(),
            warnings: Vec::new(),
        };
        self.owners = Owners::load(self.scene.ctx.view).map_err(general)?;
        for (i, chosen) in packages.iter().enumerate() {
            let share = i as f64 / packages.len() as f64;
            self.scene.world.progress(share, &format!("Installing {}@{}", chosen.name, chosen.version));
            if self.scene.world.cancelled() {
                return Err(general(Error::new(
                    Kind::State,
                    "cancelled",
                    "The install was cancelled; nothing was changed.",
                )));
            }
            self.stage_one(chosen, placement, asked, &mut lock, &mut out)
                .map_err(|error| Spoiled { package: chosen.name.clone(), error })?;
        }
        if !packages.is_empty() {
            // Last, so that the lock never names what is not there.
            lock.save(&mut out.stage, &self.scene.aam(), self.scene.ctx.now).map_err(general)?;
        }
        Ok(out)
    }

    fn stage_one(
        &mut self,
        chosen: &ChosenPackage,
        placement: &Placement,
        asked: &BTreeMap<String, String>,
        lock: &mut PackageLock,
        out: &mut StagedPackages,
    ) -> Result<()> {
        let (scene, name) = (self.scene, chosen.name.as_str());
        let at = format!("{name}@{}", chosen.version);
        self.check_signature(&at, &mut out.warnings)?;
        let fetched = self.fetch(chosen)?;
        let twin = lock.names().into_iter().find(|n| n != name && directory(n) == directory(name));
        if let Some(twin) = twin {
            return Err(fail(FILE_CONFLICT, format!("'{name}' and '{twin}' use the same directory."))
                .hint(format!("Uninstall '{twin}' first.")));
        }
        for (path, file) in &fetched.files {
            let warnings = hidden::warnings(path, &file.bytes);
            out.warnings.extend(warnings.into_iter().map(|w| format!("{at}: {w}")));
        }
        let before = match lock.get(name) {
            Some(locked) => placing::ownership(scene, &self.owners, name, &locked.version)?,
            None => Ownership::default(),
        };
        placing::replace_dir(scene, &mut out.stage, name, &fetched.files)?;
        let (platforms, files) = if placement.deploy {
            let platforms = self.platforms(placement, &before)?;
            let mut deploy = PackagePlacer {
                scene,
                owners: &self.owners,
                name,
                force: placement.force,
                warnings: &mut out.warnings,
            };
            let files =
                deploy.put(&mut out.stage, &fetched.manifest, &fetched.files, &platforms, &before.files)?;
            (platforms.iter().map(|p| p.word().to_string()).collect(), files)
        } else {
            (before.platforms.clone(), before.files.clone())
        };
        let version = chosen.version.as_str().to_string();
        let requested = asked.get(name).cloned().or(before.requested);
        let owned = Ownership { version: version.clone(), requested, platforms, files };
        self.owners.set(&scene.ctx.session.workspace, name, owned.clone());
        out.owned.push((name.to_string(), Some(owned)));
        let source = chosen.registry.map_or(String::new(), |r| self.pool.registries[r].name.clone());
        let digest = |(path, file): (&String, &archive::PackedFile)| (path.clone(), Sha::of(&file.bytes).0);
        lock.set(
            name,
            &Locked {
                version: version.clone(),
                source: source.clone(),
                checksum: Some(fetched.checksum.clone()),
                dependencies: fetched.manifest.dependencies.clone(),
                files: fetched.files.iter().map(digest).collect(),
            },
        );
        out.installed.push(InstalledPackage {
            name: name.to_string(),
            version,
            source,
            artifact_count: fetched.manifest.artifacts.len(),
            artifacts: fetched.manifest.counts(),
            checksum: Some(fetched.checksum.clone()),
            from: None,
        });
        Ok(())
    }
}

fn read_manifest(at: &str, files: &PackageFiles) -> Result<PackageManifest> {
    let file = files.get(MANIFEST).ok_or_else(|| {
        fail(ARCHIVE, format!("The archive of {at} has no {MANIFEST}.")).hint("Nothing was installed.")
    })?;
    PackageManifest::read(&file.bytes).map_err(|errors| {
        fail(MANIFEST_INVALID, format!("The manifest of {at} is not valid: {}.", errors.join("; ")))
            .hint("Ask the publisher of the package to fix it.")
            .details(json!({"errors": errors}))
    })
}

/// A package that could not be had: code, message, hint and details, as every error of this family has them.
#[derive(Debug, Clone, Serialize)]
pub struct PackageFailure {
    pub package: String,
    code: String,
    message: String,
    hint: String,
    /// Whatever the error brought; an object.
    pub details: Value,
}

pub fn failed(scene: &PackageScene, package: &str, error: &Error) -> PackageFailure {
    let clean = |text: &str| {
        let text = crate::core::redact::text(text).0;
        super::errors::relative(&text, &scene.ctx.session.workspace, &scene.home().to_string_lossy())
    };
    PackageFailure {
        package: package.to_string(),
        code: code_of(error).to_string(),
        message: clean(&error.message),
        hint: clean(error.hint.as_deref().unwrap_or("")),
        details: error.details.as_deref().cloned().unwrap_or_else(|| json!({})),
    }
}

pub fn platform(word: Option<&str>) -> Result<Option<Platform>> {
    word.map_or(Ok(None), |word| match Platform::parse(word) {
        Some(platform) => Ok(Some(platform)),
        None => Err(fail(INVALID, format!("'{word}' is not a platform."))
            .hint(format!("Use one of: {}.", Platform::words()))),
    })
}
