//! Steps that several runs share: a clone comes, and a checkout is looked at before it may go.

use std::path::{Path, PathBuf};

use super::ecosystem::Ecosystem;
use super::git;
use super::manifest::ManifestRepo;
use crate::core::run::{RunStep, StepWork};
use crate::core::trash::Saved;
use crate::core::{Error, Kind, Result, SessionInfo};

/// Local git commands inside a run; generous, because a large checkout takes its time.
pub const LOCAL: u64 = 300;

pub fn clone(session: &SessionInfo, target: &Ecosystem, repo: &ManifestRepo, timeout: u64) -> RunStep {
    let path = target.dir.join(&repo.path);
    let to = path.to_string_lossy();
    let args = ["clone", "--branch", &repo.branch, "--origin", "origin", "--", &repo.url, &to];
    RunStep::new(format!("clone {}", repo.name), git::work(session, &target.id.root, &args), timeout)
        .revert([StepWork::RemoveTree { root: target.dir.clone(), path: path.clone() }])
}

/// What came with a clone is its remote's, tags included.
pub fn note_tags(session: &SessionInfo, target: &Ecosystem, repo: &ManifestRepo) -> RunStep {
    let work = StepWork::NoteTags { dir: target.dir.join(&repo.path), home: session.home.clone() };
    RunStep::new(format!("remember the tags of {}", repo.name), work, LOCAL)
}

/// Checks that a checkout holds nothing that exists only there. `own` is the branch of a linked worktree.
pub fn still_clean(
    session: &SessionInfo,
    name: &str,
    dir: &Path,
    skip: &[PathBuf],
    own: Option<&str>,
) -> RunStep {
    let saved = Saved {
        name: name.to_string(),
        dir: dir.to_path_buf(),
        skip: skip.to_vec(),
        own: own.map(str::to_string),
        home: session.home.clone(),
    };
    let label = format!("{name} has no uncommitted changes and no unpushed commits");
    RunStep::new(label, StepWork::CheckSaved(Box::new(saved)), LOCAL).prints("")
}

/// How the refusal ends.
pub const NOT_INSTALLED: &str = " is not installed.";

pub fn must_be_installed(target: &Ecosystem) -> Result<()> {
    if target.dir_exists {
        return Ok(());
    }
    Err(Error::new(Kind::State, "not_installed", format!("Ecosystem {}{NOT_INSTALLED}", target.id.name))
        .hint("Call amof_install_ecosystem first."))
}
