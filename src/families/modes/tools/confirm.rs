//! `amof_confirm`: says yes to a previewed call, which then runs exactly as previewed. The engine takes the token and runs
//! it; the answer is that of the call itself.

use serde::Deserialize;

use crate::core::tool::Act;
use crate::core::{Ctx, Error, Look, Outcome, Result, Tool, confirm};

pub struct Confirm;

#[derive(Debug, Deserialize)]
pub struct ConfirmArgs {
    token: String,
    #[serde(default)]
    typed_value: Option<String>,
    /// Answer once the run that it starts has ended.
    #[serde(default)]
    wait_seconds: Option<u64>,
}

impl Tool for Confirm {
    type Args = ConfirmArgs;
    type Seen = ();
    const NAME: &'static str = "amof_confirm";

    fn look(_look: &Look, _args: &ConfirmArgs) -> Result<()> {
        Ok(())
    }

    fn act(args: &ConfirmArgs) -> Option<Act> {
        let typed = args.typed_value.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        Some(Act::Confirm {
            token: args.token.trim().to_string(),
            typed: typed.map(str::to_string),
            wait: args.wait_seconds,
        })
    }

    fn concerns(ctx: &Ctx, args: &ConfirmArgs) -> Vec<String> {
        confirm::concerned(ctx, args.token.trim())
    }

    fn decide(_ctx: &Ctx, _args: &ConfirmArgs, _seen: &()) -> Result<Outcome> {
        Err(Error::internal("A confirmation is the engine's to take."))
    }
}
