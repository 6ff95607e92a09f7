//! `now`: where am I? Takes nothing, never fails, and is short.

use crate::core::{Ctx, Look, Needs, NoArguments, Outcome, Reply, Result, Tool};

use super::super::{looks, reply, standing};

pub struct Now;

impl Tool for Now {
    type Args = NoArguments;
    type Seen = String;
    const NAME: &'static str = "now";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &NoArguments) -> Result<String> {
        Ok(reply::written(&standing::of(look)))
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, seen: &String) -> Result<Outcome> {
        // Whether it is remembered that this session looked is no reason to say nothing.
        let mut outcome = looks::looked(ctx).unwrap_or_default();
        outcome.reply = Reply::text(seen.as_str());
        Ok(outcome)
    }
}
