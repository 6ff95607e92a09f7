//! `input` action `delete`: takes a pack and the anchors of its refs away, as one operation that can be undone.

use serde::Serialize;

use crate::core::{Ctx, Outcome, Result};

use super::super::anchors::anchor::forget;
use super::super::reply::reply;
use super::super::rows::PACKS;
use super::super::store::record;
use super::{Action, PackTarget};

#[derive(Serialize)]
struct Deleted<'a> {
    deleted: bool,
    id: &'a str,
    revision: u64,
}

pub fn decide(ctx: &Ctx, target: &PackTarget) -> Result<Outcome> {
    let found = target.find(ctx)?;
    let mut draft = ctx.draft();
    draft.delete(PACKS, &found.key)?;
    forget(&mut draft, &found.key)?;
    let mut out = draft.into_outcome();
    out.reply = reply(Action::Delete, Deleted { deleted: true, id: &found.pack.id, revision: found.rev });
    out.record = record(Action::Delete, &found.pack);
    Ok(out)
}
