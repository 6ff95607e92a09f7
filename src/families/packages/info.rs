//! aam_list and aam_info: what is installed, and everything about one package, installed or not.

use serde_json::{Value, json};

use super::archive;
use super::config::Config;
use super::constraint::Set;
use super::deployed::package_dir;
use super::errors::{INVALID, MANIFEST_INVALID, PACKAGE_NOT_FOUND, fail};
use super::lock::{Lock, Locked};
use super::manifest::{FILE as MANIFEST, Manifest, check};
use super::names::is_package_name;
use super::plan::{Plan, Scene};
use super::registry::{Registry, best};
use super::resolve::Pool;
use super::yaml;
use crate::core::Result;
use pubgrub::VersionSet;

/// The manifest of an installed package, as far as it can be read.
fn installed_manifest(scene: &Scene, name: &str) -> Result<Option<Manifest>> {
    let path = scene.aam().join(package_dir(name)).join(MANIFEST);
    let Some(bytes) = scene.read(&path)? else { return Ok(None) };
    Ok(yaml::parse_bytes(&bytes).ok().map(|value| check(&value).0))
}

pub fn list(scene: &Scene) -> Result<Plan> {
    Ok(Plan::list(listed(scene)?))
}

pub fn listed(scene: &Scene) -> Result<Vec<Value>> {
    let lock = Lock::load(scene)?;
    let mut out = Vec::new();
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        let manifest = installed_manifest(scene, &name)?.unwrap_or_default();
        out.push(json!({
            "name": name, "version": locked.version, "source": locked.source,
            "artifact_count": manifest.artifacts.len(), "artifacts": manifest.counts(),
            "checksum": locked.checksum,
        }));
    }
    Ok(out)
}

pub fn info(scene: &Scene) -> Result<Plan> {
    let name = scene.ctx.call.text("package_name").unwrap_or_default();
    Ok(Plan::object(details(scene, name, scene.ctx.call.text("version"))?))
}

/// Of the version asked for, else of the installed one, else of the newest.
pub fn details(scene: &Scene, name: &str, version: Option<&str>) -> Result<Value> {
    if !is_package_name(name) {
        return Err(fail(INVALID, format!("'{name}' does not name a package."))
            .hint("Write name or @scope/name, in lower case."));
    }
    let locked = Lock::load(scene)?.get(name);
    let here = locked.as_ref().filter(|l| version.is_none_or(|v| same_version(v, &l.version)));
    if let Some(locked) = here
        && let Some(manifest) = installed_manifest(scene, name)?
    {
        return Ok(described(&manifest, Some(locked), &locked.source));
    }
    let pool = Pool::new(scene, Registry::all(&Config::load(scene)?, scene)?);
    let missing = |what: String| fail(PACKAGE_NOT_FOUND, what).hint("Look for it with aam_search.");
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
        .hint(format!("Available: {}.", have.join(", "))))
}

fn same_version(wanted: &str, have: &str) -> bool {
    use super::version::Version;
    match (Set::parse(wanted), Version::parse(have)) {
        (Ok(set), Ok(have)) => set.contains(&have),
        _ => wanted == have,
    }
}

fn described(manifest: &Manifest, installed: Option<&Locked>, source: &str) -> Value {
    json!({
        "name": manifest.name, "version": manifest.version, "description": manifest.description,
        "author": manifest.author, "license": manifest.license, "repository": manifest.repository,
        "homepage": manifest.homepage, "keywords": manifest.keywords, "artifacts": manifest.artifact_lists(),
        "dependencies": manifest.dependencies, "platforms": manifest.platforms,
        "installed": installed.is_some(), "installed_version": installed.map(|l| &l.version), "source": source,
    })
}
