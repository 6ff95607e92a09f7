//! Who put which file where: the record that lets an uninstall remove exactly what an install wrote.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::core::{Key, Result, RowQuery, Sha, Table, View};

/// Keyed by workspace, scope and package name.
pub const OWNED: Table = Table("packages");
/// Everything is installed into a project so far.
const SCOPE: &str = "project";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedFile {
    pub root: PathBuf,
    pub path: PathBuf,
    /// Of the file, or of the section's text.
    pub sha: Sha,
    /// A section of a shared file, by its marker.
    #[serde(default)]
    pub section: Option<String>,
    pub platform: String,
}

impl OwnedFile {
    pub fn full(&self) -> PathBuf {
        self.root.join(&self.path)
    }

    pub fn same_place(&self, other: &OwnedFile) -> bool {
        self.section == other.section && self.full() == other.full()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ownership {
    pub version: String,
    /// The constraint under which somebody asked for it; `None` = it came as a dependency.
    #[serde(default)]
    pub requested: Option<String>,
    pub platforms: Vec<String>,
    pub files: Vec<OwnedFile>,
}

pub fn key(workspace: &str, name: &str) -> Key {
    Key::of(workspace).text(SCOPE).text(name)
}

/// All records of all workspaces.
pub struct Owners {
    all: Vec<(String, String, Ownership)>,
}

impl Owners {
    /// All workspaces count, because codex keeps its skills in one place for all projects.
    pub fn load(view: &dyn View) -> Result<Owners> {
        let mut all = Vec::new();
        for (key, row) in view.rows(&RowQuery::new(OWNED, Key::empty()))? {
            let mut parts = key.parts();
            let (Some(workspace), Some(_), Some(name)) = (parts.text(), parts.text(), parts.text()) else {
                continue;
            };
            all.push((workspace, name, row.decode(OWNED, &key)?));
        }
        Ok(Owners { all })
    }

    /// Everybody else who owns this place: the package and what it recorded.
    pub fn others<'a>(
        &'a self,
        workspace: &'a str,
        name: &'a str,
        file: &'a OwnedFile,
    ) -> impl Iterator<Item = (&'a str, &'a OwnedFile)> {
        self.all.iter().filter(move |(w, n, _)| !(w == workspace && n == name)).filter_map(
            move |(_, n, owned)| owned.files.iter().find(|f| f.same_place(file)).map(|f| (n.as_str(), f)),
        )
    }

    /// Is this whole file one that an install of this workspace wrote?
    pub fn deployed(&self, workspace: &str, full: &Path) -> bool {
        self.all
            .iter()
            .filter(|(w, _, _)| w == workspace)
            .any(|(_, _, o)| o.files.iter().any(|f| f.section.is_none() && f.full() == full))
    }

    pub fn of(&self, workspace: &str, name: &str) -> Option<&Ownership> {
        self.all.iter().find(|(w, n, _)| w == workspace && n == name).map(|(_, _, o)| o)
    }

    /// Later steps of the same operation see what earlier ones planned.
    pub fn set(&mut self, workspace: &str, name: &str, owned: Ownership) {
        self.all.retain(|(w, n, _)| !(w == workspace && n == name));
        self.all.push((workspace.to_string(), name.to_string(), owned));
    }
}
