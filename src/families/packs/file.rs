//! The file form of a pack: YAML front matter and nothing else, as the contract's Storage section says.

use crate::core::{Result, yaml};

use super::errors::{io, migration};
use super::model::{ContextPack, Document, SCHEMA};
use super::rules;

const FENCE: &str = "---\n";

/// The file of a pack.
pub fn export(pack: &ContextPack, revision: u64) -> Result<String> {
    let yaml = yaml::write(&pack.document(revision))
        .map_err(|e| io(format!("pack {} cannot be written as YAML: {e}", pack.id)))?;
    Ok(format!("{FENCE}{yaml}{}{FENCE}", if yaml.ends_with('\n') { "" } else { "\n" }))
}

/// The pack in a file and the revision it carries. `from` names the file in errors.
///
/// Fails closed: whatever is not exactly a pack is an error, and another schema version is one of its own.
pub fn import(text: &str, from: &str, workspace: &str) -> Result<(ContextPack, u64)> {
    let bad = |why: &str| io(format!("pack file {from} is malformed: {why}"));
    let header = front_matter(text).map_err(&bad)?;
    // The version is read first: a file of another schema need not look like one of ours in anything else.
    #[derive(serde::Deserialize)]
    struct Version {
        schema_version: u64,
    }
    let version: Version = yaml::read(header).map_err(|e| bad(&e.message))?;
    if version.schema_version != SCHEMA {
        let version = version.schema_version;
        return Err(migration(format!("{from} has schema version {version}, this program reads {SCHEMA}")));
    }
    let document: Document = yaml::read(header).map_err(|e| bad(&e.message))?;
    if !rules::is_id(&document.id) {
        return Err(bad(&format!("'{}' is not a pack id", document.id)));
    }
    document.into_pack(workspace).map_err(|e| bad(&e.message))
}

/// What stands between the first line and the closing line; anything after that is not looked at.
fn front_matter(text: &str) -> std::result::Result<&str, &'static str> {
    let body = text.strip_prefix(FENCE).ok_or("it does not start with a line '---'")?;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if matches!(line, "---" | "---\n" | "---\r\n") {
            let yaml = &body[..at];
            return if yaml.trim().is_empty() { Err("its front matter is empty") } else { Ok(yaml) };
        }
        at += line.len();
    }
    Err("its front matter has no closing line '---'")
}
