//! `aam_publish`: packs the project's package and adds it to a local registry.
//!
//! The index is edited in one place, never rebuilt from all packages; `latest` never goes backwards.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::archive;
use super::super::config::PackagesConfig;
use super::super::errors::{INVALID, NO_REGISTRY, REGISTRY_NOT_FOUND, Then, fail};
use super::super::lock::checksum;
use super::super::manifest::PackageManifest;
use super::super::names::is_tag;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::registry::{
    DESCRIPTION, INDEX, Metadata, PackageRegistry, RegistryPlace, archive_path, description, metadata_path,
};
use super::super::source;
use super::super::stage::FileStage;
use super::super::version::Version;
use super::super::yaml;
use crate::core::arguments::trimmed;
use crate::core::layout::Next;
use crate::core::{Error, Record, Result, Writes};

pub struct Publish;

#[derive(Debug, Deserialize)]
pub struct PublishArgs {
    #[serde(default, deserialize_with = "trimmed")]
    registry: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    tag: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
}

#[derive(Serialize)]
struct PublishReply<'a> {
    package_name: &'a str,
    version: &'a str,
    registry: &'a str,
    archive_size: usize,
    checksum: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Planner for Publish {
    type Args = PublishArgs;
    const NAME: &'static str = "aam_publish";
    const WRITES: Writes = Writes::Files;

    fn plan(scene: &PackageScene, args: &PublishArgs) -> Result<PackagePlan> {
        publish(scene, args)
    }
}

fn publish(scene: &PackageScene, args: &PublishArgs) -> Result<PackagePlan> {
    let tag = args.tag.as_deref().unwrap_or("latest");
    if !is_tag(tag) {
        return Err(fail(INVALID, format!("'{tag}' cannot be a tag."))
            .hint("Use up to 32 lower-case letters, digits and hyphens that do not read as a version.")
            .then(Next::call(Publish::NAME)));
    }
    let given = args.path.as_deref().unwrap_or(".");
    let package = source::valid(scene, &scene.directory(given)?, given)?;
    let registry = chosen(scene, args.registry.as_deref())?;
    let RegistryPlace::Local(root) = &registry.place else {
        return Err(fail(INVALID, format!("The registry '{}' is read-only.", registry.name))
            .hint("Publish to a local registry; git and https registries are only read."));
    };
    let opened = registry.open(scene)?;
    scene.lock(root)?;
    let manifest = &package.manifest;
    let mut metadata = opened.metadata(scene, &manifest.name)?.unwrap_or_default();
    let bytes = archive::pack(&package.files)?;
    let (size, sum) = (bytes.len(), checksum(&bytes));
    let mut stage = FileStage::new(scene.world);
    let path = PathBuf::from(archive_path(&manifest.name, &manifest.version));
    refuse_duplicate(&metadata, manifest, stage.content(root, &path)?.is_some())?;
    let warning = enter(&mut metadata, manifest, tag, size, &sum, &scene.ctx.now.offset());
    stage.write(root, &path, bytes, 0o644)?;
    let document = yaml::emit(&Value::Object(metadata.map.clone()));
    stage.write_text(root, Path::new(&metadata_path(&manifest.name)), &document)?;
    describe(scene, &mut stage, root, &registry.name)?;
    let old = stage.text(root, Path::new(INDEX))?.unwrap_or_default();
    let entry = index_entry(&metadata, manifest, &scene.ctx.now.offset());
    let index = with_entry(&old, &manifest.name, &entry)
        .map_err(|why| Error::io(format!("The index of '{}' cannot be read: {why}.", registry.name)))?;
    stage.write_text(root, Path::new(INDEX), &index)?;
    let reply = PublishReply {
        package_name: &manifest.name,
        version: &manifest.version,
        registry: &registry.name,
        archive_size: size,
        checksum: &sum,
        warnings: package.warnings.iter().cloned().chain(warning).collect(),
    };
    let record = Record {
        summary: format!("Published {}@{} to {}", manifest.name, manifest.version, registry.name),
        targets: vec![manifest.name.clone()],
        ..Record::default()
    };
    let next = Next::call(super::info::PackagesInfo::NAME)
        .with("package_name", manifest.name.as_str())
        .with("version", manifest.version.as_str());
    Ok(PackagePlan::object(reply).with(stage, record).then(next))
}

