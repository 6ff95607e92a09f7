//! `rollback`: the roots of a snapshot go back to what it left there; nothing else is touched.
//! `deploy_snapshots` lists where one can go.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::apply;
use super::envelope::{self, shown};
use super::errors::coded;
use super::manifest::{self, Entries};
use super::rows::{self, Snapshot};
use super::scout::{Scout, unreadable};
use super::seen::OnDisk;
use super::targets::Root;
use super::writes::Writes;
use crate::core::outcome::OP_ID;
use crate::core::world::ReadError;
use crate::core::{Ctx, Outcome, Result, Sha};

/// What a rollback needs to know of the disk.
pub struct RollbackSeen {
    snapshot: Snapshot,
    roots: Vec<RootThen>,
    disk: BTreeMap<PathBuf, OnDisk>,
}

struct RootThen {
    root: Root,
    then: Arc<Entries>,
    now: Arc<Entries>,
    manifest: Option<Sha>,
    exec: BTreeSet<String>,
}

pub fn look(scout: &Scout, ctx: &Ctx) -> Result<RollbackSeen> {
    let id = ctx.call.text("to").unwrap_or_default();
    let Some(snapshot) = rows::snapshot(ctx, id)? else {
        return Err(coded("E_SNAPSHOT_NOT_FOUND", format!("There is no snapshot '{id}' in this project."))
            .hint("deploy_snapshots lists what can be rolled back to.")
            .details(json!({"to": id})));
    };
    let mut roots = Vec::new();
    let mut disk = BTreeMap::new();
    for part in &snapshot.roots {
        let Some(root) = part.root() else { continue };
        let path = root.manifest();
        let mut read = |path: &Path| -> Result<Option<OnDisk>> {
            match scout.file(path)? {
                Ok((stat, content)) => {
                    let file = OnDisk { content, mode: stat.mode };
                    disk.insert(path.to_path_buf(), file.clone());
                    Ok(Some(file))
                }
                Err(ReadError::Missing) => Ok(None),
                Err(why) => Err(unreadable(path, &why)),
            }
        };
        let now = read(&path)?;
        let now = now.and_then(|f| manifest::parse(&f.content, root.target, &path, &mut Vec::new()));
        let now = match now {
            Some(entries) => entries,
            None => rows::deployed(ctx, &root)?,
        };
        let then = part.entries(ctx.view)?;
        for rel in then.keys().chain(now.keys()) {
            read(&root.path.join(rel))?;
        }
        let exec = part.exec.iter().cloned().collect();
        roots.push(RootThen { root, then, now, manifest: part.manifest.clone(), exec });
    }
    Ok(RollbackSeen { snapshot, roots, disk })
}

pub fn rollback(ctx: &Ctx, seen: &RollbackSeen) -> Result<Outcome> {
    let mut writes = Writes::new(ctx);
    let mut warnings = Vec::new();
    let (mut create, mut update, mut delete) = (0, 0, 0);
    for part in &seen.roots {
        for (rel, entry) in &*part.then {
            let path = part.root.path.join(rel);
            let now = seen.disk.get(&path);
            let wanted = &entry.sha256;
            match now {
                Some(file) if file.content.sha == *wanted => continue,
                Some(file) => {
                    update += 1;
                    if part.now.get(rel).is_none_or(|e| e.sha256 != file.content.sha) {
                        warnings.push(format!(
                            "{} was edited by hand; its content is kept and undo brings it back",
                            path.display()
                        ));
                    }
                }
                None => create += 1,
            }
            if !ctx.view.has_blob(wanted)? {
                return Err(coded(
                    "E_IO_FAILED",
                    format!("The content of {} is no longer kept.", path.display()),
                ));
            }
            writes.write_stored(&part.root, &path, now, wanted, part.exec.contains(rel))?;
        }
        for rel in part.now.keys().filter(|rel| !part.then.contains_key(*rel)) {
            let path = part.root.path.join(rel);
            if let Some(file) = seen.disk.get(&path) {
                delete += 1;
                writes.delete(&part.root, &path, file)?;
            }
        }
        let path = part.root.manifest();
        match (&part.manifest, seen.disk.get(&path)) {
            (Some(sha), now) if now.map(|f| &f.content.sha) != Some(sha) => {
                writes.write_stored(&part.root, &path, now, sha, false)?;
            }
            (None, Some(now)) => writes.delete(&part.root, &path, now)?,
            _ => {}
        }
    }
    let to = &seen.snapshot;
    let mut data = json!({
        "rolled_back_to": to.id, "event_snapshot_id": null, "targets": to.targets,
        "summary": {"create": create, "update": update, "delete": delete},
    });
    if writes.effects.is_empty() {
        data["reason"] = json!("no_changes");
        return Ok(Outcome::reply(envelope::ok(&ctx.call.tool, None, data, &warnings)));
    }
    if ctx.call.preview {
        data["reason"] = json!("dry_run");
        return Ok(Outcome::reply(envelope::ok(&ctx.call.tool, None, data, &warnings)));
    }
    let id = rows::next_snapshot_id(ctx)?;
    let event = Snapshot {
        id: id.to_string(),
        kind: "rollback".into(),
        created_at: ctx.now,
        create,
        update,
        delete,
        rolled_back_to: Some(to.id.clone()),
        ..to.clone()
    };
    data["event_snapshot_id"] = json!(event.id);
    data["operation_id"] = json!(OP_ID);
    let summary = format!("Rolled back {} to snapshot {}", to.targets.join(", "), to.id);
    let mut out = apply::record(ctx, writes, event, id, summary)?;
    out.reply = envelope::ok(&ctx.call.tool, None, data, &warnings);
    Ok(out)
}

pub fn list(ctx: &Ctx) -> Result<Outcome> {
    let limit = ctx.call.number("limit").map_or(50, |n| usize::try_from(n).unwrap_or(50)).clamp(1, 500);
    let target = ctx.call.text("target").filter(|t| *t != "all");
    let current: BTreeSet<String> = rows::heads(ctx.view)?.into_iter().map(|h| h.snapshot).collect();
    let all = rows::snapshots(ctx, usize::MAX)?;
    let wanted: Vec<&Snapshot> =
        all.iter().filter(|s| target.is_none_or(|t| s.targets.iter().any(|x| x == t))).collect();
    let shown: Vec<Value> = wanted.iter().take(limit).map(|s| describe(s, &current)).collect();
    let data = json!({"snapshots": shown, "total": wanted.len()});
    Ok(Outcome::reply(envelope::ok(&ctx.call.tool, None, data, &[])))
}

fn describe(snapshot: &Snapshot, current: &BTreeSet<String>) -> Value {
    let roots: Vec<_> = snapshot
        .roots
        .iter()
        .filter(|r| r.files > 0)
        .map(|r| json!({"target": r.target, "root": shown(&r.path), "files": r.files}))
        .collect();
    let mut out = json!({
        "snapshot_id": snapshot.id, "kind": snapshot.kind, "created_at": manifest::nanos(snapshot.created_at),
        "project": shown(&snapshot.project), "profile": snapshot.profile, "targets": snapshot.targets,
        "files": snapshot.roots.iter().map(|r| r.files).sum::<u64>(), "roots": roots,
        "summary": {"create": snapshot.create, "update": snapshot.update, "delete": snapshot.delete},
        "current": current.contains(&snapshot.id),
    });
    if let Some(to) = &snapshot.rolled_back_to {
        out["rolled_back_to"] = json!(to);
    }
    out
}
