//! One entry of the trash: a directory named by its operation, with a page that says what is in it and why.
//!
//! The page is written before anything moves, so that whatever a crash interrupts can be finished or taken back.

use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Told;
use crate::core::Timestamp;

const PAGE: &str = "entry.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrashState {
    /// On its way in; not everything may have been moved.
    Moving,
    /// Everything is here, its operation may not have been recorded yet.
    Moved,
    Kept,
    /// On its way back.
    Returning,
}

/// A directory that was moved: `to` is below the entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MovedDir {
    pub from: PathBuf,
    pub to: PathBuf,
}

/// A linked worktree among what was moved. Its repository forgot it; `kept` is a copy of what it knew.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Linked {
    pub dir: PathBuf,
    pub admin: PathBuf,
    pub common: PathBuf,
    pub kept: PathBuf,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeletedBranch {
    pub repo: PathBuf,
    pub name: String,
    pub tip: String,
}

/// The commits of one checkout, and its index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Keepsake {
    pub name: String,
    pub dir: PathBuf,
    pub bundle: Option<PathBuf>,
    pub index: Option<PathBuf>,
    /// Why there is no bundle.
    #[serde(default)]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrashEntry {
    pub operation: String,
    #[serde(rename = "ecosystem")]
    pub subject: String,
    pub state: TrashState,
    pub at: Timestamp,
    pub until: Timestamp,
    pub bytes: u64,
    /// The user's home directory, for git.
    pub home: PathBuf,
    pub moved: Vec<MovedDir>,
    pub linked: Vec<Linked>,
    pub branches: Vec<DeletedBranch>,
    pub keepsakes: Vec<Keepsake>,
}

impl TrashEntry {
    /// `None` = there is no entry; a directory without a page never got to the point of moving anything.
    pub fn load(dir: &Path) -> Told<Option<TrashEntry>> {
        let page = dir.join(PAGE);
        let bytes = match std::fs::read(&page) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(format!("cannot read {}: {e}", page.display())),
        };
        serde_json::from_slice(&bytes).map(Some).map_err(|e| format!("{} is damaged: {e}", page.display()))
    }

    /// Durable before it returns.
    pub fn save(&self, dir: &Path) -> Told<()> {
        let cannot = |e: std::io::Error| format!("cannot write to {}: {e}", dir.display());
        let text = serde_json::to_vec_pretty(self).map_err(|e| format!("cannot describe the entry: {e}"))?;
        let mut file = tempfile::NamedTempFile::new_in(dir).map_err(cannot)?;
        file.write_all(&text).map_err(cannot)?;
        file.as_file().sync_all().map_err(cannot)?;
        file.persist(dir.join(PAGE)).map_err(|e| cannot(e.error))?;
        File::open(dir).and_then(|d| d.sync_all()).map_err(cannot)
    }

    pub fn mark(&mut self, dir: &Path, state: TrashState) -> Told<()> {
        self.state = state;
        self.save(dir)
    }
}

/// A directory that only its owner can enter.
pub fn make_dir(dir: &Path) -> Told<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|e| format!("cannot create {}: {e}", dir.display()))
}
