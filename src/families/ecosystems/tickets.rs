//! Tickets: one branch and one worktree per writable repository, beside the clones. What their tools share.

use std::path::PathBuf;

use super::checkouts::LOCAL;
use super::names;
use super::rows::{self, ACTIVE, EcosystemId, TICKETS, Ticket};
use crate::core::run::{Reversal, RunDone, RunStep, StepWork};
use crate::core::{Ctx, Error, Kind, Outcome, Result};

/// What may be a ticket's name.
pub fn plain(id: &str) -> Result<&str> {
    match names::plain(id) {
        Ok(()) => Ok(id),
        Err(why) => Err(Error::invalid("invalid_ticket", why)),
    }
}

pub fn known(ctx: &Ctx, of: &EcosystemId, id: &str) -> Result<Ticket> {
    rows::ticket(ctx.view, of, id)?.ok_or_else(|| {
        Error::new(Kind::NotFound, "unknown_ticket", format!("Ecosystem {} has no ticket '{id}'.", of.name))
            .hint("amof_ticket_list shows the tickets there are.")
    })
}

/// A ticket is forgotten; another becomes the active one, if there is one.
pub fn ended_rows(ctx: &Ctx, of: &EcosystemId, id: &str) -> Result<Outcome> {
    let mut draft = ctx.draft();
    draft.delete(TICKETS, &of.key().text(id))?;
    if rows::active_ticket(ctx.view, of)?.as_deref() == Some(id) {
        let other = rows::tickets(ctx.view, of)?.into_iter().find(|t| t.id != id);
        match other {
            Some(other) => {
                draft.put(ACTIVE, &of.key(), &other.id)?;
            }
            None => draft.delete(ACTIVE, &of.key())?,
        }
    }
    Ok(draft.into_outcome())
}

/// What the run put on a list of excluded files comes off it with an undo, and on again with a redo.
pub fn keep_out(done: &RunDone, reversal: &mut Reversal) {
    let paths: Vec<PathBuf> =
        done.captured.get("excluded").into_iter().flat_map(|text| text.lines()).map(PathBuf::from).collect();
    if paths.is_empty() {
        return;
    }
    let label = "mend the list of excluded files";
    // First of all: a checkout that is gone no longer says which repository was around it.
    reversal.undo.insert(0, RunStep::new(label, StepWork::Include { paths: paths.clone() }, LOCAL));
    if let Some(redo) = &mut reversal.redo {
        redo.push(RunStep::new(label, StepWork::Exclude { paths }, LOCAL));
    }
}
