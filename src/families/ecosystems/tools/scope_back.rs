//! `amof_scope_back`: the session goes back to where it was before.

use crate::core::arguments::NoArguments;
use crate::core::{Ctx, Error, Kind, Look, Outcome, Result, Tool};
use crate::families::ecosystems::scope::{SessionScope, concerns, moved};

pub struct ScopeBack;

impl Tool for ScopeBack {
    type Args = NoArguments;
    type Seen = ();
    const NAME: &'static str = "amof_scope_back";

    fn look(_look: &Look, _args: &NoArguments) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, _seen: &()) -> Result<Outcome> {
        let mut scope = SessionScope::of(ctx)?;
        let Some(before) = scope.history.pop() else {
            return Err(Error::new(Kind::State, "no_way_back", "There is no earlier scope to go back to.")
                .hint("amof_scope_info shows where you are."));
        };
        scope.ecosystem = before;
        moved(ctx, &scope, format!("Back in {}.", scope.place()))
    }

    fn concerns(ctx: &Ctx, _args: &NoArguments) -> Vec<String> {
        concerns(ctx, None)
    }
}
