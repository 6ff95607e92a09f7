//! `amof_scope_global`: the session leaves its ecosystem.

use crate::core::arguments::NoArguments;
use crate::core::{Ctx, Look, Outcome, Result, Tool};
use crate::families::ecosystems::scope::{SessionScope, answer, concerns, moved};

pub struct ScopeGlobal;

impl Tool for ScopeGlobal {
    type Args = NoArguments;
    type Seen = ();
    const NAME: &'static str = "amof_scope_global";

    fn look(_look: &Look, _args: &NoArguments) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, _seen: &()) -> Result<Outcome> {
        let scope = SessionScope::of(ctx)?;
        if scope == SessionScope::default() {
            return answer(ctx, &scope, "You were already in the global scope.".into()).outcome(ctx);
        }
        moved(ctx, &SessionScope::default(), "Back in the global scope.".into())
    }

    fn concerns(ctx: &Ctx, _args: &NoArguments) -> Vec<String> {
        concerns(ctx, None)
    }
}