fn chosen(scene: &PackageScene, named: Option<&str>) -> Result<PackageRegistry> {
    let all = PackageRegistry::all(&PackagesConfig::load(scene)?, scene)?;
    let known: Vec<String> = all.iter().map(|r| r.name.clone()).collect();
    match named {
        Some(name) => all.into_iter().find(|r| r.name == name).ok_or_else(|| {
            fail(REGISTRY_NOT_FOUND, format!("There is no registry '{name}'."))
                .hint(match known.is_empty() {
                    true => {
                        "There are none yet. Add one with aam_registry_add {\"name\":\"…\",\"url\":\"…\"}."
                            .to_string()
                    }
                    false => format!("Configured registries: {}.", known.join(", ")),
                })
                .then(Next::call(super::registry_list::RegistryList::NAME))
        }),
        None => {
            let at = all.iter().position(|r| r.default).unwrap_or(0);
            all.into_iter().nth(at).ok_or_else(|| {
                fail(NO_REGISTRY, "No registry is configured, so there is nowhere to publish to.")
                    .hint("Add one with aam_registry_add {\"name\":\"…\",\"url\":\"…\"}.")
                    .then(
                        Next::call(super::registry_add::RegistryAdd::NAME)
                            .with("name", "local")
                            .with("url", "~/.aam/registry")
                            .with("create", true),
                    )
            })
        }
    }
}

fn refuse_duplicate(metadata: &Metadata, manifest: &PackageManifest, archive_there: bool) -> Result<()> {
    // The manifest was validated, so its version can be read.
    let same =
        |v: &Version| Version::parse(&manifest.version).is_ok_and(|mine| mine.low() < *v && *v < mine.high());
    // An archive without an entry is what a crash of another program leaves; publishing again repairs it.
    if metadata.versions().iter().any(|p| same(&p.version)) {
        let what =
            if archive_there { "is already published" } else { "is listed, though its archive is missing" };
        return Err(fail(INVALID, format!("{}@{} {what}.", manifest.name, manifest.version))
            .hint("A published version never changes. Raise the version in aam.yaml."));
    }
    Ok(())
}

/// Enters a version into the package's metadata; a warning if its tag did not move.
fn enter(
    metadata: &mut Metadata,
    manifest: &PackageManifest,
    tag: &str,
    size: usize,
    sum: &str,
    now: &str,
) -> Option<String> {
    let version = Version::parse(&manifest.version).ok()?;
    let latest = metadata.tag("latest");
    let forward = latest
        .as_ref()
        .is_none_or(|old| version > *old && (!version.is_pre_release() || old.is_pre_release()));
    let map = &mut metadata.map;
    for (field, value) in [
        ("name", json!(manifest.name)),
        ("description", json!(manifest.description)),
        ("author", json!(manifest.author)),
        ("license", json!(manifest.license)),
        ("repository", json!(manifest.repository)),
        ("keywords", json!(manifest.keywords)),
    ] {
        map.insert(field.to_string(), value);
    }
    let tags = map.entry("dist_tags").or_insert_with(|| json!({}));
    if !tags.is_object() {
        *tags = json!({});
    }
    if tag != "latest" {
        tags[tag] = json!(manifest.version);
    }
    if (tag == "latest" && forward) || latest.is_none() {
        tags["latest"] = json!(manifest.version);
    }
    let entry = json!({
        "version": manifest.version, "published": now, "checksum": sum, "size": size,
        "dependencies": manifest.dependencies,
    });
    match map.entry("versions").or_insert_with(|| json!([])) {
        Value::Array(versions) => versions.push(entry),
        other => *other = json!([entry]),
    }
    let kept = latest.filter(|_| tag == "latest" && !forward)?;
    Some(format!("The tag 'latest' stays at {kept}, because {version} does not come after it."))
}

