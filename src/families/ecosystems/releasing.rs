//! Making a release: the next version by semver, a changelog, a record and an annotated tag, or nothing at all.

use std::path::PathBuf;

use serde_json::json;

use super::git;
use super::install::LOCAL;
use super::release::{Facts, facts, gates};
use super::semver::{Stage, Version};
use super::state::{Place, RELEASES, shown};
use super::survey::Survey;
use super::work::{Finished, Plan};
use crate::core::run::{Reversal, RunDone, Step, Work};
use crate::core::{Ctx, Error, Key, Kind, Outcome, Result};

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
