//! What is installed, and everything about one package, installed or not.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::archive;
use super::config::PackagesConfig;
use super::constraint::Set;
use super::errors::{INVALID, MANIFEST_INVALID, PACKAGE_NOT_FOUND, Then, fail};
use super::lock::{Locked, PackageLock};
use super::manifest::{ArtifactLists, FILE as MANIFEST, PackageManifest, check};
use super::names::is_package_name;
use super::placing::package_dir;
use super::plan::PackageScene;
use super::registry::{PackageRegistry, best};
use super::resolve::Pool;
use super::staging::InstalledPackage;
use super::tools::install::stem;
use super::yaml;
use crate::core::Result;
use crate::core::layout::Next;
use pubgrub::VersionSet;

/// The manifest of an installed package, as far as it can be read.
fn installed_manifest(scene: &PackageScene, name: &str) -> Result<Option<PackageManifest>> {
    let path = scene.aam().join(package_dir(name)).join(MANIFEST);
    let Some(bytes) = scene.read(&path)? else { return Ok(None) };
    Ok(yaml::parse_bytes(&bytes).ok().map(|value| check(&value).0))
}

pub fn listed(scene: &PackageScene) -> Result<Vec<InstalledPackage>> {
    let lock = PackageLock::load(scene)?;
    let mut out = Vec::new();
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        let manifest = installed_manifest(scene, &name)?.unwrap_or_default();
        out.push(InstalledPackage {
            name,
            version: locked.version,
            source: locked.source,
            artifact_count: manifest.artifacts.len(),
            artifacts: manifest.counts(),
            checksum: locked.checksum,
            from: None,
        });
    }
    Ok(out)
}

/// Of the version asked for, else of the installed one, else of the newest.
pub fn details(scene: &PackageScene, name: &str, version: Option<&str>) -> Result<Value> {
    if !is_package_name(name) {
        return Err(fail(INVALID, format!("'{name}' does not name a package."))
            .hint("Write name or @scope/name, in lower case."));
    }
    let locked = PackageLock::load(scene)?.get(name);
    let here = locked.as_ref().filter(|l| version.is_none_or(|v| same_version(v, &l.version)));
    if let Some(locked) = here
        && let Some(manifest) = installed_manifest(scene, name)?
    {
        return Ok(described(&manifest, Some(locked), &locked.source));
    }
    let pool = Pool::new(scene, PackageRegistry::all(&PackagesConfig::load(scene)?, scene)?);
    let missing = |what: String| {
        let look = Next::call("aam_search").with("query", stem(name));
        fail(PACKAGE_NOT_FOUND, what).hint("Look for it with aam_search.").then(look)
    };
    let offers = pool.offers(name)?;
    if offers.is_empty() {
        return Err(missing(format!("'{name}' is neither installed nor in any registry.")));
    }
    for offer in offers.iter() {
        let found = match version {
            None => best(&offer.versions),
            Some(wanted) => {
                let tagged = offer.metadata.tag(wanted).map(|v| Set::exactly(&v));
                let set = tagged.or_else(|| Set::parse(wanted).ok()).unwrap_or_else(Set::empty);
                offer.versions.iter().find(|p| set.contains(&p.version))
            }
        };
        let Some(found) = found else { continue };
        let opened = pool.open(offer.registry)?;
        let bytes = opened.archive(scene, name, found.version.as_str())?;
        let inside = bytes.map(|b| archive::one_file(&b, MANIFEST)).transpose()?.flatten();
        let manifest =
            inside.ok_or_else(|| missing(format!("The archive of {name}@{} is missing.", found.version)))?;
        let manifest = yaml::parse_bytes(&manifest).map_err(|why| {
            fail(MANIFEST_INVALID, format!("The manifest of {name}@{} cannot be read: {why}.", found.version))
        })?;
        return Ok(described(&check(&manifest).0, locked.as_ref(), &opened.name));
    }
    let have: Vec<String> =
        offers.iter().flat_map(|o| &o.versions).map(|p| p.version.to_string()).take(20).collect();
    Err(missing(format!("'{name}' has no version {}.", version.unwrap_or("at all")))
        .hint(format!("Available: {}.", have.join(", ")))
        .then(Next::call("aam_info").with("package_name", name)))
}

fn same_version(wanted: &str, have: &str) -> bool {
    use super::version::Version;
    match (Set::parse(wanted), Version::parse(have)) {
        (Ok(set), Ok(have)) => set.contains(&have),
        _ => wanted == have,
    }
}

#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    version: &'a str,
    description: &'a str,
    author: Option<&'a str>,
    license: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    homepage: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    keywords: &'a [String],
    artifacts: ArtifactLists<'a>,
    dependencies: &'a BTreeMap<String, String>,
    platforms: &'a Map<String, Value>,
    installed: bool,
    installed_version: Option<&'a str>,
    source: &'a str,
}

fn described(manifest: &PackageManifest, installed: Option<&Locked>, source: &str) -> Value {
    let shown = Described {
        name: &manifest.name,
        version: &manifest.version,
        description: &manifest.description,
        author: manifest.author.as_deref(),
        license: manifest.license.as_deref(),
        repository: manifest.repository.as_deref(),
        homepage: manifest.homepage.as_deref(),
        keywords: &manifest.keywords,
        artifacts: manifest.artifact_lists(),
        dependencies: &manifest.dependencies,
        platforms: &manifest.platforms,
        installed: installed.is_some(),
        installed_version: installed.map(|l| l.version.as_str()),
        source,
    };
    // Plain data with text keys: nothing in it that JSON cannot hold.
    serde_json::to_value(shown).unwrap_or_default()
}
