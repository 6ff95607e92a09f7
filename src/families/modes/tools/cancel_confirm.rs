//! `amof_cancel_confirm`: gives a confirmation up. Not an operation: it is audited, never undone.

use serde::{Deserialize, Serialize};

use super::SCOPE;
use super::list_pending::ListPending;
use crate::core::confirm::{self, steps};
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Outcome, Result, Tool};

pub struct CancelConfirm;

#[derive(Debug, Deserialize)]
pub struct CancelArgs {
    token: String,
}

#[derive(Serialize)]
struct Cancelled<'a> {
    cancelled: bool,
    tool: &'a str,
}

impl Tool for CancelConfirm {
    type Args = CancelArgs;
    type Seen = ();
    const NAME: &'static str = "amof_cancel_confirm";

    fn look(_look: &Look, _args: &CancelArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &CancelArgs, _seen: &()) -> Result<Outcome> {
        let key = confirm::named(ctx.view, ctx.session, args.token.trim())?;
        let person = ctx.session.is_person();
        let session = (!person).then_some(ctx.session.id.as_str());
        let mut draft = ctx.draft();
        let pending = confirm::cancel(&mut draft, &key, session, ctx.now)?;
        let mut outcome = draft.into_outcome();
        outcome.quiet = true;
        outcome.audit = true;
        outcome.record = steps::step("cancelled", &key, &pending, if person { "person" } else { "agent" })?;
        outcome.reply = Answer::new(format!("Given up: {}", pending.summary))
            .fields(Cancelled { cancelled: true, tool: &pending.tool })
            .next(Next::call(ListPending::NAME))
            .next(Next::call(SCOPE))
            .reply(ctx);
        Ok(outcome)
    }

    fn concerns(ctx: &Ctx, args: &CancelArgs) -> Vec<String> {
        confirm::concerned(ctx, args.token.trim())
    }
}