/// A directory that nobody set up as a registry becomes one.
fn describe(scene: &PackageScene, stage: &mut FileStage, root: &Path, name: &str) -> Result<()> {
    if stage.content(root, Path::new(DESCRIPTION))?.is_some() {
        return Ok(());
    }
    stage.write_text(root, Path::new(DESCRIPTION), &description(name, scene))
}

fn index_entry(metadata: &Metadata, manifest: &PackageManifest, now: &str) -> Value {
    json!({
        "name": manifest.name, "description": manifest.description,
        "latest": metadata.tag("latest").map(|v| v.to_string()), "keywords": manifest.keywords,
        "artifact_types": manifest.kinds(), "author": manifest.author, "updated_at": now,
    })
}

/// The index with one entry exchanged or added: by lines where the file has the usual form, else as a whole.
fn with_entry(text: &str, name: &str, entry: &Value) -> std::result::Result<String, String> {
    let block = yaml::emit(&Value::Array(vec![entry.clone()]));
    if let Some(edited) = edit_lines(text, name, &block) {
        return Ok(edited);
    }
    let mut document: Map<String, Value> = yaml::mapping(text.as_bytes())?;
    let list = document.entry("packages").or_insert_with(|| json!([]));
    if !list.is_array() {
        *list = json!([]);
    }
    if let Value::Array(list) = list {
        match list.iter_mut().find(|p| p["name"] == name) {
            Some(old) => *old = entry.clone(),
            None => list.push(entry.clone()),
        }
    }
    Ok(yaml::emit(&Value::Object(document)))
}

/// Works where the file ends in a block list `packages:` whose items each begin with their name.
fn edit_lines(text: &str, name: &str, block: &str) -> Option<String> {
    let at = if text.starts_with("packages:\n") { 0 } else { text.find("\npackages:\n")? + 1 };
    let start = at + "packages:\n".len();
    let forms = [name.to_string(), format!("'{name}'"), format!("\"{name}\"")];
    let (mut found, mut end) = (None, None);
    let mut offset = start;
    for line in text[start..].split_inclusive('\n') {
        let bare = line.trim_end();
        match bare.strip_prefix("- ") {
            Some(first) => {
                let written = first.strip_prefix("name: ")?;
                if found.is_some() && end.is_none() {
                    end = Some(offset);
                }
                if forms.iter().any(|f| f == written) {
                    found.is_none().then_some(())?;
                    found = Some(offset);
                }
            }
            // A continuation of the item, or the end of the form this edit understands.
            None if bare.starts_with("  ") && offset > start => {}
            None => return None,
        }
        offset += line.len();
    }
    if !text.ends_with('\n') || offset == start {
        return None;
    }
    let (from, to) = match found {
        Some(from) => (from, end.unwrap_or(text.len())),
        None => (text.len(), text.len()),
    };
    Some(format!("{}{block}{}", &text[..from], &text[to..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_edited_in_place_and_any_layout_is_understood() {
        let entry = json!({"name": "b", "latest": "2.0.0"});
        let usual = "packages:\n- name: a\n  keywords:\n  - x\n- name: b\n  latest: 1.0.0\n- name: c\n";
        let edited = with_entry(usual, "b", &entry).unwrap();
        assert_eq!(
            edited,
            "packages:\n- name: a\n  keywords:\n  - x\n- name: b\n  latest: \"2.0.0\"\n- name: c\n"
        );
        let added = with_entry("packages:\n- name: a\n", "b", &entry).unwrap();
        assert_eq!(added, "packages:\n- name: a\n- name: b\n  latest: \"2.0.0\"\n");
        for other in [
            "",
            "packages: []\n",
            "packages:\n  - latest: 1.0.0\n    name: b\n",
            "packages: [{name: b}]\nx: 1\n",
        ] {
            let read = yaml::parse(&with_entry(other, "b", &entry).unwrap()).unwrap();
            assert_eq!(read["packages"], json!([entry]), "{other}");
        }
        let last = with_entry("packages:\n- name: 'b'\n  latest: 1.0.0\n", "b", &entry).unwrap();
        assert_eq!(yaml::parse(&last).unwrap()["packages"], json!([entry]));
    }
}
