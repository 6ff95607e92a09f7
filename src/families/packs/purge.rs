//! Expiry: packs whose time is over leave the store as operations of their own, so that a purge can be undone.
//!
//! Reads never purge: an expired pack is invisible to them at once and costs them nothing.

use std::collections::BTreeMap;

use crate::core::ctx::Sweep;
use crate::core::mirrored::RootStanding;
use crate::core::{Ctx, Draft, Outcome, Record, Result, Timestamp, row};

use super::anchors::anchor::forget;
use super::errors::conflict;
use super::model::ContextPack;
use super::rows::{PACKS, due, everywhere, holders, in_project, key_parts, pack_key, status_group, stored};

pub const TOOL: &str = "packs_purge";
/// Packs of one sweep: keeps a single undo, and a single commit, of a bearable size.
const BATCH: usize = 256;
/// What a pack that undo brings back has left to live, if its own time is over.
const REVIVED_SECONDS: i64 = 60 * 60;

/// One operation for every space and workspace that has expired packs. Those of a project that has files of them
/// are left to [`of_space`]: nothing vanishes from a work tree while nobody works there.
pub fn sweep(ctx: &Ctx) -> Result<Vec<Sweep>> {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let standing = ctx.prepared::<RootStanding>().ok();
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut found = 0;
    for entry in due(ctx.view, everywhere(), ctx.now, usize::MAX)? {
        let mut parts = entry.sort.parts();
        if let (Some(_), Some(space), Some(id)) = (parts.number(), parts.text(), parts.text()) {
            let workspace = row::decode::<String>(&entry.value).unwrap_or_default();
            let stands = || standing.is_some_and(|s| (s.0)(&space));
            if in_project(&space, &workspace) && *known.entry(space.clone()).or_insert_with(stands) {
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

/// A pack that comes back after its time is over gets an hour, or nobody could see it.
pub fn revive(value: Vec<u8>, now: Timestamp) -> Result<Vec<u8>> {
    match ContextPack::decode(&value) {
        Ok(mut pack) if pack.expired(now) => {
            pack.expires_at = now.plus_seconds(REVIVED_SECONDS);
            row::encode(&pack)
        }
        _ => Ok(value),
    }
}

/// Refuses to bring back a pack whose name another one holds by now.
pub fn check_restore(draft: &Draft, now: Timestamp) -> Result<()> {
    for change in draft.changes().filter(|c| c.table == PACKS.0) {
        let (Some(after), Some((space, id))) = (&change.after, key_parts(&change.key)) else { continue };
        let Ok(ContextPack { name: Some(name), .. }) = ContextPack::decode(&after.value) else { continue };
        if let Some(other) = holders(draft, &space, &name, now)?.into_iter().find(|h| *h != id) {
            return Err(conflict(format!("the name '{name}' of pack {id} is taken by pack {other} now"))
                .hint("Delete the other pack first."));
        }
    }
    Ok(())
}
