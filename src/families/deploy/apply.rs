//! `deploy_apply`: the reviewed plan becomes files, manifests and a snapshot, in one undoable operation.

use std::sync::Arc;

use serde_json::json;

use super::errors::{self, coded};
use super::manifest::{self, Entries, Entry};
use super::plan::{self, Op, Plan};
use super::review::{self, Standing};
use super::rows::{self, DEPLOYS, Head, SNAPSHOTS, Snapshot, SnapshotRoot, TOKENS};
use super::seen::{RootState, Seen};
use super::writes::Writes;
use super::{Prepared, answer};
use crate::core::ctx::ErrorCtx;
use crate::core::outcome::OP_ID;
use crate::core::{Ctx, Error, Outcome, Record, Result};

pub fn deploy_apply(ctx: &Ctx, args: &super::args::Args) -> Result<Outcome> {
    let prepared = ctx.prepared::<Prepared>()?;
    if args.dry_run {
        let seen = prepared.seen()?;
        let plan = plan::plan(seen);
        return Ok(Outcome::reply(answer(ctx, seen, plan.deploy_data(seen), &plan.warnings)));
    }
    let token = ctx.call.text("confirm_token").unwrap_or_default();
    let row = match review::token(ctx)? {
        Standing::Good(row) => row,
        Standing::Refused(error) => return Err(error),
        Standing::Expired(error) => {
            let mut draft = ctx.draft();
            draft.delete(TOKENS, &rows::token_key(token))?;
            return Ok(refused_quietly(ctx, draft.into_outcome(), &error));
        }
    };
    if let Prepared::OtherArguments = prepared {
        return Err(review::mismatch("The confirm_token was issued for other arguments.", json!({})));
    }
    let seen = prepared.seen()?;
    let plan = plan::plan(seen);
    if let Err(error) = review::check_plan(ctx, seen, &row, &plan) {
        // What was reviewed no longer exists: the token can never become good again.
        let mut draft = ctx.draft();
        review::spend(&mut draft, token)?;
        return Ok(refused_quietly(ctx, draft.into_outcome(), &error));
    }
    check_adopt(ctx, &plan)?;
    seen.refuse_links()?;
    let mut out = apply(ctx, seen, &plan)?;
    let mut draft = ctx.draft();
    review::spend(&mut draft, token)?;
    out.quiet = !out.changes_something();
    out.counters.extend(draft.into_outcome().counters);
    Ok(out)
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
fn check_adopt(ctx: &Ctx, plan: &Plan) -> Result<()> {
    let mut paths: Vec<_> =
        plan.changes.iter().filter(|c| c.adopt).map(|c| super::envelope::shown(&c.spot.path)).collect();
    if paths.is_empty() || ctx.call.flag("adopt") {
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

fn apply(ctx: &Ctx, seen: &Seen, plan: &Plan) -> Result<Outcome> {
    let id = rows::next_snapshot_id(ctx)?;
    let mut writes = Writes::new(ctx);
    for change in &plan.changes {
        let path = &change.spot.path;
        let known = seen.files.get(&change.spot);
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
    let snapshot = Snapshot {
        id: id.to_string(),
        kind: "deploy".into(),
        created_at: ctx.now,
        project: seen.place.project.clone(),
        repo: seen.place.repo.clone(),
        profile: seen.args.profile.clone(),
        targets: seen.targets.iter().map(|t| t.to_string()).collect(),
        roots: parts.into_iter().flatten().collect(),
        create: plan.count(Op::Create),
        update: plan.count(Op::Update),
        delete: plan.count(Op::Delete),
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

/// The rows and the record that a deploy and a rollback leave besides their files.
pub fn record(
    ctx: &Ctx,
    mut writes: Writes,
    snapshot: Snapshot,
    id: u64,
    summary: String,
) -> Result<Outcome> {
    for part in &snapshot.roots {
        let Some(root) = part.root() else { continue };
        let touched = writes.effects.iter().any(|e| e.full_path().starts_with(&part.path));
        let key = rows::head_key(&root);
        if !touched && ctx.view.row(DEPLOYS, &key)?.is_some() {
            continue;
        }
        let head = Head {
            snapshot: snapshot.id.clone(),
            workspace: ctx.session.workspace.clone(),
            repo: snapshot.repo.clone(),
            project: part.project.then(|| snapshot.project.clone()),
            root: part.path.clone(),
            base: part.base.clone(),
            target: part.target.clone(),
        };
        writes.draft.put(DEPLOYS, &key, &head)?;
    }
    writes.draft.put(SNAPSHOTS, &rows::snapshot_key(&ctx.session.workspace, id), &snapshot)?;
    let Writes { draft, effects } = writes;
    let mut out = draft.into_outcome();
    let mut targets = snapshot.targets.clone();
    targets.push(snapshot.id.clone());
    out.record = Record {
        summary,
        targets,
        paths: effects.iter().take(500).map(|e| e.full_path().to_string_lossy().into_owned()).collect(),
        data: json!({"snapshot_id": snapshot.id, "kind": snapshot.kind, "files": effects.len()}),
        ..Record::default()
    };
    out.effects = effects;
    Ok(out)
}

/// Brings a root's manifest in line with what is deployed there; an empty one goes.
fn write_manifest(
    ctx: &Ctx,
    seen: &Seen,
    index: usize,
    state: &RootState,
    id: &str,
    writes: &mut Writes,
) -> Result<Option<SnapshotRoot>> {
    let root = &state.root;
    let (mut entries, mut exec) = (Entries::new(), Vec::new());
    for (spot, known, output) in seen.wanted() {
        if known.root != Some(index) {
            continue;
        }
        let Ok(rel) = spot.path.strip_prefix(&root.path) else { continue };
        let path = super::envelope::posix(&super::envelope::shown(rel));
        if output.exec {
            exec.push(path.clone());
        }
        let entry =
            Entry { path: path.clone(), sha256: output.content.sha.clone(), module_ids: output.module_ids() };
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
