//! The manifest file in every managed root: what was deployed there, by path, hash and modules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ids;
use super::targets::Root;
use super::tree::Content;
use crate::core::{Sha, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub path: String,
    pub sha256: String,
    #[serde(default)]
    pub module_ids: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct File {
    schema_version: i64,
    generated_at: String,
    tool: String,
    snapshot_id: Option<String>,
    managed_files: Vec<Entry>,
}

/// Entries by path relative to the root.
pub type Entries = BTreeMap<String, Entry>;

/// The entries of a manifest for a target; what cannot be used is told and treated as missing.
pub fn parse(bytes: &[u8], target: &str, shown: &Path, warnings: &mut Vec<String>) -> Option<Entries> {
    let file: File = match serde_json::from_slice(bytes) {
        Ok(file) => file,
        Err(e) => {
            warnings.push(format!("manifest {} is ignored: {e}", shown.display()));
            return None;
        }
    };
    if file.schema_version != 1 || file.tool != target {
        warnings.push(format!(
            "manifest {} is ignored: schema_version {}, tool {}",
            shown.display(),
            file.schema_version,
            file.tool
        ));
        return None;
    }
    let mut out = Entries::new();
    for entry in file.managed_files {
        if !ids::safe_relative(&entry.path) {
            warnings.push(format!("manifest {}: entry '{}' is ignored", shown.display(), entry.path));
            continue;
        }
        out.insert(entry.path.clone(), entry);
    }
    Some(out)
}

/// The bytes of a manifest, as every reader of the format expects them.
pub fn render(target: &str, now: Timestamp, snapshot_id: &str, entries: &Entries) -> Content {
    let file = File {
        schema_version: 1,
        generated_at: nanos(now),
        tool: target.to_string(),
        snapshot_id: Some(snapshot_id.to_string()),
        managed_files: entries.values().cloned().collect(),
    };
    // A struct of strings and numbers always has a JSON form.
    let mut text = serde_json::to_string_pretty(&file).expect("a manifest is plain data");
    text.push('\n');
    Content::new(text.into_bytes())
}

/// RFC 3339 with nine digits, as the format has it.
pub fn nanos(time: Timestamp) -> String {
    let whole = Timestamp::from_seconds(time.seconds()).zulu();
    let fraction = time.micros().rem_euclid(1_000_000);
    format!("{}.{fraction:06}000Z", whole.trim_end_matches('Z'))
}

/// One file of a deployed state.
#[derive(Debug, Clone)]
pub struct Managed {
    pub sha: Sha,
    pub module_ids: Vec<String>,
}

/// Entries with absolute paths.
pub fn absolute(root: &Root, entries: &Entries) -> impl Iterator<Item = (PathBuf, Managed)> {
    entries.values().map(|e| {
        let managed = Managed { sha: Sha(e.sha256.clone()), module_ids: e.module_ids.clone() };
        (root.path.join(&e.path), managed)
    })
}
