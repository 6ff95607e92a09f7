//! `history_revert`: takes back one named operation, however old, as a new one that can itself be undone.

use serde::Deserialize;

use crate::core::apart::Changed;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool, Writes, history};

use super::take_back::{self, Turn};

pub struct Revert;

#[derive(Debug, Deserialize)]
pub struct RevertArgs {
    operation_id: String,
    #[serde(default)]
    yes: bool,
}

impl Tool for Revert {
    type Args = RevertArgs;
    type Seen = Changed;
    const NAME: &'static str = "history_revert";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &RevertArgs) -> Result<Changed> {
        let step = history::revert(look, args.operation_id.trim());
        Ok(take_back::look(look, step))
    }

    fn decide(ctx: &Ctx, args: &RevertArgs, changed: &Changed) -> Result<Outcome> {
        let step = history::revert(ctx, args.operation_id.trim())?;
        take_back::outcome(ctx, step, changed, args.yes, Turn::Revert)
    }
}
