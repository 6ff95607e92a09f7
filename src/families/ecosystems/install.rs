//! Install and sync: the checkouts of an ecosystem come, and are brought up to date.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::git::{self, short};
use super::manifest::Repo;
use super::remove::way_back;
use super::state::{self, ECOSYSTEMS, Installed, Place, SYNCS, shown};
use super::survey::{Survey, Target};
use super::work::{Finished, Plan};
use crate::core::op::operation_id;
use crate::core::run::{Reversal, RunDone, Step, Work};
use crate::core::trash::{Branch, Discard, Kept, Saved};
use crate::core::{Ctx, Error, Kind, Outcome, Result, SessionInfo, redact};

/// Local git commands inside a run; generous, because a large checkout takes its time.
pub const LOCAL: u64 = 300;

fn clone(session: &SessionInfo, target: &Target, repo: &Repo, timeout: u64) -> Step {
    let path = target.dir.join(&repo.path);
    let to = path.to_string_lossy();
    let args = ["clone", "--branch", &repo.branch, "--origin", "origin", "--", &repo.url, &to];
    Step::new(format!("clone {}", repo.name), git::work(session, &target.place.root, &args), timeout)
        .revert([Work::RemoveTree { root: target.dir.clone(), path: path.clone() }])
}

/// What came with a clone is its remote's, tags included.
fn note_tags(session: &SessionInfo, target: &Target, repo: &Repo) -> Step {
    let work = Work::NoteTags { dir: target.dir.join(&repo.path), home: session.home.clone() };
    Step::new(format!("remember the tags of {}", repo.name), work, LOCAL)
}

pub fn install(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    let manifest = target.manifest()?;
    let (place, session) = (&target.place, ctx.session);
    let at = shown(&target.dir, &place.root);
    if target.dir_exists {
        let known = state::installed(ctx.view, place)?.is_some();
        let (code, message) = match known {
            true => ("already_installed", format!("Ecosystem {} is already installed in {at}.", place.name)),
            false => ("in_the_way", format!("{at} exists, but packd did not install it.")),
        };
        let hint = if known {
            "Use amof_sync_ecosystem to bring it up to date.".to_string()
        } else {
            format!("Move {at} away, or set workspace_dir in the manifest.")
        };
        return Err(Error::new(Kind::State, code, message).hint(hint));
    }
    let timeout = git::remote_timeout(session);
    let dir = target.dir.to_string_lossy();
    let branch = target.branch();
    let mut details = Vec::new();
    let mut steps = Vec::new();
    match &target.platform_head {
        Some(head) => {
            steps.push(Step::new(
                "forget vanished worktrees",
                git::work(session, &place.root, &["worktree", "prune"]),
                LOCAL,
            ));
            let remove = git::work(session, &place.root, &["worktree", "remove", "--force", "--", &dir]);
            let step = if target.branch_tip.is_some() {
                details.push(format!("worktree {at} on the existing branch {branch}"));
                let add = git::work(session, &place.root, &["worktree", "add", "--", &dir, &branch]);
                Step::new(format!("check out {branch}"), add, LOCAL).revert([remove])
            } else {
                details.push(format!("worktree {at} on the new branch {branch} from {}", short(head)));
                let args = ["worktree", "add", "-b", &branch, "--", &dir, head];
                let name = format!("refs/heads/{branch}");
                let forget = git::work(session, &place.root, &["update-ref", "-d", &name, head]);
                Step::new(format!("create {branch}"), git::work(session, &place.root, &args), LOCAL)
                    .revert([remove, forget])
            };
            steps.push(step);
        }
        None => {
            details.push(format!("directory {at} (the workspace root is no git repository)"));
            let make = Work::MakeDir { path: target.dir.clone() };
            steps.push(
                Step::new("create the directory", make, LOCAL)
                    .revert([Work::RemoveTree { root: place.root.clone(), path: target.dir.clone() }]),
            );
        }
    }
    let mut clones = Vec::new();
    for repo in manifest.enabled() {
        if repo.url == "local" {
            details.push(format!("{}: part of the workspace itself, nothing to clone", repo.name));
            continue;
        }
        let to = shown(&target.dir.join(&repo.path), &place.root);
        details.push(format!(
            "clone {} (branch {}) from {} into {to}",
            repo.name,
            repo.branch,
            redact::line(&repo.url)
        ));
        clones.push(
            json!({"name": repo.name, "branch": repo.branch, "url": redact::line(&repo.url), "path": to}),
        );
        steps.push(clone(session, target, repo, timeout.max(600)));
        steps.push(note_tags(session, target, repo));
    }
    let mut paths = vec![target.dir.clone()];
    paths.extend(manifest.enabled().filter(|r| r.url != "local").map(|r| target.dir.join(&r.path)));
    steps.push(
        Step::new("keep the checkouts out of git status", Work::Exclude { paths }, LOCAL).capture("excluded"),
    );
    let would = format!("install {}: {} clone{} in {at}", place.name, clones.len(), plural(clones.len()));
    let mut plan = Plan { action: "install", would, details, steps, ..Plan::default() };
    plan.fields.insert("directory".into(), json!(at));
    plan.fields.insert("clones".into(), Value::Array(clones));
    plan.data = json!({
        "dir": target.dir,
        "branch": target.platform_head.as_ref().map(|_| branch),
        "created_branch_at": target.platform_head.as_ref().filter(|_| target.branch_tip.is_none()),
        "repos": manifest.enabled().cloned().map(|mut r| { r.url = redact::line(&r.url); r }).collect::<Vec<_>>(),
    });
    Ok(plan)
}

pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Checks that a checkout holds nothing that exists only there. `own` is the branch of a linked worktree.
pub fn still_clean(
    session: &SessionInfo,
    name: &str,
    dir: &Path,
    skip: &[PathBuf],
    own: Option<&str>,
) -> Step {
    let saved = Saved {
        name: name.to_string(),
        dir: dir.to_path_buf(),
        skip: skip.to_vec(),
        own: own.map(str::to_string),
        home: session.home.clone(),
    };
    let label = format!("{name} has no uncommitted changes and no unpushed commits");
    Step::new(label, Work::CheckSaved(Box::new(saved)), LOCAL).expect("")
}

pub fn installed(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let session = ctx.session;
    let dir = Path::new(done.data["dir"].as_str().unwrap_or_default());
    let branch = done.data["branch"].as_str().map(str::to_string);
    let repos: Vec<Repo> = serde_json::from_value(done.data["repos"].clone()).unwrap_or_default();
    let row = Installed {
        at: ctx.now,
        run: done.id.clone(),
        dir: dir.to_path_buf(),
        branch: branch.clone(),
        repos,
    };
    let clones: Vec<&Repo> = row.repos.iter().filter(|r| r.url != "local").collect();
    // A ticket's worktree belongs to a clone that would be gone.
    let tickets = Work::CheckAbsent { path: place.tickets_dir() };
    let no_tickets = Step::new("no ticket has worktrees", tickets, LOCAL).expect("");
    let mut guards = vec![no_tickets];
    let paths: Vec<PathBuf> = clones.iter().map(|repo| dir.join(&repo.path)).collect();
    let mut kept = Vec::new();
    for (repo, path) in clones.iter().zip(&paths) {
        guards.push(still_clean(session, &repo.name, path, &[], None));
        kept.push(Kept { name: repo.name.clone(), dir: path.clone() });
    }
    let mut branches = Vec::new();
    if let Some(branch) = &branch {
        guards.push(still_clean(session, "the workspace", dir, &paths, Some(branch)));
        kept.push(Kept { name: "workspace".into(), dir: dir.to_path_buf() });
        if done.data["created_branch_at"].is_string() {
            branches.push(Branch { repo: place.root.clone(), name: branch.clone() });
        }
    }
    let discard = Discard {
        entry: operation_id(ctx.now, ctx.ids),
        ecosystem: place.name.clone(),
        root: place.root.clone(),
        paths: vec![dir.to_path_buf()],
        checkouts: kept,
        branches,
        home: session.home.clone(),
    };
    let there = way_back(&discard);
    let mut reversal = Reversal { guards, undo: there.redo.unwrap_or_default(), redo: Some(there.undo) };
    super::tickets::keep_out(done, &mut reversal);
    let mut draft = ctx.draft();
    draft.put(ECOSYSTEMS, &place.key(), &row)?;
    let mut outcome = draft.into_outcome();
    Finished {
        done,
        summary: format!("Installed ecosystem {} in {}.", place.name, shown(dir, &place.root)),
        irreversible: None,
        reversal: Some(reversal),
        targets: vec![place.target()],
    }
    .record(&mut outcome)?;
    outcome.record.id = Some(discard.entry);
    Ok(outcome)
}

