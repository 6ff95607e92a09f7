//! `amof_confirm`: says yes to a previewed call, which then runs exactly as previewed. The engine takes the token and runs
//! it; the answer is that of the call itself.

use serde::Deserialize;

use crate::core::tool::Act;
use crate::core::{Ctx, Error, Look, Outcome, Result, Tool, confirm};

pub struct ModesConfirm;

#[derive(Debug, Deserialize)]
pub struct ModesConfirmArgs {
    token: String,
    #[serde(default)]
    typed_value: Option<String>,
    /// Answer once the run that it starts has ended.
    #[serde(default)]
    wait_seconds: Option<u64>,
}

impl Tool for ModesConfirm {
    type Args = ModesConfirmArgs;
    type Seen = ();
    const NAME: &'static str = "amof_confirm";

    fn look(_look: &Look, _args: &ModesConfirmArgs) -> Result<()> {
        Ok(())
    }

    fn act(args: &ModesConfirmArgs) -> Option<Act> {
        let typed = args.typed_value.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        Some(Act::Confirm {
            token: args.token.trim().to_string(),
            typed: typed.map(str::to_string),
            wait: args.wait_seconds,
        })
    }

    fn concerns(ctx: &Ctx, args: &ModesConfirmArgs) -> Vec<String> {
        confirm::concerned(ctx, args.token.trim())
    }

    fn decide(_ctx: &Ctx, _args: &ModesConfirmArgs, _seen: &()) -> Result<Outcome> {
        Err(Error::internal("A confirmation is the engine's to take."))
    }
}
