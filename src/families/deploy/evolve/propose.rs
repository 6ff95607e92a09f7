//! `evolve_propose`: edits on disk as a branch of overlay files, without touching the config repo's work tree.
//!
//! The objects are written while preparing, where nothing refers to them. The branch itself is a file effect
//! (create only), so it is crash-safe and one undo removes it, unless somebody has built on it.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::candidates::{self, Found};
use super::git::{self, Repo};
use crate::core::outcome::OP_ID;
use crate::core::{Ctx, Effect, Error, FileImage, Outcome, Record, Result};
use crate::families::deploy::args::{Args, confirm_required};
use crate::families::deploy::envelope;
use crate::families::deploy::errors::coded;
use crate::families::deploy::ids;
use crate::families::deploy::place;
use crate::families::deploy::scout::Scout;
use crate::families::deploy::seen::Seen;
use crate::families::deploy::tree::Layer;

const MESSAGE: &str = "chore(evolve): propose overlay updates";

pub struct Proposal {
    seen: Seen,
    found: Found,
    /// The commit and where its branch goes; `None` = nothing to do, or only asked.
    commit: Option<Commit>,
}

struct Commit {
    id: String,
    branch: String,
    branches: PathBuf,
}

pub fn look(scout: &Scout, ctx: &Ctx, args: &Args, seen: Seen) -> Result<Proposal> {
    let found = candidates::find(&seen, scope(ctx), ctx.call.text("module_id"));
    // A call that policy refuses is prepared only to be explained: it must not even leave objects behind.
    let only_asked = args.dry_run || (ctx.call.mode_said && ctx.call.mode != crate::core::Mode::Execute);
    if only_asked || found.candidates.is_empty() {
        return Ok(Proposal { seen, found, commit: None });
    }
    if !args.yes {
        return Err(confirm_required("evolve propose"));
    }
    let repo_dir = &seen.place.repo;
    let top = place::top_level(scout, repo_dir)?.filter(|(top, _)| top == repo_dir);
    let Some((_, git_dir)) = top else {
        return Err(coded("E_GIT_REPO_REQUIRED", format!("{} is not a git repository.", repo_dir.display()))
            .hint("Run git init in the config repo and commit it.")
            .details(json!({"command": "evolve propose", "repo": repo_dir})));
    };
    let repo = Repo { world: scout.world, dir: repo_dir, home: &seen.place.home };
    repo.check_clean()?;
    let branch = ctx.call.text("branch").map_or_else(|| default_branch(ctx, &found), str::to_string);
    repo.check_branch(&branch)?;
    let branches = git::branches_dir(scout.world, &place::common_dir(scout, &git_dir)?)?;
    let id = repo.commit(&found.candidates, MESSAGE)?;
    let commit = Some(Commit { id, branch, branches });
    Ok(Proposal { seen, found, commit })
}

fn scope(ctx: &Ctx) -> Layer {
    match ctx.call.text("scope") {
        Some("machine") => Layer::Machine,
        Some("project") => Layer::Project,
        _ => Layer::Global,
    }
}

fn default_branch(ctx: &Ctx, found: &Found) -> String {
    let mut modules: Vec<&str> = found.candidates.iter().map(|c| c.module_id.as_str()).collect();
    modules.dedup();
    let module = match (ctx.call.text("module_id"), modules.as_slice()) {
        (Some(id), _) => ids::sanitise(id),
        (None, [one]) => ids::sanitise(one),
        _ => "multi".into(),
    };
    let time = crate::core::Timestamp::from_seconds(ctx.now.seconds()).zulu().replace(['-', ':'], "");
    let nanos = ctx.now.micros().rem_euclid(1_000_000) * 1000;
    format!("evolve/propose-{}-{module}-{time}-{nanos:09}", scope(ctx).as_str())
}

pub fn propose(ctx: &Ctx, args: &Args, proposal: &Proposal) -> Result<Outcome> {
    let Proposal { seen, found, commit } = proposal;
    let mut warnings = seen.warnings.clone();
    warnings.extend(found.warnings.iter().cloned());
    let reply = |data: Value| envelope::ok(&ctx.call.tool, None, data, &warnings);
    let Some(Commit { id, branch, branches }) = commit else {
        let reason = match (found.candidates.is_empty(), found.skipped.is_empty()) {
            (true, true) => "no_drift",
            (true, false) => "no_proposeable_drift",
            _ if args.dry_run => "dry_run",
            _ => return Err(Error::internal("A proposal was prepared without its commit.")),
        };
        let data = json!({
            "created": false, "reason": reason, "candidates": found.list(), "skipped": found.skipped,
            "summary": found.summary(),
        });
        return Ok(Outcome::reply(reply(data)));
    };
    let mut draft = ctx.draft();
    let content = draft.put_blob(format!("{id}\n").into_bytes());
    let files: Vec<&str> = found.candidates.iter().map(|c| c.repo_path.as_str()).collect();
    let data = json!({
        "created": true, "branch": branch, "scope": scope(ctx).as_str(), "files": files, "files_posix": files,
        "committed": true, "commit": id, "skipped": found.skipped, "summary": found.summary(),
        "operation_id": OP_ID,
    });
    let mut out = draft.into_outcome();
    out.effects = vec![Effect {
        root: branches.clone(),
        path: PathBuf::from(branch),
        before: None,
        after: Some(FileImage { sha: content, mode: 0o644 }),
    }];
    out.record = Record {
        summary: format!("Proposed {} overlay files on branch {branch}", files.len()),
        targets: vec![branch.clone()],
        data: json!({"branch": branch, "commit": id, "files": files}),
        ..Record::default()
    };
    out.reply = reply(data);
    Ok(out)
}
