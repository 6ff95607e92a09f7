//! Expiry: packs whose time is over leave the store as operations of their own, so that a purge can be undone.
//!
//! Reads never purge: an expired pack is invisible to them at once and costs them nothing.

use std::collections::BTreeMap;

use crate::core::ctx::Sweep;
use crate::core::{Ctx, Draft, Record, Result, Timestamp, row};

use super::errors::conflict;
use super::model::Pack;
use super::shelf::{PACKS, due, everywhere, holders, key_parts, pack_key};

const TOOL: &str = "packs_purge";
/// Packs of one sweep: keeps a single undo, and a single commit, of a bearable size.
const BATCH: usize = 256;
/// What a pack that undo brings back has left to live, if its own time is over.
const REVIVED_SECONDS: i64 = 60 * 60;

/// One operation for every space and workspace that has expired packs.
pub fn sweep(ctx: &Ctx) -> Result<Vec<Sweep>> {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for entry in due(ctx.view, everywhere(), ctx.now, BATCH)? {
        let mut parts = entry.sort.parts();
        if let (Some(_), Some(space), Some(id)) = (parts.number(), parts.text(), parts.text()) {
            let workspace = row::decode::<String>(&entry.value).unwrap_or_default();
            places.entry((space, workspace)).or_default().push(id);
        }
    }
    let purge = |((space, workspace), ids): ((String, String), Vec<String>)| {
        let mut draft = ctx.draft();
        for id in &ids {
            draft.delete(PACKS, &pack_key(&space, id))?;
        }
        let mut outcome = draft.into_outcome();
        let noun = if ids.len() == 1 { "pack" } else { "packs" };
        let summary = format!("purge of {} expired {noun}", ids.len());
        outcome.record = Record { summary, targets: ids, ..Record::default() };
        Ok(Sweep { workspace, tool: TOOL, outcome })
    };
    places.into_iter().map(purge).collect()
}

/// A pack that comes back after its time is over gets an hour, or nobody could see it.
pub fn revive(value: Vec<u8>, now: Timestamp) -> Result<Vec<u8>> {
    match Pack::decode(&value) {
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
        let Ok(Pack { name: Some(name), .. }) = Pack::decode(&after.value) else { continue };
        if let Some(other) = holders(draft, &space, &name, now)?.into_iter().find(|h| *h != id) {
            return Err(conflict(format!("the name '{name}' of pack {id} is taken by pack {other} now"))
                .hint("Delete the other pack first."));
        }
    }
    Ok(())
}
