//! The manifest file in every managed root: what was deployed there, by path, hash and modules.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids;
use super::target_file::TargetFile;
use super::targets::TargetRoot;
use super::tree::HashedContent;
use crate::core::{Sha, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    pub path: String,
    pub sha256: Sha,
    #[serde(default)]
    pub module_ids: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct File {
    schema_version: i64,
    generated_at: String,
    tool: String,
    snapshot_id: Option<String>,
    managed_files: Vec<ManifestEntry>,
}

/// Entries by path relative to the root.
pub type ManifestEntries = BTreeMap<String, Arc<ManifestEntry>>;

/// A manifest as it was read, before anybody asks whose it is.
struct Parsed {
    schema_version: i64,
    tool: String,
    entries: Arc<ManifestEntries>,
    /// Paths that cannot be meant.
    ignored: Vec<String>,
}

impl Parsed {
    fn of(bytes: &[u8]) -> Result<Parsed, String> {
        let file: File = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        let (good, bad): (Vec<_>, Vec<_>) =
            file.managed_files.into_iter().partition(|entry| ids::safe_relative(&entry.path));
        Ok(Parsed {
            schema_version: file.schema_version,
            tool: file.tool,
            entries: Arc::new(good.into_iter().map(|e| (e.path.clone(), Arc::new(e))).collect()),
            ignored: bad.into_iter().map(|e| e.path).collect(),
        })
    }
}

/// The entries of a manifest for a target; what cannot be used is told and treated as missing.
pub fn parse(
    content: &HashedContent,
    target: &str,
    shown: &Path,
    warnings: &mut Vec<String>,
) -> Option<Arc<ManifestEntries>> {
    let shown = shown.display();
    let parsed = content.made(Parsed::of);
    let parsed = match &*parsed {
        Ok(parsed) => parsed,
        Err(e) => {
            warnings.push(format!("manifest {shown} is ignored: {e}"));
            return None;
        }
    };
    if parsed.schema_version != 1 || parsed.tool != target {
        warnings.push(format!(
            "manifest {shown} is ignored: schema_version {}, tool {}",
            parsed.schema_version, parsed.tool
        ));
        return None;
    }
    warnings.extend(parsed.ignored.iter().map(|path| format!("manifest {shown}: entry '{path}' is ignored")));
    Some(parsed.entries.clone())
}

/// The bytes of a manifest, as every reader of the format expects them.
pub fn render(target: &str, now: Timestamp, snapshot_id: &str, entries: &ManifestEntries) -> HashedContent {
    let file = File {
        schema_version: 1,
        generated_at: nanos(now),
        tool: target.to_string(),
        snapshot_id: Some(snapshot_id.to_string()),
        managed_files: entries.values().map(|e| ManifestEntry::clone(e)).collect(),
    };
    // A struct of strings and numbers always has a JSON form.
    let mut text = serde_json::to_string_pretty(&file).expect("a manifest is plain data");
    text.push('\n');
    HashedContent::new(text.into_bytes())
}

/// RFC 3339 with nine digits, as the format has it.
pub fn nanos(time: Timestamp) -> String {
    let whole = Timestamp::from_seconds(time.seconds()).zulu();
    let fraction = time.micros().rem_euclid(1_000_000);
    format!("{}.{fraction:06}000Z", whole.trim_end_matches('Z'))
}

/// Entries with the spots they mean.
pub fn spots(
    root: &TargetRoot,
    entries: &ManifestEntries,
) -> impl Iterator<Item = (TargetFile, Arc<ManifestEntry>)> {
    entries.values().map(|e| (TargetFile::new(root.target, root.path.join(&e.path)), e.clone()))
}
