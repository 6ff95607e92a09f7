//! Making a release: a changelog, a record and an annotated tag, or nothing at all.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::args::{CallSubject, said};
use super::begin::FinishedRun;
use super::checkouts::LOCAL;
use super::errors::listed;
use super::git;
use super::outgoing::ShownCommit;
use super::release_facts::{ReleaseFacts, facts, gates};
use super::rows::{EcosystemId, RELEASES, shown};
use super::run_plan::{RunPlan, remembered};
use super::survey::Survey;
use super::version::ReleaseVersion;
use crate::core::run::{Reversal, RunDone, RunStep, StepWork};
use crate::core::{Ctx, Error, Key, Kind, Outcome, Result};

/// What both ways to a release are told: of what, and how careful and how far.
#[derive(Debug, Deserialize)]
pub struct ReleasingArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    repo: Option<String>,
    #[serde(default)]
    push: bool,
    #[serde(default)]
    strict: bool,
}

impl ReleasingArgs {
    pub fn named(&self) -> CallSubject<'_> {
        CallSubject {
            ecosystem: self.ecosystem.as_deref(),
            repo: self.repo.as_deref(),
            ..CallSubject::default()
        }
    }
}

/// What is kept of a release: in `releases/TAG.json`, and in the store once it is made.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ReleaseRecord {
    schema_version: u64,
    version: String,
    tag: String,
    previous_tag: Option<String>,
    timestamp: String,
    action: String,
    bump_part: Option<String>,
    stage: Option<String>,
    stage_num: Option<u64>,
    branch: String,
    parent_commit: String,
    author: String,
    commits_since_previous: u64,
    commit_subjects: Vec<String>,
    origin: String,
    push_requested: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pushed: Option<bool>,
}

#[derive(Serialize)]
struct Shown<'a> {
    release: &'a ReleaseRecord,
    commits: Vec<ShownCommit<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Releasing {
    record: ReleaseRecord,
    dir: PathBuf,
    head: String,
    tag: String,
    branch: String,
    target: String,
    pushed: bool,
}

/// What a release is to be, as its call says.
pub struct WantedRelease<'a> {
    pub version: ReleaseVersion,
    /// `bump` or `promote`.
    pub action: &'static str,
    pub part: Option<&'a str>,
}

pub fn plan(ctx: &Ctx, survey: &Survey, wanted: &WantedRelease, args: &ReleasingArgs) -> Result<RunPlan> {
    let facts = facts(survey)?;
    let WantedRelease { version, action, part } = *wanted;
    let push = args.push;
    let found = gates(facts, Some(&version), args.strict);
    let errors: Vec<String> = found.iter().filter(|g| g.is_error()).map(|g| g.message.clone()).collect();
    if !errors.is_empty() {
        let error = Error::new(
            Kind::State,
            "release_blocked",
            format!("{} cannot be released: {}", facts.target, errors.join(" ")),
        )
        .hint("amof_release_validate lists every gate.");
        return Err(listed(error, "errors", &errors));
    }
    let head = facts.head.clone().unwrap_or_default();
    let branch = facts.branch.clone().unwrap_or_default();
    let root = survey.root()?;
    let tag = version.tag();
    if push && !facts.origin {
        return Err(Error::new(
            Kind::State,
            "no_remote",
            format!("{} has no remote 'origin' to push to.", facts.target),
        ));
    }
    let record = ReleaseRecord {
        schema_version: 1,
        version: version.to_string(),
        tag: tag.clone(),
        previous_tag: facts.current().map(ReleaseVersion::tag),
        timestamp: ctx.now.zulu(),
        action: action.to_string(),
        bump_part: part.map(str::to_string),
        stage: version.pre.map(|(stage, _)| stage.as_str().to_string()),
        stage_num: version.pre.map(|(_, n)| n),
        branch: branch.clone(),
        parent_commit: head.clone(),
        author: facts.author.clone(),
        commits_since_previous: facts.commit_count,
        commit_subjects: facts.commits.iter().map(|c| c.subject.clone()).collect(),
        origin: "packd".to_string(),
        push_requested: push,
        commit: None,
        pushed: None,
    };
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
            facts.current().map_or("no release".into(), ReleaseVersion::tag),
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
    details.extend(found.iter().map(|gate| format!("warning: {}", gate.message)));
    let steps = steps(ctx, facts, &head, &branch, &tag, &files, push);
    let plan = RunPlan {
        action: if action == "bump" { "release_bump" } else { "release_promote" },
        would: format!("release {tag} of {}", facts.target),
        details,
        steps,
        irreversible: push
            .then(|| "A pushed tag cannot be taken back from everybody who fetched it.".to_string()),
        release: Some(tag.clone()),
        ..RunPlan::default()
    };
    let commits = facts.commits.iter().map(ShownCommit::of).collect();
    plan.shows(&Shown { release: &record, commits }).remembers(&Releasing {
        dir: facts.dir.clone(),
        head,
        tag,
        branch,
        target: facts.target.clone(),
        pushed: push,
        record,
    })
}

