//! `deploy`: the plan to review, kept with its bytes, and the token that lets exactly it be applied.

use serde_json::{Value, json};

use super::errors::coded;
use super::plan::{self, Plan};
use super::rows::{self, TOKENS, Token};
use super::seen::Seen;
use super::{answer, manifest};
use crate::core::{Ctx, Error, Outcome, Result, confirm};

const TTL_SECONDS: i64 = 600;
/// Expired tokens are remembered so long, to be able to say that they expired.
const LINGER_SECONDS: i64 = 600;

pub fn deploy(ctx: &Ctx, seen: &Seen) -> Result<Outcome> {
    seen.refuse_links()?;
    let plan = plan::plan(seen);
    let hash = plan.hash(seen, ctx.session);
    let mut data = plan.deploy_data(seen);
    data["confirm_plan_hash"] = json!(hash);
    if ctx.call.preview {
        return Ok(Outcome::reply(answer(ctx, seen, data, &plan.warnings)));
    }
    let token = format!("{:032x}{:032x}", ctx.ids.random(), ctx.ids.random());
    let expires_at = ctx.now.plus_seconds(TTL_SECONDS);
    let mut draft = ctx.draft();
    let mut contents = Vec::new();
    for change in &plan.changes {
        if let Some(output) = seen.files.get(&change.spot).and_then(|known| known.wanted.as_ref()) {
            draft.keep_blob(&output.content.sha, &output.content.bytes)?;
            contents.push(output.content.sha.clone());
        }
    }
    let row = Token {
        workspace: ctx.session.workspace.clone(),
        plan_hash: hash.clone(),
        binding: seen.args.binding(ctx.session, &seen.place.detected_machine),
        expires_at,
        plan: draft.put_blob(data.to_string().into_bytes()),
        contents,
    };
    draft.put(TOKENS, &rows::token_key(&token), &row)?;
    data["confirm_token"] = json!(token);
    data["confirm_token_expires_at"] = json!(manifest::nanos(expires_at));
    let uri = super::resource::reviewed_uri(&hash);
    let mut out = draft.into_outcome();
    // A reviewed plan is bookkeeping: there is nothing to undo about having looked.
    out.quiet = true;
    out.reply = super::answer_linked(ctx, seen, data, &plan.warnings, &uri);
    Ok(out)
}

pub enum Standing {
    Good(Token),
    Refused(Error),
    /// Refused, and from now on unknown.
    Expired(Error),
}

/// Steps 2 to 4 of the contract: present, known, not expired.
pub fn token(ctx: &Ctx) -> Result<Standing> {
    let Some(token) = ctx.call.text("confirm_token") else {
        return Ok(Standing::Refused(
            coded("E_CONFIRM_TOKEN_REQUIRED", "deploy_apply needs the confirm_token of a reviewed deploy.")
                .hint("Call deploy, look at its plan, then send its data.confirm_token."),
        ));
    };
    let found = ctx.view.get::<Token>(TOKENS, &rows::token_key(token))?;
    let found = found.map(|(row, _)| row).filter(|row| row.workspace == ctx.session.workspace);
    let spent = ctx.view.counter(&rows::spent_counter(token))? > 0;
    let Some(row) = found.filter(|_| !spent) else {
        return Ok(Standing::Refused(mismatch(
            "The confirm_token is unknown or was used already.",
            json!({}),
        )));
    };
    // The token had to be good when the call was made; how long a person then takes is another matter.
    if ctx.call.asked.unwrap_or(ctx.now) >= row.expires_at {
        return Ok(Standing::Expired(
            coded("E_CONFIRM_TOKEN_EXPIRED", "The confirm_token has expired.")
                .hint("Call deploy again and review the new plan."),
        ));
    }
    Ok(Standing::Good(row))
}

pub fn mismatch(message: &str, details: Value) -> Error {
    coded("E_CONFIRM_TOKEN_MISMATCH", message)
        .hint("Call deploy again and review the new plan.")
        .details(details)
}

/// Steps 5 and 6: the same arguments, and a plan that still is the reviewed one.
pub fn check_plan(ctx: &Ctx, seen: &Seen, row: &Token, plan: &Plan) -> Result<()> {
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
        .filter(|(_, pending)| pending.status == confirm::Status::Waiting)
        .filter_map(|(_, pending)| Some(rows::token_key(pending.args.get("confirm_token")?.as_str()?)))
        .collect();
    for (key, row) in ctx.view.rows(&crate::core::RowQuery::new(TOKENS, crate::core::Key::empty()))? {
        let token: Token = row.decode(TOKENS, &key)?;
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
