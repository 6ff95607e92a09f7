//! Putting a pack into the store: its row, the anchors of its refs, the record of the operation and the answer.

use crate::core::{Ctx, Draft, Outcome, Record, Result};

use super::actions::Action;
use super::errors::conflict;
use super::gate::Repair;
use super::model::ContextPack;
use super::reply::{Extra, written_reply};
use super::rows::{PACKS, pack_key, space_of};
use super::rules;

const ID_TRIES: usize = 8;

/// A pack to be stored, and what goes with it.
pub struct PackToStore<'a> {
    pub action: Action,
    pub pack: &'a ContextPack,
    /// A document brings its own revision.
    pub min_rev: u64,
    pub repairs: Vec<Repair>,
    /// What the reply says beside the pack.
    pub extra: Extra,
}

impl PackToStore<'_> {
    /// Writes the row with its new anchors and answers with what became of the pack.
    pub fn outcome(self, ctx: &Ctx) -> Result<Outcome> {
        let mut draft = ctx.draft();
        let rev = save(&mut draft, &space_of(ctx.session), self.pack, self.min_rev, &self.repairs)?;
        let mut out = draft.into_outcome();
        out.reply = written_reply(ctx, self.action, (self.pack, rev), &out.changes, &self.extra)?;
        out.record = record(self.action, self.pack);
        Ok(out)
    }
}

/// Puts a pack and its new anchors into a draft; the new revision.
pub fn save(
    draft: &mut Draft,
    space: &str,
    pack: &ContextPack,
    min_rev: u64,
    repairs: &[Repair],
) -> Result<u64> {
    let rev = draft.put_at_least(PACKS, &pack_key(space, &pack.id), pack, min_rev)?;
    for repair in repairs {
        repair.put(draft, space, &pack.id)?;
    }
    Ok(rev)
}

pub fn record(action: Action, pack: &ContextPack) -> Record {
    let called = pack.name.as_deref().or(pack.title.as_deref());
    let called = called.map(|n| format!(" ({n})")).unwrap_or_default();
    Record {
        summary: format!("{} of pack {}{called}", action.as_str().replace('_', " "), pack.id),
        targets: vec![pack.id.clone()],
        ..Record::default()
    }
}

/// An id that no pack of the space has or ever had: a deleted pack may be brought back by undo.
pub fn free_id(ctx: &Ctx, space: &str) -> Result<String> {
    for _ in 0..ID_TRIES {
        let id = format!("pk_{}", ctx.ids.letters(rules::ID_ALPHABET, rules::ID_LETTERS));
        let key = pack_key(space, &id);
        if ctx.view.row(PACKS, &key)?.is_none() && ctx.view.grave(PACKS, &key)?.is_none() {
            return Ok(id);
        }
    }
    Err(conflict("no free pack id was found; call again"))
}
