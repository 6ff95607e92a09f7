//! `rollback`: the roots of a snapshot go back to what it left there; nothing else is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use crate::core::arguments::trimmed;
use crate::core::ctx::Explanation;
use crate::core::outcome::OP_ID;
use crate::core::world::ReadError;
use crate::core::{Ctx, Given, Look, Needs, Outcome, Result, Sha, Tool, Writes};
use crate::families::deploy::args::approved;
use crate::families::deploy::errors::coded;
use crate::families::deploy::explained;
use crate::families::deploy::file_reader::{FileReader, unreadable};
use crate::families::deploy::manifest::{self, ManifestEntries};
use crate::families::deploy::reply;
use crate::families::deploy::rows::{self, DeploymentSnapshot};
use crate::families::deploy::snapshot::record;
use crate::families::deploy::state::OnDisk;
use crate::families::deploy::targets::TargetRoot;
use crate::families::deploy::writes::DeployWrites;

pub struct Rollback;

#[derive(Debug, Deserialize)]
pub struct RollbackArgs {
    #[serde(default, deserialize_with = "trimmed")]
    to: Option<String>,
    #[serde(default)]
    yes: Given<bool>,
}

/// What a rollback needs to know of the disk.
pub struct RollbackSeen {
    snapshot: DeploymentSnapshot,
    roots: Vec<RootThen>,
    disk: BTreeMap<PathBuf, OnDisk>,
}

struct RootThen {
    root: TargetRoot,
    then: Arc<ManifestEntries>,
    now: Arc<ManifestEntries>,
    manifest: Option<Sha>,
    exec: BTreeSet<String>,
}

fn see(look: &Look, id: &str) -> Result<RollbackSeen> {
    let (reader, ctx) = (&FileReader::of(look), look.ctx);
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
            match reader.file(path)? {
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

impl Tool for Rollback {
    type Args = RollbackArgs;
    type Seen = RollbackSeen;
    const NAME: &'static str = "rollback";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &RollbackArgs) -> Result<RollbackSeen> {
        approved(Self::NAME, &args.yes, look.call.preview)?;
        see(look, args.to.as_deref().unwrap_or_default())
    }

    fn decide(ctx: &Ctx, args: &RollbackArgs, seen: &RollbackSeen) -> Result<Outcome> {
        approved(Self::NAME, &args.yes, ctx.call.preview)?;
        let mut writes = DeployWrites::new(ctx);
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
            return Ok(Outcome::reply(reply::ok(&ctx.call.tool, None, data, &warnings)));
        }
        if ctx.call.preview {
            data["reason"] = json!("dry_run");
            return Ok(Outcome::reply(reply::ok(&ctx.call.tool, None, data, &warnings)));
        }
        let id = rows::next_snapshot_id(ctx)?;
        let event = DeploymentSnapshot {
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
        let mut out = record(ctx, writes, event, id, summary)?;
        out.reply = reply::ok(&ctx.call.tool, None, data, &warnings);
        Ok(out)
    }

    fn explain(_ctx: &Ctx, _args: &RollbackArgs, _seen: Option<&RollbackSeen>) -> Explanation {
        explained(Self::NAME, None)
    }
}
