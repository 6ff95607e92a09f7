//! Files of an operation that were changed since, where each of its files is taken back by itself: they stay, are named,
//! and do not keep the others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use super::snapshot::LostFile;
use super::view::LogQuery;
use super::{Ctx, Effect, Error, Kind, Op, OpStatus, Outcome, Result, World};

/// A file that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StayingFile {
    pub path: PathBuf,
    pub because: String,
}

/// Paths that are not what their effects expect.
pub type ChangedPaths = BTreeSet<PathBuf>;

/// Which of these files are not what is expected of them.
pub fn changed(world: &dyn World, effects: &[Effect]) -> ChangedPaths {
    let stands = world.stands(effects);
    effects.iter().zip(stands).filter(|(_, stands)| !stands).map(|(effect, _)| effect.full_path()).collect()
}

/// Takes the files that were changed since out of what is to be done, and those that cannot come back are named, too.
/// Where nothing is left to be done, that is an error that names them all.
pub fn set_aside(
    ctx: &Ctx,
    op: &Op,
    outcome: &mut Outcome,
    changed: &ChangedPaths,
) -> Result<Vec<StayingFile>> {
    if !op.file_by_file {
        return Ok(Vec::new());
    }
    let mut stay = Vec::new();
    let mut left = Vec::new();
    for effect in std::mem::take(&mut outcome.effects) {
        let path = effect.full_path();
        if changed.contains(&path) {
            stay.push(StayingFile { because: because(ctx, op, &effect.path)?, path });
        } else {
            left.push(effect);
        }
    }
    outcome.effects = left;
    let lost = op.data.get("not_reversible").cloned().unwrap_or_default();
    let tree = Path::new(op.data["tree"].as_str().unwrap_or_default());
    for LostFile { path, because } in serde_json::from_value::<Vec<LostFile>>(lost).unwrap_or_default() {
        stay.push(StayingFile { path: tree.join(path), because });
    }
    if !stay.is_empty() && !outcome.changes_something() {
        return Err(conflict(&op.id, &stay));
    }
    if !stay.is_empty() {
        outcome.record.data["left"] = json!(stay);
    }
    Ok(stay)
}

/// Nothing of it can be taken back.
pub fn conflict(id: &str, stay: &[StayingFile]) -> Error {
    let names: Vec<String> =
        stay.iter().take(5).map(|s| format!("{} ({})", s.path.display(), s.because)).collect();
    let more = if stay.len() > 5 { format!(" and {} more", stay.len() - 5) } else { String::new() };
    let message = format!("Nothing of {id} can be taken back: {}{more}.", names.join(", "));
    Error::new(Kind::Conflict, "undo_conflict", message)
        .hint("Take back what changed these files since, or leave things as they are. Nothing was changed.")
        .details(json!({"operation_id": id, "clashes": stay}))
}

/// With the operation that changed it since, where one is known.
fn because(ctx: &Ctx, op: &Op, path: &Path) -> Result<String> {
    let name = path.to_string_lossy().into_owned();
    let page = ctx.view.log().ops(&LogQuery {
        workspace: Some(op.workspace.clone()),
        paths: vec![name],
        after: Some(op.seq),
        limit: 20,
        ..LogQuery::default()
    })?;
    let later = page.ops.iter().rev().find(|later| later.status == OpStatus::Done);
    Ok(match later {
        Some(later) => format!("it was changed since: {} ({})", later.summary, later.id),
        None => "it was changed since, by nobody packd knows of".to_string(),
    })
}
