//! What the family keeps: snapshots of deployed states, which snapshot each root is at, reviewed plans.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manifest::{self, ManifestEntries};
use super::targets::{self, TargetRoot};
use super::tree::HashedContent;
use crate::core::{Ctx, Error, Key, Result, RowQuery, Sha, Table, Timestamp, View};

/// By workspace and snapshot number.
pub const SNAPSHOTS: Table = Table("snapshots");
/// By root and target: the snapshot that root is at. A later deploy to the same root changes the row, which
/// is how undoing an earlier one is found to be in conflict.
pub const DEPLOYS: Table = Table("deploys");
/// By SHA-256 of the token.
pub const TOKENS: Table = Table("deploy_tokens");

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeploymentSnapshot {
    pub id: String,
    pub kind: String,
    pub created_at: Timestamp,
    pub project: PathBuf,
    pub repo: PathBuf,
    pub profile: String,
    pub targets: Vec<String>,
    pub roots: Vec<SnapshotRoot>,
    pub create: u64,
    pub update: u64,
    pub delete: u64,
    #[serde(default)]
    pub rolled_back_to: Option<String>,
    #[serde(default)]
    pub lockfile_sha256: Option<Sha>,
}

/// A root as a snapshot left it. Its files are listed by its manifest, which is kept as a blob.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SnapshotRoot {
    pub target: String,
    pub path: PathBuf,
    pub base: PathBuf,
    pub project: bool,
    pub files: u64,
    pub manifest: Option<Sha>,
    /// The files (relative) that are executable.
    #[serde(default)]
    pub exec: Vec<String>,
}

impl SnapshotRoot {
    pub fn root(&self) -> Option<TargetRoot> {
        let target = targets::find(&self.target)?.name();
        Some(TargetRoot {
            target,
            path: self.path.clone(),
            base: self.base.clone(),
            scan: false,
            project: self.project,
        })
    }

    pub fn entries(&self, view: &dyn View) -> Result<Arc<ManifestEntries>> {
        let Some(sha) = &self.manifest else { return Ok(Arc::default()) };
        let bytes = view
            .blob(sha)?
            .ok_or_else(|| Error::io(format!("The manifest {sha} is missing from the store.")))?;
        let parsed = manifest::parse(&HashedContent::new(bytes), &self.target, &self.path, &mut Vec::new());
        Ok(parsed.unwrap_or_default())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootHead {
    pub snapshot: String,
    pub workspace: String,
    pub repo: PathBuf,
    pub project: Option<PathBuf>,
    pub root: PathBuf,
    pub base: PathBuf,
    pub target: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReviewedPlan {
    pub workspace: String,
    pub plan_hash: String,
    pub binding: Value,
    pub expires_at: Timestamp,
    /// The whole reviewed answer, as a blob.
    pub plan: Sha,
    /// The reviewed bytes; naming them here keeps them.
    pub contents: Vec<Sha>,
}

pub fn snapshot_key(workspace: &str, id: u64) -> Key {
    Key::of(workspace).number(id)
}

pub fn head_key(root: &TargetRoot) -> Key {
    Key::of(&root.path.to_string_lossy()).text(root.target)
}

pub fn token_key(token: &str) -> Key {
    Key::of(Sha::of(token.as_bytes()).as_str())
}

/// Raised when a token is used. A counter, because undoing the deploy must not make the token good again.
pub fn spent_counter(token: &str) -> String {
    format!("deploy_token_spent:{}", Sha::of(token.as_bytes()))
}

pub fn snapshot(ctx: &Ctx, id: &str) -> Result<Option<DeploymentSnapshot>> {
    let Some(number) = id.parse::<u64>().ok().filter(|n| n.to_string() == id) else { return Ok(None) };
    let found =
        ctx.view.get::<DeploymentSnapshot>(SNAPSHOTS, &snapshot_key(&ctx.session.workspace, number))?;
    Ok(found.map(|(snapshot, _)| snapshot))
}

/// The snapshots of this workspace, newest first.
pub fn snapshots(ctx: &Ctx, limit: usize) -> Result<Vec<DeploymentSnapshot>> {
    let query = RowQuery::new(SNAPSHOTS, Key::of(&ctx.session.workspace)).reverse().limit(limit);
    let rows = ctx.view.rows(&query)?;
    rows.iter().map(|(key, row)| row.decode(SNAPSHOTS, key)).collect()
}

pub fn heads(view: &dyn View) -> Result<Vec<RootHead>> {
    let rows = view.rows(&RowQuery::new(DEPLOYS, Key::empty()))?;
    rows.iter().map(|(key, row)| row.decode(DEPLOYS, key)).collect()
}

/// What the last deploy to a root left there.
pub fn deployed(ctx: &Ctx, root: &TargetRoot) -> Result<Arc<ManifestEntries>> {
    let Some((head, _)) = ctx.view.get::<RootHead>(DEPLOYS, &head_key(root))? else {
        return Ok(Arc::default());
    };
    let number = head.snapshot.parse().unwrap_or(0);
    let found = ctx.view.get::<DeploymentSnapshot>(SNAPSHOTS, &snapshot_key(&head.workspace, number))?;
    let Some((snapshot, _)) = found else { return Ok(Arc::default()) };
    match snapshot.roots.iter().find(|r| r.path == root.path && r.target == root.target) {
        Some(part) => part.entries(ctx.view),
        None => Ok(Arc::default()),
    }
}

/// A new snapshot number: the time in nanoseconds, moved on if it is taken.
pub fn next_snapshot_id(ctx: &Ctx) -> Result<u64> {
    let mut id = u64::try_from(ctx.now.micros()).unwrap_or(0).saturating_mul(1000);
    while ctx.view.row(SNAPSHOTS, &snapshot_key(&ctx.session.workspace, id))?.is_some() {
        id += 1;
    }
    Ok(id)
}
