//! Packs that an undo brings back: they live for a while, and their name must still be free.

use crate::core::restored::Restored;
use crate::core::{Draft, OpKind, Result, Timestamp, row};

use super::errors::conflict;
use super::model::ContextPack;
use super::rows::{PACKS, holders, key_parts};

/// What a pack has left to live that comes back after its own time is over.
const REVIVED_SECONDS: i64 = 60 * 60;

pub struct PacksBack;

impl Restored for PacksBack {
    /// A pack that comes back after its time is over gets an hour, or nobody could see it.
    fn revive(&self, table: &str, value: Vec<u8>, now: Timestamp) -> Result<Vec<u8>> {
        if table != PACKS.0 {
            return Ok(value);
        }
        match ContextPack::decode(&value) {
            Ok(mut pack) if pack.expired(now) => {
                pack.expires_at = now.plus_seconds(REVIVED_SECONDS);
                row::encode(&pack)
            }
            _ => Ok(value),
        }
    }

    /// Refuses to bring back a pack whose name another one holds by now.
    fn check(&self, _kind: &OpKind, draft: &Draft, now: Timestamp) -> Result<()> {
        for change in draft.changes().filter(|c| c.table == PACKS.0) {
            let (Some(after), Some((space, id))) = (&change.after, key_parts(&change.key)) else { continue };
            let Ok(ContextPack { name: Some(name), .. }) = ContextPack::decode(&after.value) else {
                continue;
            };
            if let Some(other) = holders(draft, &space, &name, now)?.into_iter().find(|h| *h != id) {
                return Err(conflict(format!("the name '{name}' of pack {id} is taken by pack {other} now"))
                    .hint("Delete the other pack first."));
            }
        }
        Ok(())
    }
}
