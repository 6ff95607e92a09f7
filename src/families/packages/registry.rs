//! Registries: a directory with an index, one metadata file per package and archives, wherever it lies.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::archive::MAX_COMPRESSED;
use super::cache::RegistryStamp;
use super::config::{PackagesConfig, RegistryEntry};
use super::errors::{Then, UNREACHABLE, fail};
use super::git;
use super::index::RegistryIndex;
use super::names::directory;
use super::plan::PackageScene;
use super::version::Version;
use super::yaml;
use crate::core::layout::Next;
use crate::core::world::{FileKind, ReadError};
use crate::core::{Error, Result, owner, redact};

pub const INDEX: &str = "index.yaml";
pub const DESCRIPTION: &str = "registry.yaml";
const MAX_METADATA: u64 = 64 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryPlace {
    Local(PathBuf),
    Git(git::GitAddress),
    Http(String),
    /// An address nobody can read: the address and why. It hurts only those who need this registry.
    Unusable(String, String),
}

#[derive(Debug, Clone)]
pub struct PackageRegistry {
    pub name: String,
    pub place: RegistryPlace,
    pub default: bool,
}

impl PackageRegistry {
    pub fn of(entry: &RegistryEntry, scene: &PackageScene) -> PackageRegistry {
        let place = place(&entry.url, entry.kind.as_deref(), scene)
            .unwrap_or_else(|why| RegistryPlace::Unusable(entry.url.clone(), why.message));
        PackageRegistry { name: entry.name.clone(), place, default: entry.default }
    }

    /// All registries of the configuration, in its order.
    pub fn all(config: &PackagesConfig, scene: &PackageScene) -> Result<Vec<PackageRegistry>> {
        Ok(config.registries()?.iter().map(|entry| PackageRegistry::of(entry, scene)).collect())
    }

    pub fn kind(&self) -> &'static str {
        match self.place {
            RegistryPlace::Local(_) => "local",
            RegistryPlace::Git(_) => "git",
            RegistryPlace::Http(_) => "http",
            RegistryPlace::Unusable(..) => "unknown",
        }
    }

    /// The address as people write it, without credentials.
    pub fn url(&self) -> String {
        match &self.place {
            RegistryPlace::Local(path) => path.display().to_string(),
            RegistryPlace::Git(remote) => redact::text(&remote.to_string()).0,
            RegistryPlace::Http(url) | RegistryPlace::Unusable(url, _) => redact::text(url).0,
        }
    }

    /// Makes sure that the registry answers.
    pub fn open(&self, scene: &PackageScene) -> Result<OpenedRegistry> {
        let reach = match &self.place {
            RegistryPlace::Local(path) => match scene.world.stat(path) {
                Ok(Some(stat)) if stat.kind != FileKind::File => {
                    owner::check(scene.world, path)?;
                    Reach::Dir(path.clone())
                }
                Ok(_) => return Err(unreachable(&self.name, "its directory does not exist")),
                Err(e) => return Err(unreachable(&self.name, &e.message)),
            },
            RegistryPlace::Git(remote) => {
                Reach::Dir(git::checkout(scene, remote).map_err(|e| self.not_had(e))?)
            }
            RegistryPlace::Http(url) => Reach::Web(url.clone()),
            RegistryPlace::Unusable(_, why) => return Err(unreachable(&self.name, why)),
        };
        Ok(OpenedRegistry { name: self.name.clone(), reach })
    }

    /// Why a registry in git cannot be had, with the way out where there is one of its own.
    fn not_had(&self, error: Error) -> Error {
        if error.code == owner::FOREIGN {
            return error;
        }
        let out = unreachable(&self.name, &error.message);
        match error.hint {
            Some(hint) => out.hint(hint),
            None => out,
        }
    }

    /// Does it answer? For the web that means that its index can be fetched.
    pub fn accessible(&self, scene: &PackageScene) -> Result<()> {
        self.open(scene)?.index(scene).map(|_| ())
    }
}

pub fn unreachable(name: &str, why: &str) -> Error {
    let why = why.trim_end_matches('.');
    fail(UNREACHABLE, format!("The registry '{name}' cannot be reached: {why}."))
        .hint("Check its address with aam_registry_list.")
        .details(serde_json::json!({"registry": name}))
        .then(Next::call("aam_registry_list"))
}

/// What a directory holds that is a registry.
pub fn description(name: &str, scene: &PackageScene) -> String {
    yaml::emit(&serde_json::json!({
        "name": name, "type": "local", "description": "", "api_version": 1,
        "created_at": scene.ctx.now.offset(),
    }))
}

/// Where an address points to; `kind` is what the configuration says, if anything.
pub fn place(url: &str, kind: Option<&str>, scene: &PackageScene) -> Result<RegistryPlace> {
    let url = url.trim();
    if url.is_empty() || url.starts_with('-') || url.chars().any(char::is_control) {
        return Err(Error::io(format!("'{url}' is not an address")));
    }
    if let Some(remote) = git::GitAddress::parse(url, kind == Some("git")) {
        return Ok(RegistryPlace::Git(remote));
    }
    if let Some(path) = url.strip_prefix("file://") {
        return Ok(RegistryPlace::Local(PathBuf::from(percent_decoded(path))));
    }
    let loopback = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    if url.starts_with("https://") || loopback.iter().any(|l| url.starts_with(l)) {
        return Ok(RegistryPlace::Http(url.trim_end_matches('/').to_string()));
    }
    if url.contains("://") {
        return Err(Error::io("only directories, file://, git and https:// addresses are supported"));
    }
    Ok(RegistryPlace::Local(scene.resolve(url)))
}

