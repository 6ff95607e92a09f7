//! Releases seen: the current version by semver, what has happened since, and whether one may be made.
//!
//! A release is about one repository: a named clone, else the ecosystem's workspace, else the platform itself.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::git::{self, Commit, Git, Whose};
use super::reply::{Answer, next};
use super::scope;
use super::semver::{Stage, Version};
use super::state::{Place, RELEASES};
use super::survey::{Survey, Target};
use crate::core::inside::{self, Spot};
use crate::core::{Ctx, Error, Key, Kind, Outcome, Result, Sha, World};

/// What a release decides by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
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
    pub versions: Vec<Version>,
    /// Since the newest version, newest first.
    pub commits: Vec<Commit>,
    pub commit_count: u64,
    pub changelog: Option<String>,
    pub version_file: Option<String>,
    pub author: String,
    pub origin: bool,
}

impl Facts {
    pub fn current(&self) -> Option<&Version> {
        self.versions.last()
    }
}

const TEXT_LIMIT: u64 = 4 << 20;

pub fn gather(ctx: &Ctx, world: &dyn World, root: &Path, target: Option<&Target>) -> Result<Facts> {
    let mut skip = vec![root.join("worktrees")];
    let branch = target.map(Target::branch).unwrap_or_default();
    let (name, dir, whose) = match (ctx.call.text("repo"), target) {
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
            (repo.to_string(), target.dir.join(&found.path), Whose::All)
        }
        (Some(_), None) => return Err(scope::none_chosen()),
        (None, Some(target)) if target.workspace.exists => {
            skip = target.manifest()?.repos.iter().map(|r| target.dir.join(&r.path)).collect();
            (target.place.name.clone(), target.dir.clone(), Whose::Own(&branch))
        }
        (None, Some(target)) => (target.place.name.clone(), root.to_path_buf(), Whose::All),
        (None, None) => ("platform".to_string(), root.to_path_buf(), Whose::All),
    };
    let checkout = git::look(world, ctx.session, &dir, &skip, whose)?;
    if !checkout.exists {
        return Err(Error::new(
            Kind::State,
            "not_a_repository",
            format!("{} is not a git checkout.", dir.display()),
        )
        .hint("Install the ecosystem first, or name another 'repo'."));
    }
    let git = Git::new(world, ctx.session, &dir);
    let tags = git.text(&["tag", "--list", "v*"])?;
    let mut versions: Vec<Version> = tags.lines().filter_map(Version::parse).collect();
    versions.sort();
    let mut commits = Vec::new();
    let mut commit_count = 0;
    if checkout.head.is_some() {
        let range = versions.last().map_or("HEAD".to_string(), |v| format!("refs/tags/{}..HEAD", v.tag()));
        commits = git::commits(&git.text(&["log", "--format=%H%x09%s", "-n50", &range, "--"])?);
        commit_count = git.text(&["rev-list", "--count", &range, "--"])?.parse().unwrap_or(0);
    }
    let read = |file: &str| {
        let path = inside::locate(world, &dir, file).ok().and_then(Spot::here)?;
        String::from_utf8(world.read(&path, TEXT_LIMIT).ok()?).ok()
    };
    let author = git.maybe(&["config", "user.name"])?.unwrap_or_default();
    Ok(Facts {
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

pub fn facts(survey: &Survey) -> Result<&Facts> {
    survey.release.as_ref().ok_or_else(super::survey::no_root)
}

fn ecosystem(survey: &Survey) -> Option<String> {
    survey.target.as_ref().map(|t| t.place.name.clone())
}

/// Arguments that name the same repository again.
fn again(ctx: &Ctx, survey: &Survey) -> Map<String, Value> {
    let mut args = Map::new();
    if let Some(name) = ecosystem(survey) {
        args.insert("ecosystem".into(), json!(name));
    }
    if let Some(repo) = ctx.call.text("repo") {
        args.insert("repo".into(), json!(repo));
    }
    args
}

pub fn status(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let facts = facts(survey)?;
    let current = facts.current().map(Version::tag);
    let shown_tag = current.clone().unwrap_or_else(|| "no release yet".into());
    let recent: Vec<String> =
        facts.commits.iter().take(10).map(|c| format!("{} {}", git::short(&c.sha), c.subject)).collect();
    let args = again(ctx, survey);
    Answer::new(format!("{}: {shown_tag}, {} commits since.", facts.target, facts.commit_count))
        .ecosystem(ecosystem(survey))
        .line(format!("branch: {}", facts.branch.as_deref().unwrap_or("detached")))
        .line(format!(
            "working tree: {}",
            if facts.dirty.is_empty() { "clean" } else { "has uncommitted changes" }
        ))
        .lines((!facts.filtered.is_empty()).then(|| git::unfiltered(&facts.filtered)))
        .lines(recent)
        .fields(json!({
            "target": facts.target, "current": current, "branch": facts.branch, "head": facts.head,
            "clean": facts.dirty.is_empty(), "commits_since": facts.commit_count,
            "filters_not_run": facts.filtered,
        }))
        .next(next("amof_release_validate", Value::Object(args.clone())))
        .next(next("amof_release_log", Value::Object(args)))
        .outcome(ctx)
}

/// Gates of a release: (is an error, sentence).
pub fn gates(facts: &Facts, version: Option<&Version>, strict: bool) -> Vec<(bool, String)> {
    let stable = version.is_none_or(|v| v.pre.is_none());
    let alpha = matches!(version, Some(Version { pre: Some((Stage::Alpha, _)), .. }));
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
    out.into_iter().map(|(error, text)| (error || strict, text)).collect()
}

pub fn validate(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let facts = facts(survey)?;
    let found = gates(facts, None, ctx.call.flag("strict"));
    let errors = found.iter().filter(|(error, _)| *error).count();
    let lines =
        found.iter().map(|(error, text)| format!("{}: {text}", if *error { "error" } else { "warning" }));
    let json: Vec<Value> = found
        .iter()
        .map(|(error, text)| json!({"severity": if *error { "error" } else { "warning" }, "message": text}))
        .collect();
    let summary = match errors {
        0 => format!("{} is ready for a stable release.", facts.target),
        n => format!(
            "{} is not ready for a stable release: {n} error{}.",
            facts.target,
            super::install::plural(n)
        ),
    };
    let args = again(ctx, survey);
    let mut plan = args.clone();
    plan.insert("bump_type".into(), json!("patch"));
    plan.insert("mode".into(), json!("plan"));
    Answer::new(summary)
        .ecosystem(ecosystem(survey))
        .lines(lines)
        .fields(json!({"target": facts.target, "valid": errors == 0, "problems": json}))
        .next(next("amof_release_status", Value::Object(args)))
        .next(next("amof_release_bump", Value::Object(plan)))
        .outcome(ctx)
}

pub fn log(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let facts = facts(survey)?;
    let limit = ctx.call.number("limit").map_or(10, |n| usize::try_from(n).unwrap_or(10));
    let root = survey.root()?.to_string_lossy().into_owned();
    let mut rows = Vec::new();
    let mut list = Vec::new();
    for version in facts.versions.iter().rev().take(limit) {
        let key = Key::of(&root).text(&facts.target).text(&version.tag());
        let record: Value = ctx.view.get(RELEASES, &key)?.map_or(Value::Null, |(r, _)| r);
        let text = |name: &str| record[name].as_str().unwrap_or("").to_string();
        rows.push(vec![version.tag(), text("timestamp"), text("action"), text("author")]);
        list.push(if record.is_null() { json!({"tag": version.tag()}) } else { record });
    }
    let args = again(ctx, survey);
    Answer::new(format!("{} release{} of {}.", rows.len(), super::install::plural(rows.len()), facts.target))
        .ecosystem(ecosystem(survey))
        .table(&["Tag", "When", "How", "Who"], &rows)
        .fields(json!({"target": facts.target, "releases": list}))
        .next(next("amof_release_status", Value::Object(args.clone())))
        .next(next("amof_release_validate", Value::Object(args)))
        .outcome(ctx)
}

/// Where a run for this release belongs.
pub fn place(survey: &Survey) -> Result<Place> {
    match &survey.target {
        Some(target) => Ok(target.place.clone()),
        None => Ok(Place { root: survey.root()?.clone(), name: "platform".into() }),
    }
}

/// What a release confirmation is bound to.
pub fn digest(facts: &Facts) -> Sha {
    Sha::of(format!("{facts:?}").as_bytes())
}
