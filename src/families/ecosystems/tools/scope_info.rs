//! `amof_scope_info`: where this session is, and its mode.

use crate::core::arguments::NoArguments;
use crate::core::{Ctx, Look, Outcome, Result, Tool};
use crate::families::ecosystems::scope::{SessionScope, answer};

pub struct ScopeInfo;

impl Tool for ScopeInfo {
    type Args = NoArguments;
    type Seen = ();
    const NAME: &'static str = "amof_scope_info";

    fn look(_look: &Look, _args: &NoArguments) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, _seen: &()) -> Result<Outcome> {
        let scope = SessionScope::of(ctx)?;
        let summary = format!("You are in {}, mode {}.", scope.place(), ctx.call.mode.as_str());
        answer(ctx, &scope, summary).outcome(ctx)
    }
}