pub fn must_be_installed(target: &Target) -> Result<()> {
    if target.dir_exists {
        return Ok(());
    }
    Err(Error::new(
        Kind::State,
        "not_installed",
        format!("Ecosystem {} is not installed.", target.place.name),
    )
    .hint("Call amof_install_ecosystem first."))
}

pub fn sync(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    must_be_installed(target)?;
    target.manifest()?;
    let session = ctx.session;
    let timeout = git::remote_timeout(session);
    let (mut steps, mut details) = (Vec::new(), Vec::new());
    for (repo, checkout) in target.repos.iter().filter(|(r, _)| r.url != "local") {
        let name = &repo.name;
        if !checkout.exists {
            details.push(format!("{name}: clone, it is missing"));
            steps.push(clone(session, target, repo, timeout.max(600)).group(name));
            steps.push(note_tags(session, target, repo).group(name));
            let own = Work::Exclude { paths: vec![target.dir.join(&repo.path)] };
            steps.push(Step::new(format!("keep {name} out of git status"), own, LOCAL).group(name));
            continue;
        }
        let dir = &checkout.dir;
        let fetch = git::work(session, dir, &["fetch", "--prune", "--tags", "--", "origin"]);
        steps.push(Step::new(format!("fetch {name}"), fetch, timeout).group(name));
        let remote = format!("refs/remotes/origin/{}", repo.branch);
        if checkout.branch.as_deref() == Some(repo.branch.as_str()) {
            let local = if checkout.dirty.is_empty() { "" } else { ", local changes are kept" };
            details.push(format!("{name}: fetch, then fast-forward {}{local}", repo.branch));
            let merge = git::work(session, dir, &["merge", "--ff-only", "--no-overwrite-ignore", &remote]);
            steps.push(Step::new(format!("fast-forward {name}"), merge, LOCAL).group(name));
        } else {
            let on = checkout.branch.as_deref().unwrap_or("no branch");
            details.push(format!("{name}: fetch only, it is on {on} instead of {}", repo.branch));
        }
    }
    let n = steps.iter().filter_map(|s| s.group.as_deref()).collect::<std::collections::BTreeSet<_>>().len();
    let would = format!(
        "bring {n} repositor{} of {} up to date",
        if n == 1 { "y" } else { "ies" },
        target.place.name
    );
    Ok(Plan {
        action: "sync",
        would,
        details,
        steps,
        irreversible: Some("What was fetched stays fetched; no local work is touched.".into()),
        ..Plan::default()
    })
}

pub fn synced(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let mut draft = ctx.draft();
    draft.put(SYNCS, &place.key(), &ctx.now)?;
    let mut outcome = draft.into_outcome();
    Finished {
        done,
        summary: format!("Brought ecosystem {} up to date.", place.name),
        irreversible: Some("What was fetched stays fetched.".into()),
        reversal: None,
        targets: vec![place.target()],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}
