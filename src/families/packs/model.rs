//! What a context pack is: sections with anchors into source files and diagrams.
//!
//! The revision is not part of it: the store keeps it with the row, so that an undo can never fool
//! `expected_revision`. Nothing here checks anything; see `rules`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Result, Timestamp, row};

use super::errors;

/// The schema number of the contract's documents.
pub const SCHEMA: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PackStatus {
    Draft,
    Finalized,
}

impl PackStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            PackStatus::Draft => "draft",
            PackStatus::Finalized => "finalized",
        }
    }

    pub fn parse(text: &str) -> Result<PackStatus> {
        [PackStatus::Draft, PackStatus::Finalized]
            .into_iter()
            .find(|s| s.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| errors::invalid(format!("'status' must be 'draft' or 'finalized', not '{text}'")))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPack {
    pub id: String,
    /// Where it was made; the sweeper records its purge there. Not part of any document.
    #[serde(default)]
    pub workspace: String,
    pub name: Option<String>,
    pub title: Option<String>,
    pub brief: Option<String>,
    pub status: PackStatus,
    pub tags: Vec<String>,
    pub sections: Vec<Section>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub key: String,
    pub title: String,
    pub description: Option<String>,
    pub refs: Vec<PackRef>,
    pub diagrams: Vec<Diagram>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackRef {
    pub key: String,
    pub path: String,
    pub lines: LineRange,
    pub title: Option<String>,
    pub why: Option<String>,
    pub group: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRange {
    pub start: u64,
    pub end: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagram {
    pub key: String,
    pub title: String,
    pub mermaid: String,
    pub why: Option<String>,
}

/// A pack as documents show it, in the field order of the file format.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Document {
    pub schema_version: u64,
    pub id: String,
    pub name: Option<String>,
    pub title: Option<String>,
    pub brief: Option<String>,
    pub status: PackStatus,
    pub tags: Vec<String>,
    pub sections: Vec<Section>,
    pub revision: u64,
    pub created_at: String,
    pub updated_at: String,
    pub expires_at: String,
}

impl ContextPack {
    pub fn expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }

    pub fn document(&self, revision: u64) -> Document {
        Document {
            schema_version: SCHEMA,
            id: self.id.clone(),
            name: self.name.clone(),
            title: self.title.clone(),
            brief: self.brief.clone(),
            status: self.status,
            tags: self.tags.clone(),
            sections: self.sections.clone(),
            revision,
            created_at: self.created_at.zulu(),
            updated_at: self.updated_at.zulu(),
            expires_at: self.expires_at.zulu(),
        }
    }

    pub fn to_json(&self, revision: u64) -> Result<Value> {
        let mut value = serde_json::to_value(self.document(revision))
            .map_err(|e| errors::io(format!("pack {} cannot be shown as JSON: {e}", self.id)))?;
        value.sort_all_objects();
        Ok(value)
    }

    pub fn refs(&self) -> impl Iterator<Item = (&Section, &PackRef)> {
        self.sections.iter().flat_map(|s| s.refs.iter().map(move |r| (s, r)))
    }

    /// Equal in everything a document shows; where it was made does not count.
    pub fn same_content(&self, other: &ContextPack) -> bool {
        let ContextPack {
            workspace: _,
            id,
            name,
            title,
            brief,
            status,
            tags,
            sections,
            created_at,
            updated_at,
            expires_at,
        } = self;
        (id, name, title, brief, status, tags, sections)
            == (
                &other.id,
                &other.name,
                &other.title,
                &other.brief,
                &other.status,
                &other.tags,
                &other.sections,
            )
            && (created_at, updated_at, expires_at)
                == (&other.created_at, &other.updated_at, &other.expires_at)
    }

    pub fn decode(bytes: &[u8]) -> std::result::Result<ContextPack, String> {
        row::decode(bytes)
    }
}

impl Document {
    /// The pack and the revision this document carries.
    pub fn into_pack(self, workspace: &str) -> Result<(ContextPack, u64)> {
        let pack = ContextPack {
            id: self.id,
            workspace: workspace.to_string(),
            name: self.name,
            title: self.title,
            brief: self.brief,
            status: self.status,
            tags: self.tags,
            sections: self.sections,
            created_at: Timestamp::parse(&self.created_at)?,
            updated_at: Timestamp::parse(&self.updated_at)?,
            expires_at: Timestamp::parse(&self.expires_at)?,
        };
        Ok((pack, self.revision))
    }
}