fn steps(
    ctx: &Ctx,
    facts: &ReleaseFacts,
    head: &str,
    branch: &str,
    tag: &str,
    files: &[(String, Option<String>, String)],
    push: bool,
) -> Vec<RunStep> {
    let (session, dir) = (ctx.session, &facts.dir);
    let run = |args: &[&str]| git::work(session, dir, args);
    let message = format!("chore(release): {tag}");
    let paths: Vec<&str> = files.iter().map(|(f, ..)| f.as_str()).collect();
    let reference = format!("refs/tags/{tag}");
    let mut steps = vec![
        RunStep::new("nothing was committed since the preview", run(&["rev-parse", "HEAD"]), LOCAL)
            .prints(head),
        RunStep::new(format!("{tag} does not exist yet"), run(&["tag", "--list", tag]), LOCAL).prints(""),
    ];
    for (file, before, after) in files {
        let path = dir.join(file);
        let write =
            StepWork::WriteFile { path: path.clone(), content: Some(after.clone()), before: before.clone() };
        let back = StepWork::WriteFile { path, content: before.clone(), before: Some(after.clone()) };
        steps.push(RunStep::new(format!("write {file}"), write, LOCAL).revert([back]));
    }
    let add = [&["add", "-f", "--"], paths.as_slice()].concat();
    let unstage = [&["reset", "-q", "--"], paths.as_slice()].concat();
    steps.push(RunStep::new("stage", run(&add), LOCAL).revert([run(&unstage)]));
    let commit = [&["commit", "-q", "-m", &message, "--"], paths.as_slice()].concat();
    // Mixed, so that the files go back through their own steps and nothing else in the tree is touched.
    steps.push(RunStep::new("commit", run(&commit), LOCAL).revert([run(&["reset", "-q", head])]));
    steps.push(RunStep::new("name the commit", run(&["rev-parse", "HEAD"]), LOCAL).capture("commit"));
    let annotate = run(&["tag", "-a", "-m", &message, "--", tag, "HEAD"]);
    steps.push(RunStep::new(format!("tag {tag}"), annotate, LOCAL).revert([run(&["tag", "-d", "--", tag])]));
    steps.push(RunStep::new("name the tag", run(&["rev-parse", &reference]), LOCAL).capture("tag_object"));
    if push {
        let head = format!("HEAD:refs/heads/{branch}");
        let args = ["push", "--porcelain", "--atomic", "--", "origin", &head, &reference];
        steps.push(RunStep::new("push", run(&args), git::remote_timeout(session)));
    }
    steps
}

/// The changelog with the new version on top of the older ones, below the title.
fn changelog(facts: &ReleaseFacts, version: &ReleaseVersion, date: &str) -> String {
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

pub fn released(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
    let Releasing { dir, head, tag, branch, target, pushed, mut record } = remembered(done)?;
    let commit = done.captured.get("commit").cloned().unwrap_or_default();
    let object = done.captured.get("tag_object").cloned().unwrap_or_default();
    record.commit = Some(commit.clone());
    record.pushed = Some(pushed);
    let mut draft = ctx.draft();
    draft.put(RELEASES, &Key::of(&id.root.to_string_lossy()).text(&target).text(&tag), &record)?;
    let mut outcome = draft.into_outcome();
    let run = |args: &[&str]| git::work(ctx.session, &dir, args);
    let reference = format!("refs/tags/{tag}");
    let current = format!("refs/heads/{branch}");
    let reversal = Reversal {
        guards: vec![
            RunStep::new("HEAD is still the release", run(&["rev-parse", "HEAD"]), LOCAL).prints(&commit),
            RunStep::new("the branch is still checked out", run(&["symbolic-ref", "HEAD"]), LOCAL)
                .prints(&current),
            RunStep::new("the tag is still the release's", run(&["rev-parse", &reference]), LOCAL)
                .prints(&object),
            RunStep::new("the release was not pushed", run(&["branch", "-r", "--contains", &commit]), LOCAL)
                .prints(""),
        ],
        undo: vec![
            RunStep::new("take the commit back", run(&["reset", "-q", "--keep", &head]), LOCAL),
            RunStep::new(
                format!("delete the tag {tag}"),
                run(&["update-ref", "-d", &reference, &object]),
                LOCAL,
            ),
        ],
        redo: Some(vec![
            RunStep::new("HEAD is where the release began", run(&["rev-parse", "HEAD"]), LOCAL).prints(&head),
            RunStep::new("bring the commit back", run(&["merge", "-q", "--ff-only", &commit]), LOCAL),
            RunStep::new(
                format!("bring the tag {tag} back"),
                run(&["update-ref", &reference, &object, ""]),
                LOCAL,
            ),
        ]),
    };
    FinishedRun {
        done,
        summary: format!("Released {tag} of {}.", target),
        irreversible: pushed.then(|| "It was pushed; a pushed tag cannot be taken back.".to_string()),
        reversal: (!pushed).then_some(reversal),
        targets: vec![id.target(), format!("release:{tag}")],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}
