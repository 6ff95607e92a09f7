//! `history_revert`: takes back one named operation, however old, as a new one that can itself be undone.

use serde::Deserialize;

use crate::core::apart::ChangedPaths;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool, Writes, history};

use super::take_back::{self, TakeBack};

pub struct HistoryRevert;

#[derive(Debug, Deserialize)]
pub struct HistoryRevertArgs {
    operation_id: String,
    #[serde(default)]
    yes: bool,
}

impl Tool for HistoryRevert {
    type Args = HistoryRevertArgs;
    type Seen = ChangedPaths;
    const NAME: &'static str = "history_revert";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &HistoryRevertArgs) -> Result<ChangedPaths> {
        let step = history::revert(look, args.operation_id.trim());
        Ok(take_back::look(look, step))
    }

    fn decide(ctx: &Ctx, args: &HistoryRevertArgs, changed: &ChangedPaths) -> Result<Outcome> {
        let step = history::revert(ctx, args.operation_id.trim())?;
        take_back::outcome(ctx, step, changed, args.yes, TakeBack::Revert)
    }
}
