//! Which tree a directory belongs to, whose repository that is a tree of, and where its snapshots are kept.
//!
//! A linked work tree is a tree of its own and shares the contents of its snapshots with every other tree of the same
//! repository. Git is not asked: the few files that say so are read.

use std::path::{Path, PathBuf};

use crate::core::{Error, Kind, Result, SessionInfo, Sha};

/// A tree of files that snapshots are taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePlace {
    pub root: PathBuf,
    pub git: Option<Repository>,
    /// The name of the directory that keeps its contents.
    pub store: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The tree's own git directory: its index is there.
    pub dir: PathBuf,
    pub objects: PathBuf,
    pub sha256: bool,
}

impl TreePlace {
    /// The tree that a directory lies in: the top level of its checkout, else the session's workspace around it,
    /// else the directory itself.
    pub fn of(cwd: &Path, session: &SessionInfo) -> Result<TreePlace> {
        let cwd = cwd.canonicalize().ok().filter(|dir| dir.is_dir() && dir.is_absolute());
        let cwd = cwd.ok_or_else(|| nowhere("There is no such directory."))?;
        if let Some(top) = cwd.ancestors().find(|dir| dir.join(".git").exists()) {
            return TreePlace::at(top, session);
        }
        let workspace = Path::new(&session.workspace);
        let around = workspace.is_absolute() && cwd.starts_with(workspace);
        TreePlace::at(if around { workspace } else { &cwd }, session)
    }

    fn at(root: &Path, session: &SessionInfo) -> Result<TreePlace> {
        if root.parent().is_none() || session.home.canonicalize().is_ok_and(|home| home.starts_with(root)) {
            return Err(nowhere("A home directory is no project."));
        }
        let git = Repository::of(root);
        let shared = git.as_ref().map_or(root, |git| git.objects.as_path());
        let store = Sha::of(shared.as_os_str().as_encoded_bytes()).as_str()[..16].to_string();
        Ok(TreePlace { root: root.to_path_buf(), git, store })
    }

    /// As rows and operations name it.
    pub fn name(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }
}

impl Repository {
    /// The repository whose tree a directory is the top of.
    pub fn of(root: &Path) -> Option<Repository> {
        let link = root.join(".git");
        let dir = match std::fs::metadata(&link).ok()? {
            meta if meta.is_dir() => link,
            _ => root.join(std::fs::read_to_string(&link).ok()?.strip_prefix("gitdir:")?.trim()),
        };
        let dir = dir.canonicalize().ok()?;
        let common = match std::fs::read_to_string(dir.join("commondir")) {
            Ok(text) => dir.join(text.trim()).canonicalize().ok()?,
            Err(_) => dir.clone(),
        };
        let config = std::fs::read_to_string(common.join("config")).unwrap_or_default().to_lowercase();
        let sha256 = config.lines().any(|line| line.replace([' ', '\t'], "") == "objectformat=sha256");
        Some(Repository { dir, objects: common.join("objects"), sha256 })
    }
}

fn nowhere(message: &str) -> Error {
    Error::new(Kind::State, "no_tree", message)
        .hint("Snapshots are taken of projects: open one, or make this directory one with `git init`.")
}
