//! `evolve_propose`: edits on disk as a branch of overlay files, without touching the config repo's work tree.
//!
//! Looking writes nothing: the commit is worked out, and its objects and its branch are file effects, objects
//! first. One undo removes the branch, unless somebody has built on it; objects stay, for others may refer to them.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::arguments::trimmed;
use crate::core::ctx::Explanation;
use crate::core::outcome::OP_ID;
use crate::core::{
    Ctx, Effect, Error, FileImage, Look, Needs, Outcome, Record, Result, Tool, Writes as WritesWhat,
};
use crate::families::deploy::args::{CommonArgs, confirm_required};
use crate::families::deploy::errors::coded;
use crate::families::deploy::evolve::candidates::{self, Candidates};
use crate::families::deploy::evolve::git::{self, ConfigRepo, Planned};
use crate::families::deploy::explained;
use crate::families::deploy::file_reader::FileReader;
use crate::families::deploy::ids;
use crate::families::deploy::locations;
use crate::families::deploy::reply;
use crate::families::deploy::state::{self, DeployState};
use crate::families::deploy::tree::ModuleLayer;

pub struct EvolvePropose;

#[derive(Debug, Deserialize)]
pub struct ProposeArgs {
    #[serde(flatten)]
    common: CommonArgs,
    #[serde(default, deserialize_with = "trimmed")]
    module_id: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    scope: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    branch: Option<String>,
    #[serde(default)]
    yes: bool,
}

impl ProposeArgs {
    fn layer(&self) -> ModuleLayer {
        match self.scope.as_deref() {
            Some("machine") => ModuleLayer::Machine,
            Some("project") => ModuleLayer::Project,
            _ => ModuleLayer::Global,
        }
    }
}

const MESSAGE: &str = "chore(evolve): propose overlay updates";

pub struct EvolveProposal {
    seen: DeployState,
    found: Candidates,
    /// The commit and where its branch goes; `None` = nothing to do, or only asked.
    commit: Option<Commit>,
}

struct Commit {
    planned: Planned,
    branch: String,
    branches: PathBuf,
    objects: PathBuf,
}

fn see(look: &Look, args: &ProposeArgs, seen: DeployState) -> Result<EvolveProposal> {
    let (reader, ctx) = (&FileReader::of(look), look.ctx);
    let found = candidates::find(&seen, args.layer(), args.module_id.as_deref());
    if seen.args.dry_run || found.candidates.is_empty() {
        return Ok(EvolveProposal { seen, found, commit: None });
    }
    if !args.yes {
        return Err(confirm_required("evolve propose"));
    }
    let repo_dir = &seen.place.repo;
    let top = locations::top_level(reader, repo_dir)?.filter(|(top, _)| top == repo_dir);
    let Some((_, git_dir)) = top else {
        return Err(coded("E_GIT_REPO_REQUIRED", format!("{} is not a git repository.", repo_dir.display()))
            .hint("Run git init in the config repo and commit it.")
            .details(json!({"command": "evolve propose", "repo": repo_dir})));
    };
    let repo = ConfigRepo { world: reader.world, session: ctx.session, dir: repo_dir };
    repo.check_clean()?;
    let branch = args.branch.clone().unwrap_or_else(|| default_branch(ctx, args, &found));
    repo.check_branch(&branch)?;
    let common = locations::common_dir(reader, &git_dir)?;
    let branches = git::branches_dir(reader.world, &common)?;
    let planned = repo.commit(&found.candidates, MESSAGE, ctx.now)?;
    let commit = Some(Commit { planned, branch, branches, objects: common.join("objects") });
    Ok(EvolveProposal { seen, found, commit })
}

fn default_branch(ctx: &Ctx, args: &ProposeArgs, found: &Candidates) -> String {
    let mut modules: Vec<&str> = found.candidates.iter().map(|c| c.module_id.as_str()).collect();
    modules.dedup();
    let module = match (args.module_id.as_deref(), modules.as_slice()) {
        (Some(id), _) => ids::sanitise(id),
        (None, [one]) => ids::sanitise(one),
        _ => "multi".into(),
    };
    let time = crate::core::Timestamp::from_seconds(ctx.now.seconds()).zulu().replace(['-', ':'], "");
    let nanos = ctx.now.micros().rem_euclid(1_000_000) * 1000;
    format!("evolve/propose-{}-{module}-{time}-{nanos:09}", args.layer().as_str())
}

impl Tool for EvolvePropose {
    type Args = ProposeArgs;
    type Seen = EvolveProposal;
    const NAME: &'static str = "evolve_propose";
    const NEEDS: Needs = Needs::World;
    const WRITES: WritesWhat = WritesWhat::Files;

    fn look(look: &Look, args: &ProposeArgs) -> Result<EvolveProposal> {
        see(look, args, state::look(look, &args.common.of(look.call), false)?)
    }

    fn decide(ctx: &Ctx, args: &ProposeArgs, proposal: &EvolveProposal) -> Result<Outcome> {
        let EvolveProposal { seen, found, commit } = proposal;
        let mut warnings = seen.warnings.clone();
        warnings.extend(found.warnings.iter().cloned());
        let answered = |data: Value| reply::ok(&ctx.call.tool, None, data, &warnings);
        let Some(Commit { planned: Planned { id, objects: needed }, branch, branches, objects }) = commit
        else {
            let reason = match (found.candidates.is_empty(), found.skipped.is_empty()) {
                (true, true) => "no_drift",
                (true, false) => "no_proposeable_drift",
                _ if seen.args.dry_run => "dry_run",
                _ => return Err(Error::internal("A proposal was prepared without its commit.")),
            };
            let data = json!({
                "created": false, "reason": reason, "candidates": found.list(), "skipped": found.skipped,
                "summary": found.summary(),
            });
            return Ok(Outcome::reply(answered(data)));
        };
        let mut draft = ctx.draft();
        let mut create = |root: &PathBuf, path: &str, bytes: Vec<u8>, mode| Effect {
            root: root.clone(),
            path: PathBuf::from(path),
            before: None,
            after: Some(FileImage::new(draft.put_blob(bytes), mode)),
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
            "created": true, "branch": branch, "scope": args.layer().as_str(), "files": files, "files_posix": files,
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
        out.reply = answered(data);
        Ok(out)
    }

    fn explain(_ctx: &Ctx, _args: &ProposeArgs, _proposal: Option<&EvolveProposal>) -> Explanation {
        explained(Self::NAME, None)
    }
}
