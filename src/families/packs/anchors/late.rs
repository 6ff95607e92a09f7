//! Anchors that reads made: put beside the packs quietly, and taken away when their pack is gone.

use std::sync::{Mutex, PoisonError};

use super::super::rows::{PACKS, key_parts, pack_key};
use super::anchor::{LATE_ANCHORS, NewAnchor};
use crate::core::ctx::Sweep;
use crate::core::{Ctx, Key, Outcome, Result, RowQuery};

const TOOL: &str = "packs_forget";
/// Rows looked at in one sweep.
const STEP: usize = 256;

/// What a read has learnt, as an outcome that is no operation.
pub fn learnt(ctx: &Ctx, new: &[(Key, NewAnchor)]) -> Result<Outcome> {
    let mut draft = ctx.draft();
    for (key, one) in new {
        one.put(&mut draft, key)?;
    }
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    Ok(outcome)
}

/// Where the last sweep stopped.
#[derive(Default)]
pub struct SweptTo(Mutex<Option<Key>>);

/// Looks at some late anchors, a few further each time, and drops those whose pack is gone.
pub fn sweep(ctx: &Ctx, swept_to: &SweptTo) -> Result<Option<Sweep>> {
    let mut at = swept_to.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mut query = RowQuery::new(LATE_ANCHORS, Key::empty()).limit(STEP);
    if let Some(from) = at.take() {
        query = query.from(from);
    }
    let rows = ctx.view.rows(&query)?;
    *at = rows.last().filter(|_| rows.len() == STEP).map(|(key, _)| key.clone());
    let mut draft = ctx.draft();
    for (key, _) in &rows {
        let there = match key_parts(key) {
            Some((space, id)) => ctx.view.row(PACKS, &pack_key(&space, &id))?.is_some(),
            None => false,
        };
        if !there {
            draft.delete(LATE_ANCHORS, key)?;
        }
    }
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    Ok(outcome.changes_something().then(|| Sweep { workspace: String::new(), tool: TOOL, outcome }))
}