fn percent_decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| *first == b'%').and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &tail[2..];
            }
            None => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The address of a local registry as every reader of the configuration understands it.
pub fn file_url(path: &std::path::Path) -> String {
    format!("file://{}", path.display().to_string().replace('%', "%25").replace(' ', "%20"))
}

#[derive(Debug, Clone)]
enum Reach {
    Dir(PathBuf),
    Web(String),
}

#[derive(Debug, Clone)]
pub struct OpenedRegistry {
    pub name: String,
    reach: Reach,
}

impl OpenedRegistry {
    /// The directory of a registry that has one.
    pub fn dir(&self) -> Option<&PathBuf> {
        match &self.reach {
            Reach::Dir(dir) => Some(dir),
            Reach::Web(_) => None,
        }
    }

    pub fn read(&self, scene: &PackageScene, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        match &self.reach {
            Reach::Dir(dir) => {
                owner::check(scene.world, &dir.join(path))?;
                match scene.world.read(&dir.join(path), limit) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(ReadError::Missing) => Ok(None),
                    Err(why) => Err(unreachable(&self.name, &format!("{path}: {why}"))),
                }
            }
            Reach::Web(url) => match scene.world.fetch(&format!("{url}/{path}"), limit) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(e) if e.code == "not_found" => Ok(None),
                Err(e) => Err(unreachable(&self.name, &e.message)),
            },
        }
    }

    pub fn index(&self, scene: &PackageScene) -> Result<Arc<RegistryIndex>> {
        let (key, stamp) = match &self.reach {
            Reach::Dir(dir) => {
                let path = dir.join(INDEX);
                (path.display().to_string(), RegistryStamp::File(scene.world.stat(&path)?))
            }
            Reach::Web(url) => (url.clone(), RegistryStamp::Asked(scene.ctx.now)),
        };
        scene.caches.index(&key, stamp, || {
            let bytes = self.read(scene, INDEX, MAX_METADATA)?;
            if bytes.is_none() && matches!(self.reach, Reach::Web(_)) {
                return Err(unreachable(&self.name, "there is no index.yaml at its address"));
            }
            RegistryIndex::parse(&bytes.unwrap_or_default())
                .map_err(|why| unreachable(&self.name, &format!("its index.yaml cannot be read: {why}")))
        })
    }

    pub fn metadata(&self, scene: &PackageScene, name: &str) -> Result<Option<Metadata>> {
        let path = metadata_path(name);
        let Some(bytes) = self.read(scene, &path, MAX_METADATA)? else { return Ok(None) };
        let map = yaml::mapping(&bytes)
            .map_err(|why| unreachable(&self.name, &format!("{path} cannot be read: {why}")))?;
        // `@a/b` and `a--b` share a directory; only the one it was made for is in it.
        let mine = map.get("name").and_then(Value::as_str).is_none_or(|n| n == name);
        Ok(mine.then_some(Metadata { map }))
    }

    pub fn archive(&self, scene: &PackageScene, name: &str, version: &str) -> Result<Option<Vec<u8>>> {
        self.read(scene, &archive_path(name, version), MAX_COMPRESSED + 1)
    }
}

pub fn metadata_path(name: &str) -> String {
    format!("packages/{}/metadata.yaml", directory(name))
}

/// Versions come from metadata that others wrote, so a version with a slash must not become a path.
pub fn archive_path(name: &str, version: &str) -> String {
    format!("packages/{}/versions/{}.aam", directory(name), version.replace(['/', '\\'], "_"))
}

/// One package of a registry. The document is kept whole so that a publish changes only what it must.
#[derive(Debug, Clone, Default)]
pub struct Metadata {
    pub map: Map<String, Value>,
}

#[derive(Debug, Clone)]
pub struct PublishedVersion {
    pub version: Version,
    pub checksum: Option<String>,
    pub dependencies: Map<String, Value>,
}

impl Metadata {
    pub fn text(&self, field: &str) -> Option<String> {
        self.map.get(field).and_then(Value::as_str).map(str::to_string)
    }

    /// Versions that can be read, highest first.
    pub fn versions(&self) -> Vec<PublishedVersion> {
        let mut out = Vec::new();
        for item in self.map.get("versions").and_then(Value::as_array).into_iter().flatten() {
            let Some(Ok(version)) = item.get("version").and_then(Value::as_str).map(Version::parse) else {
                continue;
            };
            out.push(PublishedVersion {
                version,
                checksum: item.get("checksum").and_then(Value::as_str).map(str::to_string),
                dependencies: item
                    .get("dependencies")
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default(),
            });
        }
        out.sort_by(|a, b| b.version.cmp(&a.version));
        out
    }

    pub fn tag(&self, tag: &str) -> Option<Version> {
        let text = self.map.get("dist_tags")?.get(tag)?.as_str()?;
        Version::parse(text).ok()
    }
}

/// The version people get who do not ask for one: the highest final release, else the highest of all.
pub fn best(versions: &[PublishedVersion]) -> Option<&PublishedVersion> {
    versions.iter().find(|p| !p.version.is_pre_release()).or(versions.first())
}
