//! `agentpack.lock.json`: which commit a git module is pinned to and what its files must hash to.

use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::errors::coded;
use super::tree::{ModuleTree, tree_hash};
use crate::core::Result;

#[derive(Debug, Deserialize)]
pub struct ModuleLock {
    version: i64,
    #[serde(default)]
    modules: Vec<LockedModule>,
}

#[derive(Debug, Deserialize)]
pub struct LockedModule {
    pub id: String,
    resolved_source: Resolved,
    sha256: String,
    #[serde(default)]
    file_manifest: Vec<LockedFile>,
}

#[derive(Debug, Deserialize)]
struct Resolved {
    #[serde(default)]
    git: Option<LockedGit>,
}

#[derive(Debug, Deserialize)]
pub struct LockedGit {
    pub url: String,
    pub commit: String,
    #[serde(default)]
    pub subdir: String,
}

#[derive(Debug, Deserialize)]
struct LockedFile {
    path: String,
    sha256: String,
}

impl ModuleLock {
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<ModuleLock> {
        let lock: ModuleLock = serde_json::from_slice(bytes).map_err(|e| {
            coded("E_LOCKFILE_INVALID", format!("{} cannot be read: {e}.", path.display()))
                .details(json!({"path": path}))
        })?;
        if lock.version != 1 {
            return Err(coded(
                "E_LOCKFILE_UNSUPPORTED_VERSION",
                format!("{} has version {}; this packd reads version 1.", path.display(), lock.version),
            )
            .details(json!({"path": path, "version": lock.version, "supported": [1]})));
        }
        Ok(lock)
    }

    pub fn module(&self, id: &str) -> Option<&LockedModule> {
        self.modules.iter().find(|m| m.id == id)
    }
}

impl LockedModule {
    pub fn git(&self) -> Option<&LockedGit> {
        self.resolved_source.git.as_ref()
    }

    /// A checkout that does not hash to what was locked is refused, naming the files that differ.
    pub fn verify(&self, tree: &ModuleTree) -> Result<()> {
        let actual = tree_hash(tree);
        if actual.as_str() == self.sha256 {
            return Ok(());
        }
        let locked =
            |path: &str| self.file_manifest.iter().find(|f| f.path == path).map(|f| f.sha256.as_str());
        let mut files: Vec<&str> = tree
            .iter()
            .filter(|(path, file)| locked(path) != Some(file.content.sha.as_str()))
            .map(|(path, _)| &**path)
            .collect();
        files.extend(self.file_manifest.iter().map(|f| f.path.as_str()).filter(|p| !tree.contains_key(*p)));
        files.truncate(20);
        Err(coded(
            "E_LOCKFILE_MISMATCH",
            format!("The checkout of module {} is not what the lock file recorded.", self.id),
        )
        .hint("Remove the cached checkout so that it is fetched again, or lock the new content.")
        .details(json!({"module_id": self.id, "expected": self.sha256, "actual": actual, "files": files})))
    }
}
