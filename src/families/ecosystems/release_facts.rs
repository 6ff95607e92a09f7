//! Releases seen: the current version by semver, what has happened since, and whether one may be made.
//!
//! A release is about one repository: a named clone, else the ecosystem's workspace, else the platform itself.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::args::{CallSubject, NamesSubject, said};
use super::ecosystem::Ecosystem;
use super::errors::{no_root, none_chosen};
use super::git::{self, CheckoutScope, Commit, Git};
use super::reply::severity;
use super::survey::Survey;
use super::version::{ReleaseStage, ReleaseVersion};
use crate::core::inside::{self, Located};
use crate::core::{Error, Kind, Look, Result, Sha};

/// Which repository a release is about.
#[derive(Debug, Default, Deserialize)]
pub struct RepoArgs {
    #[serde(default, deserialize_with = "said")]
    pub ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    pub repo: Option<String>,
}

impl NamesSubject for RepoArgs {
    fn named(&self) -> CallSubject<'_> {
        CallSubject {
            ecosystem: self.ecosystem.as_deref(),
            repo: self.repo.as_deref(),
            ..CallSubject::default()
        }
    }
}

/// What a release decides by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseFacts {
    /// How people call the repository: a repo's name, the ecosystem's, or "platform".
    pub target: String,
    pub dir: PathBuf,
    pub head: Option<String>,
    pub branch: Option<String>,
    pub dirty: Vec<String>,
    /// Changes when the content of a dirty file does.
    pub digest: String,
    /// Paths among them that may look changed only because their filter was not run.
    pub filtered: Vec<String>,
    /// Ascending.
    pub versions: Vec<ReleaseVersion>,
    /// Since the newest version, newest first.
    pub commits: Vec<Commit>,
    pub commit_count: u64,
    pub changelog: Option<String>,
    pub version_file: Option<String>,
    pub author: String,
    pub origin: bool,
}

impl ReleaseFacts {
    pub fn current(&self) -> Option<&ReleaseVersion> {
        self.versions.last()
    }
}

const TEXT_LIMIT: u64 = 4 << 20;

pub fn gather(
    look: &Look,
    root: &Path,
    target: Option<&Ecosystem>,
    repo: Option<&str>,
) -> Result<ReleaseFacts> {
    let world = look.world;
    let mut skip = vec![root.join("worktrees")];
    let branch = target.map(Ecosystem::branch).unwrap_or_default();
    let (name, dir, whose) = match (repo, target) {
        (Some(repo), Some(target)) => {
            let manifest = target.manifest()?;
            let found = manifest.repo(repo).ok_or_else(|| {
                Error::new(
                    Kind::NotFound,
                    "unknown_repo",
                    format!("Ecosystem {} has no repository '{repo}'.", manifest.name),
                )
                .hint("amof_describe_ecosystem lists its repositories.")
            })?;
            (repo.to_string(), target.dir.join(&found.path), CheckoutScope::All)
        }
        (Some(_), None) => return Err(none_chosen()),
        (None, Some(target)) if target.workspace.exists => {
            skip = target.manifest()?.repos.iter().map(|r| target.dir.join(&r.path)).collect();
            (target.id.name.clone(), target.dir.clone(), CheckoutScope::Own(&branch))
        }
        (None, Some(target)) => (target.id.name.clone(), root.to_path_buf(), CheckoutScope::All),
        (None, None) => ("platform".to_string(), root.to_path_buf(), CheckoutScope::All),
    };
    let checkout = git::look(world, look.session, &dir, &skip, whose)?;
    if !checkout.exists {
        return Err(Error::new(
            Kind::State,
            "not_a_repository",
            format!("{} is not a git checkout.", dir.display()),
        )
        .hint("Install the ecosystem first, or name another 'repo'."));
    }
    let git = Git::new(world, look.session, &dir);
    let tags = git.text(&["tag", "--list", "v*"])?;
    let mut versions: Vec<ReleaseVersion> = tags.lines().filter_map(ReleaseVersion::parse).collect();
    versions.sort();
    let mut commits = Vec::new();
    let mut commit_count = 0;
    if checkout.head.is_some() {
        let range = versions.last().map_or("HEAD".to_string(), |v| format!("refs/tags/{}..HEAD", v.tag()));
        commits = git::commits(&git.text(&["log", "--format=%H%x09%s", "-n50", &range, "--"])?);
        commit_count = git.text(&["rev-list", "--count", &range, "--"])?.parse().unwrap_or(0);
    }
    let read = |file: &str| {
        let path = inside::locate(world, &dir, file).ok().and_then(Located::here)?;
        String::from_utf8(world.read(&path, TEXT_LIMIT).ok()?).ok()
    };
    let author = git.maybe(&["config", "user.name"])?.unwrap_or_default();
    Ok(ReleaseFacts {
        target: name,
        head: checkout.head,
        branch: checkout.branch,
        dirty: checkout.dirty,
        digest: checkout.digest,
        filtered: checkout.filtered,
        versions,
        commits,
        commit_count,
        changelog: read("CHANGELOG.md"),
        version_file: read("VERSION"),
        author,
        origin: checkout.origin.is_some(),
        dir,
    })
}

