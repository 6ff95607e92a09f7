//! One edit of a pack as a call of its own: found in the revision that is known, edited, stored.

use crate::core::{Ctx, Outcome, Result};

use super::super::gate::{self, Inspection, Repair};
use super::super::model::PackStatus;
use super::super::picking::{self, PickedLines};
use super::super::reply::{Extra, written_reply};
use super::super::store::PackToStore;
use super::edit::PackEdit;
use super::fields::Fields;
use super::{Action, PackTarget, targeted_edit};

#[derive(Debug)]
pub struct Edited {
    action: Action,
    pub target: PackTarget,
    pub edit: PackEdit,
    reviewed: bool,
}

impl Edited {
    pub fn of(action: Action, fields: &Fields) -> Result<Edited> {
        let (target, edit) = targeted_edit(action, fields)?;
        Ok(Edited { action, target, edit, reviewed: fields.is_reviewed() })
    }

    /// Does it need a look at every ref?
    pub fn finalizes(&self) -> bool {
        matches!(self.edit, PackEdit::SetStatus(PackStatus::Finalized))
    }

    /// Does it need a look at source files?
    pub fn looks(&self) -> bool {
        self.finalizes() || matches!(self.edit, PackEdit::UpsertRef { .. })
    }

    pub fn decide(
        &self,
        ctx: &Ctx,
        inspection: Option<&Inspection>,
        looked: Option<&PickedLines>,
    ) -> Result<Outcome> {
        let mut edit = self.edit.clone();
        let mut found = self.target.find(ctx)?;
        let (mut repairs, mut extra) = (Vec::new(), Extra::default());
        if let (PackEdit::UpsertRef { section, item, named }, Some(looked)) = (&mut edit, looked) {
            extra = picking::settle(named, looked, item)?;
            repairs.extend(looked.new.clone().map(|new| Repair::of_edit(section, &item.key, new)));
        }
        edit.check()?;
        if self.finalizes() {
            let inspection = Inspection::of(&found, inspection)?;
            gate::check(&found, inspection, self.reviewed)?;
            repairs = gate::repair(&mut found.pack, inspection, self.reviewed);
            extra.repaired = Some(repairs.len()).filter(|n| *n > 0);
        }
        if !edit.apply(&mut found.pack, ctx.now)? && repairs.is_empty() {
            let pack = (&found.pack, found.rev);
            return written_reply(ctx, self.action, pack, &[], &extra).map(Outcome::reply);
        }
        found.pack.updated_at = ctx.now;
        PackToStore { action: self.action, pack: &found.pack, min_rev: 0, repairs, extra }.outcome(ctx)
    }
}
