//! Expiry: packs whose time is over leave the store as operations of their own, so that a purge can be undone.
//!
//! Reads never purge: an expired pack is invisible to them at once and costs them nothing.

use std::collections::BTreeMap;

use crate::core::ctx::Sweep;
use crate::core::{Ctx, Outcome, Record, Result, row};

use super::anchors::anchor::forget;
use super::rows::{PACKS, due, everywhere, in_project, pack_key, status_group, stored};

pub const TOOL: &str = "packs_purge";
/// Packs of one sweep: keeps a single undo, and a single commit, of a bearable size.
const BATCH: usize = 256;

/// One operation for every space and workspace that has expired packs. Those of a project that has files of them
/// are left to [`of_space`]: nothing vanishes from a work tree while nobody works there.
pub fn sweep(ctx: &Ctx, stands: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut found = 0;
    for entry in due(ctx.view, everywhere(), ctx.now, usize::MAX)? {
        let mut parts = entry.sort.parts();
        if let (Some(_), Some(space), Some(id)) = (parts.number(), parts.text(), parts.text()) {
            let workspace = row::decode::<String>(&entry.value).unwrap_or_default();
            if in_project(&space, &workspace) && *known.entry(space.clone()).or_insert_with(|| stands(&space))
            {
                continue;
            }
            places.entry((space, workspace)).or_default().push(id);
            found += 1;
        }
        if found == BATCH {
            break;
        }
    }
    let purge = |((space, workspace), ids): ((String, String), Vec<String>)| {
        Ok(Sweep { workspace, tool: TOOL, outcome: remove(ctx, &space, ids)? })
    };
    places.into_iter().map(purge).collect()
}

/// The expired packs of a space whose files lie in its project; `None` = there are none.
pub fn of_space(ctx: &Ctx, space: &str) -> Result<Option<Outcome>> {
    let mut ids = Vec::new();
    for entry in due(ctx.view, status_group(space, None), ctx.now, BATCH)? {
        let mut parts = entry.sort.parts();
        if let (Some(_), Some(id)) = (parts.number(), parts.text())
            && let Some(found) = stored(ctx.view, space, &id)?
            && in_project(space, &found.pack.workspace)
        {
            ids.push(id);
        }
    }
    if ids.is_empty() { Ok(None) } else { remove(ctx, space, ids).map(Some) }
}

fn remove(ctx: &Ctx, space: &str, ids: Vec<String>) -> Result<Outcome> {
    let mut draft = ctx.draft();
    for id in &ids {
        let key = pack_key(space, id);
        draft.delete(PACKS, &key)?;
        forget(&mut draft, &key)?;
    }
    let mut outcome = draft.into_outcome();
    let noun = if ids.len() == 1 { "pack" } else { "packs" };
    let summary = format!("purge of {} expired {noun}", ids.len());
    outcome.record = Record { summary, targets: ids, ..Record::default() };
    Ok(outcome)
}