pub fn facts(survey: &Survey) -> Result<&ReleaseFacts> {
    survey.release.as_ref().ok_or_else(no_root)
}

/// Arguments that name the same repository again.
pub fn again(survey: &Survey, repo: Option<&str>) -> Map<String, Value> {
    let mut args = Map::new();
    if let Some(name) = survey.name() {
        args.insert("ecosystem".into(), name.into());
    }
    if let Some(repo) = repo {
        args.insert("repo".into(), repo.into());
    }
    args
}

/// One thing that a release must or should have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReleaseGate {
    severity: &'static str,
    pub message: String,
}

impl ReleaseGate {
    pub fn is_error(&self) -> bool {
        self.severity == severity(true)
    }

    pub fn line(&self) -> String {
        format!("{}: {}", self.severity, self.message)
    }
}

/// Everything that stands in the way of a release, or speaks against it.
pub fn gates(facts: &ReleaseFacts, version: Option<&ReleaseVersion>, strict: bool) -> Vec<ReleaseGate> {
    let stable = version.is_none_or(|v| v.pre.is_none());
    let alpha = matches!(version, Some(ReleaseVersion { pre: Some((ReleaseStage::Alpha, _)), .. }));
    let mut out = Vec::new();
    if facts.head.is_none() {
        out.push((true, "The repository has no commit yet.".to_string()));
    }
    if facts.branch.is_none() {
        out.push((true, "HEAD is detached; check out a branch.".to_string()));
    }
    if !facts.dirty.is_empty() {
        let note = match facts.filtered.as_slice() {
            [] => String::new(),
            some => format!(" {}.", git::unfiltered(some)),
        };
        out.push((!alpha, format!("The working tree has {} uncommitted changes.{note}", facts.dirty.len())));
    }
    let branch = facts.branch.as_deref().unwrap_or_default();
    let usual = matches!(branch, "main" | "master")
        || branch.starts_with("release/")
        || branch.starts_with("workspace/");
    if stable && !usual {
        out.push((
            false,
            format!("A stable release usually comes from main, master or release/*, not from {branch}."),
        ));
    }
    if let (Some(file), Some(current)) = (&facts.version_file, facts.current())
        && file.trim().trim_start_matches('v') != current.to_string()
    {
        out.push((false, format!("VERSION says {}, the newest tag is {}.", file.trim(), current.tag())));
    }
    if facts.changelog.is_none() {
        out.push((stable, "There is no CHANGELOG.md.".to_string()));
    }
    out.into_iter()
        .map(|(error, message)| ReleaseGate { severity: severity(error || strict), message })
        .collect()
}

/// What a release confirmation is bound to.
pub fn digest(facts: &ReleaseFacts) -> Sha {
    Sha::of(format!("{facts:?}").as_bytes())
}
