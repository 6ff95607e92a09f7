//! The lock file `.aam/aam-lock.yaml`: what is installed. Unknown keys are kept when it is rewritten.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::errors::{MANIFEST_INVALID, fail};
use super::plan::PackageScene;
use super::stage::FileStage;
use super::yaml;
use crate::core::{Error, Result, Sha, Timestamp};

pub const FILE: &str = "aam-lock.yaml";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    pub version: String,
    pub source: String,
    pub checksum: Option<String>,
    pub dependencies: BTreeMap<String, String>,
    /// Path inside the package to SHA-256; empty = not recorded.
    pub files: BTreeMap<String, String>,
}

pub struct PackageLock {
    document: Map<String, Value>,
}

impl PackageLock {
    pub fn load(scene: &PackageScene) -> Result<PackageLock> {
        let bytes = scene.read(&scene.aam().join(FILE))?.unwrap_or_default();
        let document = yaml::mapping(&bytes).map_err(|why| damaged(&why))?;
        if document.get("packages").is_some_and(|p| !p.is_object() && !p.is_null()) {
            return Err(damaged("'packages' is not a mapping"));
        }
        Ok(PackageLock { document })
    }

    pub fn names(&self) -> Vec<String> {
        let packages = self.document.get("packages").and_then(Value::as_object);
        packages.map(|p| p.keys().cloned().collect()).unwrap_or_default()
    }

    pub fn get(&self, name: &str) -> Option<Locked> {
        let entry = self.document.get("packages")?.get(name)?;
        let text = |field: &str| entry.get(field).and_then(Value::as_str).map(str::to_string);
        Some(Locked {
            version: text("version")?,
            source: text("source").unwrap_or_default(),
            checksum: text("checksum").filter(|c| !c.is_empty()),
            dependencies: strings(entry.get("dependencies")),
            files: strings(entry.get("file_checksums").and_then(|f| f.get("files"))),
        })
    }

    pub fn set(&mut self, name: &str, locked: &Locked) {
        let entry = json!({
            "version": locked.version,
            "source": locked.source,
            "checksum": locked.checksum.clone().unwrap_or_default(),
            "dependencies": locked.dependencies,
            "file_checksums": {"algorithm": "sha256", "files": locked.files},
            "source_name": null,
            "source_commit": null,
        });
        self.packages().insert(name.to_string(), entry);
    }

    pub fn remove(&mut self, name: &str) {
        self.packages().shift_remove(name);
    }

    fn packages(&mut self) -> &mut Map<String, Value> {
        let slot = self.document.entry("packages").or_insert(Value::Null);
        if !slot.is_object() {
            *slot = Value::Object(Map::new());
        }
        // Just made an object when it was none.
        slot.as_object_mut().expect("packages is an object")
    }

    pub fn save(mut self, stage: &mut FileStage, aam: &Path, now: Timestamp) -> Result<()> {
        let mut document = Map::new();
        document.insert("lockfile_version".into(), json!(1));
        document.insert("resolved_at".into(), json!(now.offset()));
        document.insert("packages".into(), Value::Object(std::mem::take(self.packages())));
        for (key, value) in self.document {
            document.entry(key).or_insert(value);
        }
        stage.write_text(aam, Path::new(FILE), &yaml::emit(&Value::Object(document)))
    }

    /// Names of installed packages that need this one.
    pub fn dependents(&self, name: &str) -> Vec<String> {
        let needs = |n: &String| n != name && self.get(n).is_some_and(|l| l.dependencies.contains_key(name));
        self.names().into_iter().filter(needs).collect()
    }
}

fn strings(value: Option<&Value>) -> BTreeMap<String, String> {
    let map = value.and_then(Value::as_object);
    let text = |(k, v): (&String, &Value)| v.as_str().map(|v| (k.clone(), v.to_string()));
    map.into_iter().flatten().filter_map(text).collect()
}

fn damaged(why: &str) -> Error {
    fail(MANIFEST_INVALID, format!("The lock file .aam/{FILE} cannot be read: {why}."))
        .hint("Restore it from version control, or delete it and install the packages again.")
}

pub fn checksum(bytes: &[u8]) -> String {
    format!("sha256:{}", Sha::of(bytes))
}
