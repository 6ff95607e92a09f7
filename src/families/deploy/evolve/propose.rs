//! `evolve_propose`: edits on disk as a branch of overlay files, without touching the config repo's work tree.
//!
//! Preparing writes nothing: the commit is worked out, and its objects and its branch are file effects, objects
//! first. One undo removes the branch, unless somebody has built on it; objects stay, for others may refer to them.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::candidates::{self, Found};
use super::git::{self, Planned, Repo};
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
    planned: Planned,
    branch: String,
    branches: PathBuf,
    objects: PathBuf,
}

pub fn look(scout: &Scout, ctx: &Ctx, args: &Args, seen: Seen) -> Result<Proposal> {
    let found = candidates::find(&seen, scope(ctx), ctx.call.text("module_id"));
    if args.dry_run || found.candidates.is_empty() {
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
    let repo = Repo { world: scout.world, session: ctx.session, dir: repo_dir };
    repo.check_clean()?;
    let branch = ctx.call.text("branch").map_or_else(|| default_branch(ctx, &found), str::to_string);
    repo.check_branch(&branch)?;
    let common = place::common_dir(scout, &git_dir)?;
    let branches = git::branches_dir(scout.world, &common)?;
    let planned = repo.commit(&found.candidates, MESSAGE, ctx.now)?;
    let commit = Some(Commit { planned, branch, branches, objects: common.join("objects") });
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
    let Some(Commit { planned: Planned { id, objects: needed }, branch, branches, objects }) = commit else {
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
    let mut create = |root: &PathBuf, path: &str, bytes: Vec<u8>, mode| Effect {
        root: root.clone(),
        path: PathBuf::from(path),
        before: None,
        after: Some(FileImage { sha: draft.put_blob(bytes), mode }),
        kept: false,
    };
    let mut effects = Vec::new();
    for (path, bytes) in needed {
        effects.push(Effect { kept: true, ..create(objects, path, bytes.clone(), 0o444) });
    }
    // Last: a branch never points to what is not there yet.
    effects.push(create(branches, branch, format!("{id}\n").into_bytes(), 0o644));
    let files: Vec<&str> = found.candidates.iter().map(|c| c.repo_path.as_str()).collect();
    let data = json!({
        "created": true, "branch": branch, "scope": scope(ctx).as_str(), "files": files, "files_posix": files,
        "committed": true, "commit": id, "skipped": found.skipped, "summary": found.summary(),
        "operation_id": OP_ID,
    });
    let mut out = draft.into_outcome();
    out.effects = effects;
    out.record = Record {
        summary: format!("Proposed {} overlay files on branch {branch}", files.len()),
        targets: vec![branch.clone()],
        data: json!({"branch": branch, "commit": id, "files": files}),
        ..Record::default()
    };
    out.reply = reply(data);
    Ok(out)
}
