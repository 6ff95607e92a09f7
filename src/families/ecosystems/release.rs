//! Releases: the next version by semver, a changelog, a record and an annotated tag, or nothing at all.
//!
//! A release is about one repository: a named clone, else the ecosystem's workspace, else the platform itself.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::git::{self, Commit, Git, Whose};
use super::install::LOCAL;
use super::reply::{Answer, next};
use super::scope;
use super::semver::{Stage, Version};
use super::state::{Place, RELEASES, shown};
use super::survey::{Survey, Target};
use super::work::{Finished, Plan};
use crate::core::run::{Reversal, RunDone, Step, Work};
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
    fn current(&self) -> Option<&Version> {
        self.versions.last()
    }
}

const TEXT_LIMIT: u64 = 4 << 20;

pub fn gather(ctx: &Ctx, world: &dyn World, root: &Path, target: Option<&Target>) -> Result<Facts> {
    let mut skip = vec!["worktrees".to_string()];
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
            skip = target.manifest()?.repos.iter().map(|r| r.path.clone()).collect();
            (target.place.name.clone(), target.dir.clone(), Whose::Own)
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
    let git = Git { world, session: ctx.session, dir: &dir };
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
    let read = |file: &str| match world.read(&dir.join(file), TEXT_LIMIT) {
        Ok(bytes) => String::from_utf8(bytes).ok(),
        Err(_) => None,
    };
    let author = git.maybe(&["config", "user.name"])?.unwrap_or_default();
    Ok(Facts {
        target: name,
        head: checkout.head,
        branch: checkout.branch,
        dirty: checkout.dirty,
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

fn facts(survey: &Survey) -> Result<&Facts> {
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
        .lines(recent)
        .fields(json!({
            "target": facts.target, "current": current, "branch": facts.branch, "head": facts.head,
            "clean": facts.dirty.is_empty(), "commits_since": facts.commit_count,
        }))
        .next(next("amof_release_validate", Value::Object(args.clone())))
        .next(next("amof_release_log", Value::Object(args)))
        .outcome(ctx)
}

/// Gates of a release: (is an error, sentence).
fn gates(facts: &Facts, version: Option<&Version>, strict: bool) -> Vec<(bool, String)> {
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
        out.push((!alpha, format!("The working tree has {} uncommitted changes.", facts.dirty.len())));
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

pub fn bump(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let facts = facts(survey)?;
    let part = ctx.call.text("bump_type").unwrap_or("patch");
    let stage = ctx.call.text("pre_release").and_then(Stage::parse);
    let version = match facts.current() {
        Some(current) => current.bump(part, stage).ok_or_else(|| {
            Error::invalid("invalid_arguments", format!("'{part}' is not patch, minor or major."))
        })?,
        None => Version { major: 0, minor: 1, patch: 0, pre: stage.map(|s| (s, 1)) },
    };
    plan(ctx, survey, facts, version, "bump", Some(part))
}

pub fn promote(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let facts = facts(survey)?;
    let Some(current) = facts.current() else {
        return Err(Error::new(
            Kind::State,
            "no_release",
            format!("{} has no release to promote.", facts.target),
        )
        .hint("Use amof_release_bump for the first one."));
    };
    let target = ctx.call.text("target").and_then(Stage::parse);
    let version = current.promote(target).map_err(|why| Error::new(Kind::State, "cannot_promote", why))?;
    plan(ctx, survey, facts, version, "promote", None)
}

fn plan(
    ctx: &Ctx,
    survey: &Survey,
    facts: &Facts,
    version: Version,
    action: &'static str,
    part: Option<&str>,
) -> Result<Plan> {
    let found = gates(facts, Some(&version), ctx.call.flag("strict"));
    let errors: Vec<&str> = found.iter().filter(|(e, _)| *e).map(|(_, t)| t.as_str()).collect();
    if !errors.is_empty() {
        return Err(Error::new(
            Kind::State,
            "release_blocked",
            format!("{} cannot be released: {}", facts.target, errors.join(" ")),
        )
        .hint("amof_release_validate lists every gate.")
        .details(json!({"errors": errors})));
    }
    let head = facts.head.clone().unwrap_or_default();
    let branch = facts.branch.clone().unwrap_or_default();
    let root = survey.root()?;
    let (tag, push) = (version.tag(), ctx.call.flag("push"));
    if push && !facts.origin {
        return Err(Error::new(
            Kind::State,
            "no_remote",
            format!("{} has no remote 'origin' to push to.", facts.target),
        ));
    }
    let record = json!({
        "schema_version": 1,
        "version": version.to_string(),
        "tag": tag,
        "previous_tag": facts.current().map(Version::tag),
        "timestamp": ctx.now.zulu(),
        "action": action,
        "bump_part": part,
        "stage": version.pre.map(|(s, _)| s.as_str()),
        "stage_num": version.pre.map(|(_, n)| n),
        "branch": branch,
        "parent_commit": head,
        "author": facts.author,
        "commits_since_previous": facts.commit_count,
        "commit_subjects": facts.commits.iter().map(|c| c.subject.as_str()).collect::<Vec<_>>(),
        "origin": "packd",
        "push_requested": push,
    });
    let changelog = changelog(facts, &version, &ctx.now.zulu()[..10]);
    let record_text = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
    let mut files = vec![
        ("CHANGELOG.md".to_string(), facts.changelog.clone(), changelog),
        (format!("releases/{tag}.json"), None, record_text),
    ];
    if let Some(before) = &facts.version_file {
        files.push(("VERSION".to_string(), Some(before.clone()), format!("{version}\n")));
    }
    let mut details = vec![
        format!("repository: {} ({})", facts.target, shown(&facts.dir, root)),
        format!(
            "from: {} at {}",
            facts.current().map_or("no release".into(), Version::tag),
            git::short(&head)
        ),
        format!("commits: {}", facts.commit_count),
        format!("files: {}", files.iter().map(|(f, ..)| f.as_str()).collect::<Vec<_>>().join(", ")),
        format!("commit on {branch}: chore(release): {tag}"),
        format!("annotated tag: {tag}"),
        match push {
            true => format!("push: {branch} and {tag} to origin"),
            false => "push: nothing".to_string(),
        },
    ];
    details.extend(found.iter().map(|(_, t)| format!("warning: {t}")));
    let steps = steps(ctx, facts, &head, &branch, &tag, &files, push);
    let mut plan = Plan {
        action: if action == "bump" { "release_bump" } else { "release_promote" },
        would: format!("release {tag} of {}", facts.target),
        details,
        steps,
        data: json!({"record": record, "dir": facts.dir, "head": head, "tag": tag, "branch": branch, "target": facts.target, "pushed": push}),
        irreversible: push
            .then(|| "A pushed tag cannot be taken back from everybody who fetched it.".to_string()),
        release: Some(tag.clone()),
        ..Plan::default()
    };
    plan.fields.insert("release".into(), record);
    plan.fields.insert(
        "commits".into(),
        json!(
            facts.commits.iter().map(|c| json!({"commit": c.sha, "subject": c.subject})).collect::<Vec<_>>()
        ),
    );
    Ok(plan)
}

fn steps(
    ctx: &Ctx,
    facts: &Facts,
    head: &str,
    branch: &str,
    tag: &str,
    files: &[(String, Option<String>, String)],
    push: bool,
) -> Vec<Step> {
    let (session, dir) = (ctx.session, &facts.dir);
    let run = |args: &[&str]| git::work(session, dir, args);
    let message = format!("chore(release): {tag}");
    let paths: Vec<&str> = files.iter().map(|(f, ..)| f.as_str()).collect();
    let reference = format!("refs/tags/{tag}");
    let mut steps = vec![
        Step::new("nothing was committed since the preview", run(&["rev-parse", "HEAD"]), LOCAL).expect(head),
        Step::new(format!("{tag} does not exist yet"), run(&["tag", "--list", tag]), LOCAL).expect(""),
    ];
    for (file, before, after) in files {
        let path = dir.join(file);
        let write =
            Work::WriteFile { path: path.clone(), content: Some(after.clone()), before: before.clone() };
        let back = Work::WriteFile { path, content: before.clone(), before: Some(after.clone()) };
        steps.push(Step::new(format!("write {file}"), write, LOCAL).revert([back]));
    }
    let add = [&["add", "-f", "--"], paths.as_slice()].concat();
    let unstage = [&["reset", "-q", "--"], paths.as_slice()].concat();
    steps.push(Step::new("stage", run(&add), LOCAL).revert([run(&unstage)]));
    let commit = [&["commit", "-q", "-m", &message, "--"], paths.as_slice()].concat();
    // Mixed, so that the files go back through their own steps and nothing else in the tree is touched.
    steps.push(Step::new("commit", run(&commit), LOCAL).revert([run(&["reset", "-q", head])]));
    steps.push(Step::new("name the commit", run(&["rev-parse", "HEAD"]), LOCAL).capture("commit"));
    let annotate = run(&["tag", "-a", "-m", &message, "--", tag, "HEAD"]);
    steps.push(Step::new(format!("tag {tag}"), annotate, LOCAL).revert([run(&["tag", "-d", "--", tag])]));
    steps.push(Step::new("name the tag", run(&["rev-parse", &reference]), LOCAL).capture("tag_object"));
    if push {
        let head = format!("HEAD:refs/heads/{branch}");
        let args = ["push", "--porcelain", "--atomic", "--", "origin", &head, &reference];
        steps.push(Step::new("push", run(&args), git::remote_timeout(session)));
    }
    steps
}

/// The changelog with the new version on top of the older ones, below the title.
fn changelog(facts: &Facts, version: &Version, date: &str) -> String {
    let mut entry = format!("## {version} - {date}\n\n");
    for commit in facts.commits.iter().filter(|c| !c.subject.starts_with("chore(release):")) {
        entry.push_str(&format!("- {}\n", commit.subject));
    }
    if facts.commits.is_empty() {
        entry.push_str("- No changes.\n");
    }
    let old = facts.changelog.as_deref().unwrap_or("# Changelog\n");
    match old.find("\n## ") {
        Some(at) => format!("{}\n{entry}\n{}", &old[..=at], &old[at + 1..]).replace("\n\n\n", "\n\n"),
        None if old.starts_with("## ") => format!("{entry}\n{old}"),
        None => format!("{}\n\n{entry}", old.trim_end()),
    }
}

pub fn released(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let text = |name: &str| done.data[name].as_str().unwrap_or_default().to_string();
    let (tag, head, dir, branch) = (text("tag"), text("head"), PathBuf::from(text("dir")), text("branch"));
    let commit = done.captured.get("commit").cloned().unwrap_or_default();
    let object = done.captured.get("tag_object").cloned().unwrap_or_default();
    let pushed = done.data["pushed"].as_bool().unwrap_or(false);
    let mut record = done.data["record"].clone();
    record["commit"] = json!(commit);
    record["pushed"] = json!(pushed);
    let root = place.root.to_string_lossy().into_owned();
    let mut draft = ctx.draft();
    draft.put(RELEASES, &Key::of(&root).text(&text("target")).text(&tag), &record)?;
    let mut outcome = draft.into_outcome();
    let run = |args: &[&str]| git::work(ctx.session, &dir, args);
    let reference = format!("refs/tags/{tag}");
    let current = format!("refs/heads/{branch}");
    let reversal = Reversal {
        guards: vec![
            Step::new("HEAD is still the release", run(&["rev-parse", "HEAD"]), LOCAL).expect(&commit),
            Step::new("the branch is still checked out", run(&["symbolic-ref", "HEAD"]), LOCAL)
                .expect(&current),
            Step::new("the tag is still the release's", run(&["rev-parse", &reference]), LOCAL)
                .expect(&object),
            Step::new("the release was not pushed", run(&["branch", "-r", "--contains", &commit]), LOCAL)
                .expect(""),
        ],
        undo: vec![
            Step::new("take the commit back", run(&["reset", "-q", "--keep", &head]), LOCAL),
            Step::new(
                format!("delete the tag {tag}"),
                run(&["update-ref", "-d", &reference, &object]),
                LOCAL,
            ),
        ],
        redo: Some(vec![
            Step::new("HEAD is where the release began", run(&["rev-parse", "HEAD"]), LOCAL).expect(&head),
            Step::new("bring the commit back", run(&["merge", "-q", "--ff-only", &commit]), LOCAL),
            Step::new(
                format!("bring the tag {tag} back"),
                run(&["update-ref", &reference, &object, ""]),
                LOCAL,
            ),
        ]),
    };
    Finished {
        done,
        summary: format!("Released {tag} of {}.", text("target")),
        irreversible: pushed.then(|| "It was pushed; a pushed tag cannot be taken back.".to_string()),
        reversal: (!pushed).then_some(reversal),
        targets: vec![place.target(), format!("release:{tag}")],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}

/// What a release confirmation is bound to.
pub fn digest(facts: &Facts) -> Sha {
    Sha::of(format!("{facts:?}").as_bytes())
}
