//! Reviewed plans and the tokens they are applied with: found, judged, used up and forgotten.
//!
//! Not `core::confirm`: the contract binds a token to a plan and not to a session, knows neither questions nor typed
//! names, and has codes of its own for each way in which one can be wrong.

use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::coded;
use super::plan::DeployPlan;
use super::rows::{self, ReviewedPlan, TOKENS};
use super::state::DeployState;
use crate::core::arguments::Arguments;
use crate::core::{Ctx, Error, Outcome, Result, confirm};

/// Expired tokens are remembered so long, to be able to say that they expired.
const LINGER_SECONDS: i64 = 600;

/// What of a waiting apply keeps its plan.
#[derive(Deserialize)]
struct Applied {
    confirm_token: Option<String>,
}

pub enum TokenStanding {
    Good(ReviewedPlan),
    Refused(Error),
    /// Refused, and from now on unknown.
    Expired(Error),
}

/// Steps 2 to 4 of the contract: present, known, not expired.
pub fn find(ctx: &Ctx, token: Option<&str>) -> Result<TokenStanding> {
    let Some(token) = token else {
        return Ok(TokenStanding::Refused(
            coded("E_CONFIRM_TOKEN_REQUIRED", "deploy_apply needs the confirm_token of a reviewed deploy.")
                .hint("Call deploy, look at its plan, then send its data.confirm_token."),
        ));
    };
    let found = ctx.view.get::<ReviewedPlan>(TOKENS, &rows::token_key(token))?;
    let found = found.map(|(row, _)| row).filter(|row| row.workspace == ctx.session.workspace);
    let spent = ctx.view.counter(&rows::spent_counter(token))? > 0;
    let Some(row) = found.filter(|_| !spent) else {
        return Ok(TokenStanding::Refused(mismatch(
            "The confirm_token is unknown or was used already.",
            json!({}),
        )));
    };
    // The token had to be good when the call was made; how long a person then takes is another matter.
    if ctx.call.asked.unwrap_or(ctx.now) >= row.expires_at {
        return Ok(TokenStanding::Expired(
            coded("E_CONFIRM_TOKEN_EXPIRED", "The confirm_token has expired.")
                .hint("Call deploy again and review the new plan."),
        ));
    }
    Ok(TokenStanding::Good(row))
}

pub fn mismatch(message: &str, details: Value) -> Error {
    coded("E_CONFIRM_TOKEN_MISMATCH", message)
        .hint("Call deploy again and review the new plan.")
        .details(details)
}

/// Steps 5 and 6: the same arguments, and a plan that still is the reviewed one.
pub fn check_plan(ctx: &Ctx, seen: &DeployState, row: &ReviewedPlan, plan: &DeployPlan) -> Result<()> {
    let current = plan.hash(seen, ctx.session);
    if current == row.plan_hash {
        return Ok(());
    }
    Err(mismatch(
        "The plan is no longer the reviewed one.",
        json!({"confirm_plan_hash": current, "expected_confirm_plan_hash": row.plan_hash}),
    ))
}

/// Marks a token as used, for good.
pub fn spend(draft: &mut crate::core::Draft, token: &str) -> Result<()> {
    draft.next(&rows::spent_counter(token)).map(|_| ())
}

/// Reviewed plans that can no longer be applied, nor be told apart from unknown ones.
pub fn sweep(ctx: &Ctx) -> Result<Option<Outcome>> {
    let mut draft = ctx.draft();
    // An apply that waits for a person may still be agreed to.
    let waiting = confirm::asked(ctx.view, None, confirm::kept_since(ctx.now))?;
    let waiting: Vec<_> = waiting
        .iter()
        .filter(|(_, pending)| pending.status == confirm::ConfirmStatus::Waiting)
        .filter_map(|(_, pending)| Applied::of(&pending.args).ok()?.confirm_token)
        .map(|token| rows::token_key(&token))
        .collect();
    for (key, row) in ctx.view.rows(&crate::core::RowQuery::new(TOKENS, crate::core::Key::empty()))? {
        let token: ReviewedPlan = row.decode(TOKENS, &key)?;
        if token.expires_at.plus_seconds(LINGER_SECONDS) < ctx.now && !waiting.contains(&key) {
            draft.delete(TOKENS, &key)?;
        }
    }
    if draft.is_empty() {
        return Ok(None);
    }
    let mut out = draft.into_outcome();
    out.quiet = true;
    Ok(Some(out))
}
