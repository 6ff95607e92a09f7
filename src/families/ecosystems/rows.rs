//! What packd remembers about ecosystems. Rows are kept apart by what is undone apart.
//!
//! Everything is keyed by the workspace root (the directory that holds `ecosystems/`) and the name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manifest::ManifestRepo;
use crate::core::{Key, Result, RowQuery, Table, Timestamp, View};

/// (root, name) → [`Installed`].
pub const ECOSYSTEMS: Table = Table("ecosystems");
/// (root, name, ticket) → [`Ticket`].
pub const TICKETS: Table = Table("eco_tickets");
/// (root, name) → the active ticket's id.
pub const ACTIVE: Table = Table("eco_active");
/// (root, name) → [`SpinDeployment`].
pub const DEPLOYMENTS: Table = Table("eco_deployments");
/// (root, name) → repo → [`Pushed`].
pub const PUSHES: Table = Table("eco_pushes");
/// (root, name) → when it was last brought up to date.
pub const SYNCS: Table = Table("eco_syncs");
/// (root, name, time) → the archive record.
pub const ARCHIVES: Table = Table("eco_archives");
/// (root, target, tag) → the release record.
pub const RELEASES: Table = Table("eco_releases");
/// Session → [`SessionScope`](super::scope::SessionScope).
pub const SCOPES: Table = Table("scopes");

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    pub at: Timestamp,
    pub run: String,
    pub dir: PathBuf,
    /// The platform's branch that the directory is a worktree of; `None` where the root is no git repository.
    pub branch: Option<String>,
    pub repos: Vec<ManifestRepo>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketRepo {
    pub branch: String,
    pub base: String,
    pub worktree: PathBuf,
    /// The clone that the worktree belongs to.
    pub clone: PathBuf,
    /// The branch was there before the ticket, and stays after it.
    #[serde(default)]
    pub taken_up: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ticket {
    pub id: String,
    pub created: Timestamp,
    pub repos: BTreeMap<String, TicketRepo>,
    #[serde(default)]
    pub plan_items: Vec<Value>,
    pub phase: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpinDeployment {
    pub provisioner: String,
    pub script_sha: String,
    pub deployed: bool,
    pub at: Timestamp,
    pub run: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pushed {
    pub branch: String,
    pub commit: String,
    pub at: Timestamp,
}

/// Which ecosystem: where it lives, and its name there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EcosystemId {
    pub root: PathBuf,
    pub name: String,
}

impl EcosystemId {
    pub fn key(&self) -> Key {
        Key::of(&self.root.to_string_lossy()).text(&self.name)
    }

    pub fn lane(&self) -> String {
        format!("{}\n{}", self.root.display(), self.name)
    }

    /// `ecosystems/<name>` below the root.
    pub fn dir(&self) -> PathBuf {
        self.root.join("ecosystems").join(&self.name)
    }

    /// Where ticket worktrees live: beside the workspace, so that removing one cannot take the other along.
    pub fn tickets_dir(&self) -> PathBuf {
        self.root.join("worktrees").join(format!("{}.tickets", self.name))
    }

    pub fn target(&self) -> String {
        format!("ecosystem:{}", self.name)
    }
}

pub fn installed(view: &dyn View, id: &EcosystemId) -> Result<Option<Installed>> {
    Ok(view.get(ECOSYSTEMS, &id.key())?.map(|(row, _)| row))
}

pub fn active_ticket(view: &dyn View, id: &EcosystemId) -> Result<Option<String>> {
    Ok(view.get(ACTIVE, &id.key())?.map(|(row, _)| row))
}

pub fn tickets(view: &dyn View, id: &EcosystemId) -> Result<Vec<Ticket>> {
    let rows = view.rows(&RowQuery::new(TICKETS, id.key()))?;
    rows.iter().map(|(key, row)| row.decode(TICKETS, key)).collect()
}

pub fn ticket(view: &dyn View, of: &EcosystemId, ticket: &str) -> Result<Option<Ticket>> {
    Ok(view.get(TICKETS, &of.key().text(ticket))?.map(|(row, _)| row))
}

pub fn pushes(view: &dyn View, id: &EcosystemId) -> Result<BTreeMap<String, Pushed>> {
    Ok(view.get(PUSHES, &id.key())?.map(|(row, _)| row).unwrap_or_default())
}

/// A path as people want to see it: below the root where it is.
pub fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
