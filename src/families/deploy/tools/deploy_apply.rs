//! `deploy_apply`: the reviewed plan becomes files, manifests and a snapshot, in one undoable operation.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use crate::core::ctx::{ErrorCtx, Explanation};
use crate::core::outcome::OP_ID;
use crate::core::{Ctx, Error, Given, Look, Needs, Outcome, Record, Result, Tool, Writes};
use crate::families::deploy::args::{CommonArgs, approved};
use crate::families::deploy::errors::{self, coded, details};
use crate::families::deploy::explained;
use crate::families::deploy::file_reader::FileReader;
use crate::families::deploy::locations;
use crate::families::deploy::manifest::{self, ManifestEntries, ManifestEntry};
use crate::families::deploy::plan::{self, DeployPlan, PlannedOp};
use crate::families::deploy::reply::{answer, posix, shown};
use crate::families::deploy::reviewed::{self, TokenStanding};
use crate::families::deploy::rows::{self, DEPLOYS, DeploymentSnapshot, SnapshotRoot, TOKENS};
use crate::families::deploy::snapshot::record;
use crate::families::deploy::state::{self, DeployState, RootState};
use crate::families::deploy::writes::DeployWrites;

pub struct DeployApply;

#[derive(Debug, Deserialize)]
pub struct ApplyArgs {
    #[serde(flatten)]
    common: CommonArgs,
    #[serde(default)]
    adopt: bool,
    #[serde(default)]
    confirm_token: Given<String>,
    #[serde(default)]
    yes: Given<bool>,
}

impl ApplyArgs {
    fn token(&self) -> Option<&str> {
        self.confirm_token.get().map(|token| token.trim()).filter(|token| !token.is_empty())
    }
}

/// What there is to apply.
pub enum ToApply {
    State(Box<DeployState>),
    /// The token is bound to other arguments; there is nothing more to look at.
    OtherArguments,
    /// The call will be refused whatever the world looks like.
    Nothing,
}

impl Tool for DeployApply {
    type Args = ApplyArgs;
    type Seen = ToApply;
    const NAME: &'static str = "deploy_apply";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &ApplyArgs) -> Result<ToApply> {
        let common = args.common.of(look.call);
        approved(Self::NAME, &args.yes, common.dry_run)?;
        if !common.dry_run {
            let TokenStanding::Good(token) = reviewed::find(look, args.token())? else {
                return Ok(ToApply::Nothing);
            };
            let place = locations::find(&FileReader::of(look), &common)?;
            if details(&common.binding(look.session, &place.detected_machine)) != token.binding {
                return Ok(ToApply::OtherArguments);
            }
        }
        Ok(ToApply::State(Box::new(state::look(look, &common, false)?)))
    }

    fn decide(ctx: &Ctx, args: &ApplyArgs, seen: &ToApply) -> Result<Outcome> {
        let dry_run = args.common.of(ctx.call).dry_run;
        approved(Self::NAME, &args.yes, dry_run)?;
        let state = match seen {
            ToApply::State(state) => Some(state),
            _ => None,
        };
        if let Some(state) = state.filter(|_| dry_run) {
            let plan = plan::plan(state);
            return Ok(Outcome::reply(answer(ctx, state, plan.deploy_data(state), &plan.warnings)));
        }
        let token = args.token().unwrap_or_default();
        let row = match reviewed::find(ctx, args.token())? {
            TokenStanding::Good(row) => row,
            TokenStanding::Refused(error) => return Err(error),
            TokenStanding::Expired(error) => {
                let mut draft = ctx.draft();
                draft.delete(TOKENS, &rows::token_key(token))?;
                return Ok(refused_quietly(ctx, draft.into_outcome(), &error));
            }
        };
        let Some(state) = state else {
            let message = "The confirm_token was issued for other arguments.";
            return Err(reviewed::mismatch(message, json!({})));
        };
        let plan = plan::plan(state);
        if let Err(error) = reviewed::check_plan(ctx, state, &row, &plan) {
            // What was reviewed no longer exists: the token can never become good again.
            let mut draft = ctx.draft();
            reviewed::spend(&mut draft, token)?;
            return Ok(refused_quietly(ctx, draft.into_outcome(), &error));
        }
        check_adopt(args.adopt, &plan)?;
        state.refuse_links()?;
        let mut out = apply(ctx, state, &plan)?;
        let mut draft = ctx.draft();
        reviewed::spend(&mut draft, token)?;
        out.quiet = !out.changes_something();
        out.counters.extend(draft.into_outcome().counters);
        Ok(out)
    }

    fn explain(_ctx: &Ctx, _args: &ApplyArgs, seen: Option<&ToApply>) -> Explanation {
        let state = seen.and_then(|seen| match seen {
            ToApply::State(state) => Some(&**state),
            _ => None,
        });
        explained(Self::NAME, state)
    }
}

/// An error answer that still has bookkeeping to store.
fn refused_quietly(ctx: &Ctx, mut out: Outcome, error: &Error) -> Outcome {
    let ectx =
        ErrorCtx { tool: &ctx.call.tool, call: Some(ctx.call), session: Some(ctx.session), now: ctx.now };
    out.quiet = true;
    out.audit = true;
    out.record = Record {
        summary: format!("Refused: {}", error.message),
        targets: vec![ctx.call.tool.clone()],
        data: json!({"event": "refused", "code": error.code, "tool": ctx.call.tool}),
        ..Record::default()
    };
    out.reply = errors::render(error, &ectx);
    out
}

