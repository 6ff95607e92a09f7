//! `deploy_snapshots`: where `rollback` can go back to, newest first.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::arguments::trimmed;
use crate::core::{Ctx, Look, Outcome, Result, Tool};
use crate::families::deploy::manifest;
use crate::families::deploy::reply::{self, shown};
use crate::families::deploy::rows::{self, DeploymentSnapshot};

pub struct DeploySnapshots;

#[derive(Debug, Deserialize)]
pub struct SnapshotsArgs {
    #[serde(default, deserialize_with = "trimmed")]
    target: Option<String>,
    limit: Option<usize>,
}

impl Tool for DeploySnapshots {
    type Args = SnapshotsArgs;
    type Seen = ();
    const NAME: &'static str = "deploy_snapshots";

    fn look(_look: &Look, _args: &SnapshotsArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &SnapshotsArgs, _seen: &()) -> Result<Outcome> {
        let limit = args.limit.unwrap_or(50);
        let target = args.target.as_deref().filter(|t| *t != "all");
        let current: BTreeSet<String> = rows::heads(ctx.view)?.into_iter().map(|h| h.snapshot).collect();
        let all = rows::snapshots(ctx, usize::MAX)?;
        let wanted: Vec<&DeploymentSnapshot> =
            all.iter().filter(|s| target.is_none_or(|t| s.targets.iter().any(|x| x == t))).collect();
        let shown: Vec<Value> = wanted.iter().take(limit).map(|s| describe(s, &current)).collect();
        let data = json!({"snapshots": shown, "total": wanted.len()});
        Ok(Outcome::reply(reply::ok(&ctx.call.tool, None, data, &[])))
    }
}

fn describe(snapshot: &DeploymentSnapshot, current: &BTreeSet<String>) -> Value {
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
