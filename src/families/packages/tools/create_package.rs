//! `aam_create_package`: writes `aam.yaml` for the artifacts of a project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::config::PackagesConfig;
use super::super::detect::detect;
use super::super::errors::{INVALID, Then, fail};
use super::super::manifest::{
    ArtifactCounts, ArtifactKind, ArtifactLists, FILE as MANIFEST, PackageArtifact, PackageManifest, check,
};
use super::super::names::{is_package_name, normalise};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::rows::Owners;
use super::super::stage::FileStage;
use super::super::yaml;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;
use crate::core::{Record, Result, Writes};

pub struct CreatePackage;

#[derive(Debug, Deserialize)]
pub struct CreatePackageArgs {
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    name: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    version: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    description: Option<String>,
    #[serde(default)]
    artifact_types: Vec<String>,
    #[serde(default)]
    include_all: bool,
}

#[derive(Serialize)]
struct CreateReply<'a> {
    manifest_path: PathBuf,
    package_name: &'a str,
    version: &'a str,
    artifacts_included: ArtifactCounts,
    total_artifacts: usize,
}

/// The manifest as it is written.
#[derive(Serialize)]
struct Document<'a> {
    name: &'a str,
    version: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    artifacts: ArtifactLists<'a>,
    dependencies: BTreeMap<String, String>,
}

impl Planner for CreatePackage {
    type Args = CreatePackageArgs;
    const NAME: &'static str = "aam_create_package";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &CreatePackageArgs) -> Result<PackagePlan> {
        create(scene, args)
    }
}

fn create(scene: &PackageScene, args: &CreatePackageArgs) -> Result<PackagePlan> {
    let given = args.path.as_deref().unwrap_or(".");
    let root = scene.directory(given)?;
    let mut stage = FileStage::new(scene.world);
    if stage.content(&root, Path::new(MANIFEST))?.is_some() {
        return Err(fail(INVALID, format!("There is already an {MANIFEST} in '{given}'."))
            .hint("Edit it, or move it away first; it is never overwritten.")
            .then(Next::call(super::validate::PackagesValidate::NAME).with("path", given)));
    }
    let kinds = wanted_kinds(&args.artifact_types)?;
    let owners = Owners::load(scene.ctx.view)?;
    let all = args.include_all;
    let artifacts: Vec<PackageArtifact> = detect(scene, &root)?
        .into_iter()
        .filter(|d| kinds.is_empty() || kinds.contains(&d.artifact.kind))
        // What another package put here is not this project's own.
        .filter(|d| all || !owners.deployed(&scene.ctx.session.workspace, &root.join(&d.main)))
        .map(|d| d.artifact)
        .collect();
    if artifacts.is_empty() {
        return Err(fail(INVALID, format!("No artifacts were found in '{given}'."))
            .hint("Artifacts are SKILL.md, agent.yaml, prompts/*.md, instructions/*.md and the places the platforms use; packd://templates/SKILL.md shows one.")
            .then(Next::call(super::init::PackagesInit::NAME).with("path", given)));
    }
    let config = PackagesConfig::load(scene)?;
    let manifest = PackageManifest {
        name: package_name(args.name.as_deref(), &root, &config)?,
        version: args.version.as_deref().unwrap_or("0.1.0").to_string(),
        author: config.text("author.name"),
        artifacts,
        ..PackageManifest::default()
    };
    let description =
        args.description.clone().unwrap_or_else(|| format!("Agent artifacts of {}", manifest.name));
    let document = document(&manifest, &description);
    let (_, errors) = check(&document);
    if !errors.is_empty() {
        return Err(fail(INVALID, format!("The package cannot be described so: {}.", errors.join("; ")))
            .hint("Correct the arguments named and call again."));
    }
    stage.write_text(&root, Path::new(MANIFEST), &yaml::emit(&document))?;
    let reply = CreateReply {
        manifest_path: root.join(MANIFEST),
        package_name: &manifest.name,
        version: &manifest.version,
        artifacts_included: manifest.counts(),
        total_artifacts: manifest.artifacts.len(),
    };
    let record = Record {
        summary: format!("Created {MANIFEST} of {}", manifest.name),
        targets: vec![manifest.name.clone()],
        ..Record::default()
    };
    let publish = !config.registries()?.is_empty();
    let next = if publish { super::publish::Publish::NAME } else { super::validate::PackagesValidate::NAME };
    // The manifest is named already.
    Ok(PackagePlan::object(reply)
        .with(stage, record)
        .changing(Vec::new())
        .then(Next::call(next).with("path", given)))
}

fn wanted_kinds(words: &[String]) -> Result<Vec<ArtifactKind>> {
    words
        .iter()
        .map(|word| word.trim())
        .map(|word| {
            ArtifactKind::parse(word).ok_or_else(|| {
                fail(INVALID, format!("'{word}' is not a type of artifact."))
                    .hint(format!("Use any of: {}.", ArtifactKind::WORDS))
            })
        })
        .collect()
}

pub fn package_name(given: Option<&str>, root: &Path, config: &PackagesConfig) -> Result<String> {
    if let Some(name) = given {
        if is_package_name(name) {
            return Ok(name.to_string());
        }
        return Err(fail(INVALID, format!("'{name}' cannot be the name of a package."))
            .hint("Use lower-case letters, digits and hyphens, optionally with @scope/ before it."));
    }
    let name = normalise(&root.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default());
    let scoped =
        config.text("publish.default_scope").map(|s| format!("@{}/{name}", s.trim_start_matches('@')));
    Ok(scoped.filter(|s| is_package_name(s)).unwrap_or(name))
}

fn document(manifest: &PackageManifest, description: &str) -> Value {
    let document = Document {
        name: &manifest.name,
        version: &manifest.version,
        description,
        author: manifest.author.as_deref(),
        artifacts: manifest.artifact_lists(),
        dependencies: BTreeMap::new(),
    };
    // Plain data with text keys: nothing in it that JSON cannot hold.
    serde_json::to_value(document).unwrap_or_default()
}