/// Files that nobody deployed are only overwritten on request.
fn check_adopt(adopt: bool, plan: &DeployPlan) -> Result<()> {
    let mut paths: Vec<_> = plan.changes.iter().filter(|c| c.adopt).map(|c| shown(&c.at.path)).collect();
    if paths.is_empty() || adopt {
        return Ok(());
    }
    paths.sort();
    let total = paths.len();
    paths.truncate(20);
    let message = match total {
        1 => "An existing file that packd does not manage would be overwritten.".to_string(),
        n => format!("{n} existing files that packd does not manage would be overwritten."),
    };
    Err(coded("E_ADOPT_CONFIRM_REQUIRED", message)
        .hint("Look at them. The same token with adopt=true overwrites them; their content is kept for undo.")
        .details(json!({"flag": "--adopt", "adopt_updates": total, "sample_paths": paths})))
}

fn apply(ctx: &Ctx, seen: &DeployState, plan: &DeployPlan) -> Result<Outcome> {
    let id = rows::next_snapshot_id(ctx)?;
    let mut writes = DeployWrites::new(ctx);
    for change in &plan.changes {
        let path = &change.at.path;
        let known = seen.files.get(&change.at);
        let Some((known, index)) = known.and_then(|known| Some((known, known.root?))) else {
            return Err(Error::internal(format!("{} has no root.", path.display())));
        };
        let root = &seen.roots[index].root;
        match (&known.wanted, &known.now) {
            (Some(output), now) => writes.write(root, path, now.as_ref(), &output.content, output.exec)?,
            (None, Some(now)) => writes.delete(root, path, now)?,
            (None, None) => {}
        }
    }
    let touched_files = writes.effects.len();
    let mut parts = Vec::new();
    for (index, state) in seen.roots.iter().enumerate() {
        parts.push(write_manifest(ctx, seen, index, state, &id.to_string(), &mut writes)?);
    }
    if writes.effects.is_empty() {
        let mut data = plan.deploy_data(seen);
        data["reason"] = json!("no_changes");
        return Ok(Outcome::reply(answer(ctx, seen, data, &plan.warnings)));
    }
    // A snapshot is a whole state: content that was there already is kept, too.
    for (_, _, output) in seen.wanted() {
        writes.keep(&output.content)?;
    }
    let snapshot = DeploymentSnapshot {
        id: id.to_string(),
        kind: "deploy".into(),
        created_at: ctx.now,
        project: seen.place.project.clone(),
        repo: seen.place.repo.clone(),
        profile: seen.args.profile.clone(),
        targets: seen.targets.iter().map(|t| t.to_string()).collect(),
        roots: parts.into_iter().flatten().collect(),
        create: plan.count(PlannedOp::Create),
        update: plan.count(PlannedOp::Update),
        delete: plan.count(PlannedOp::Delete),
        rolled_back_to: None,
        lockfile_sha256: seen.lock_sha.clone(),
    };
    let gone: Vec<_> = seen.roots.iter().filter(|s| s.orphan).map(|s| rows::head_key(&s.root)).collect();
    for key in gone {
        writes.draft.delete(DEPLOYS, &key)?;
    }
    let mut data = plan.deploy_data(seen);
    data["applied"] = json!(true);
    data["snapshot_id"] = json!(snapshot.id);
    data["operation_id"] = json!(OP_ID);
    let summary = format!(
        "Deployed {touched_files} files to {} ({} created, {} updated, {} deleted)",
        snapshot.targets.join(", "),
        snapshot.create,
        snapshot.update,
        snapshot.delete
    );
    let mut out = record(ctx, writes, snapshot, id, summary)?;
    out.reply = answer(ctx, seen, data, &plan.warnings);
    Ok(out)
}

/// Brings a root's manifest in line with what is deployed there; an empty one goes.
fn write_manifest(
    ctx: &Ctx,
    seen: &DeployState,
    index: usize,
    state: &RootState,
    id: &str,
    writes: &mut DeployWrites,
) -> Result<Option<SnapshotRoot>> {
    let root = &state.root;
    let (mut entries, mut exec) = (ManifestEntries::new(), Vec::new());
    for (at, known, output) in seen.wanted() {
        if known.root != Some(index) {
            continue;
        }
        let Ok(rel) = at.path.strip_prefix(&root.path) else { continue };
        let path = posix(&shown(rel));
        if output.exec {
            exec.push(path.clone());
        }
        let entry = ManifestEntry {
            path: path.clone(),
            sha256: output.content.sha.clone(),
            module_ids: output.module_ids(),
        };
        entries.insert(path, Arc::new(entry));
    }
    let path = root.manifest();
    let mut kept = None;
    if entries.is_empty() {
        // A file that is not a manifest of ours is not ours to remove.
        if let Some(now) = state.file.as_ref().filter(|_| state.entries.is_some()) {
            writes.delete(root, &path, now)?;
        }
    } else if let Some(now) = state.file.as_ref().filter(|_| state.entries.as_deref() == Some(&entries)) {
        writes.keep(&now.content)?;
        kept = Some(now.content.sha.clone());
    } else {
        let content = manifest::render(root.target, ctx.now, id, &entries);
        writes.write(root, &path, state.file.as_ref(), &content, false)?;
        kept = Some(content.sha.clone());
    }
    Ok((!state.orphan).then(|| SnapshotRoot {
        target: root.target.to_string(),
        path: root.path.clone(),
        base: root.base.clone(),
        project: root.project,
        files: entries.len() as u64,
        manifest: kept,
        exec,
    }))
}
