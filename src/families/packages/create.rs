//! aam_create_package: writes `aam.yaml` for the artifacts of a project.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::config::Config;
use super::detect::detect;
use super::errors::{INVALID, fail};
use super::install::texts;
use super::manifest::{Artifact, ArtifactKind, FILE as MANIFEST, Manifest, check};
use super::names::{is_package_name, normalise};
use super::owned::Owners;
use super::plan::{Plan, Scene};
use super::stage::Stage;
use super::yaml;
use crate::core::inside::{self, Spot};
use crate::core::world::FileKind;
use crate::core::{Record, Result};

pub fn create(scene: &Scene) -> Result<Plan> {
    let call = scene.ctx.call;
    let given = call.text("path").unwrap_or(".");
    let root = match scene.inside(given)? {
        Spot::Here(root) => root,
        Spot::Missing => scene.resolve(given),
        Spot::Outside => return Err(fail(INVALID, inside::outside(given)).hint(inside::REMEDY)),
    };
    if !scene.world.stat(&root)?.is_some_and(|s| s.kind == FileKind::Dir) {
        return Err(
            fail(INVALID, format!("'{given}' is not a directory.")).hint("Name the project's directory.")
        );
    }
    let mut stage = Stage::new(scene.world);
    if stage.content(&root, Path::new(MANIFEST))?.is_some() {
        return Err(fail(INVALID, format!("There is already an {MANIFEST} in '{given}'."))
            .hint("Edit it, or move it away first; it is never overwritten."));
    }
    let kinds = wanted_kinds(&texts(call.args.get("artifact_types")))?;
    let owners = Owners::load(scene.ctx.view)?;
    let all = call.flag("include_all");
    let artifacts: Vec<Artifact> = detect(scene, &root)?
        .into_iter()
        .filter(|d| kinds.is_empty() || kinds.contains(&d.artifact.kind))
        // What another package put here is not this project's own.
        .filter(|d| all || !owners.deployed(&scene.ctx.session.workspace, &root.join(&d.main)))
        .map(|d| d.artifact)
        .collect();
    if artifacts.is_empty() {
        return Err(fail(INVALID, format!("No artifacts were found in '{given}'."))
            .hint("Artifacts are SKILL.md, agent.yaml, prompts/*.md, instructions/*.md and the places cursor, claude, codex and copilot use."));
    }
    let config = Config::load(scene)?;
    let manifest = Manifest {
        name: package_name(call.text("name"), &root, &config)?,
        version: call.text("version").unwrap_or("0.1.0").to_string(),
        author: config.text("author.name"),
        artifacts,
        ..Manifest::default()
    };
    let described = call.text("description").map(str::to_string);
    let description = described.unwrap_or_else(|| format!("Agent artifacts of {}", manifest.name));
    let document = document(&manifest, &description);
    let (_, errors) = check(&document);
    if !errors.is_empty() {
        return Err(fail(INVALID, format!("The package cannot be described so: {}.", errors.join("; ")))
            .hint("Correct the arguments named and call again."));
    }
    stage.write_text(&root, Path::new(MANIFEST), &yaml::emit(&document))?;
    let reply = json!({
        "manifest_path": root.join(MANIFEST), "package_name": manifest.name, "version": manifest.version,
        "artifacts_included": manifest.counts(), "total_artifacts": manifest.artifacts.len(),
    });
    let record = Record {
        summary: format!("Created {MANIFEST} of {}", manifest.name),
        targets: vec![manifest.name.clone()],
        ..Record::default()
    };
    Ok(Plan::object(reply).with(stage, record))
}

fn wanted_kinds(words: &[String]) -> Result<Vec<ArtifactKind>> {
    words
        .iter()
        .map(|word| {
            ArtifactKind::parse(word).ok_or_else(|| {
                fail(INVALID, format!("'{word}' is not a type of artifact."))
                    .hint(format!("Use any of: {}.", ArtifactKind::WORDS))
            })
        })
        .collect()
}

fn package_name(given: Option<&str>, root: &Path, config: &Config) -> Result<String> {
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

fn document(manifest: &Manifest, description: &str) -> Value {
    let mut out = Map::new();
    out.insert("name".into(), json!(manifest.name));
    out.insert("version".into(), json!(manifest.version));
    out.insert("description".into(), json!(description));
    if let Some(author) = &manifest.author {
        out.insert("author".into(), json!(author));
    }
    out.insert("artifacts".into(), Value::Object(manifest.artifact_lists()));
    out.insert("dependencies".into(), json!({}));
    Value::Object(out)
}
