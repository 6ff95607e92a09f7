//! What a deploy and a rollback leave in the store besides their files: where each root stands now.

use serde::Serialize;

use super::rows::{self, DEPLOYS, DeploymentSnapshot, RootHead, SNAPSHOTS};
use super::writes::DeployWrites;
use crate::core::{Ctx, Outcome, Record, Result};

#[derive(Serialize)]
struct SnapshotRecord<'a> {
    snapshot_id: &'a str,
    kind: &'a str,
    files: usize,
}

/// The rows and the record that a deploy and a rollback leave besides their files.
pub fn record(
    ctx: &Ctx,
    mut writes: DeployWrites,
    snapshot: DeploymentSnapshot,
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
        let head = RootHead {
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
    let DeployWrites { draft, effects } = writes;
    let mut out = draft.into_outcome();
    let mut targets = snapshot.targets.clone();
    targets.push(snapshot.id.clone());
    out.record = Record {
        summary,
        targets,
        paths: effects.iter().take(500).map(|e| e.full_path().to_string_lossy().into_owned()).collect(),
        ..Record::default()
    }
    .noting(&SnapshotRecord { snapshot_id: &snapshot.id, kind: &snapshot.kind, files: effects.len() })?;
    out.effects = effects;
    Ok(out)
}
