//! `deploy`: the plan to review, and the token that applies exactly it. Writes nothing.

use serde_json::json;

use crate::core::ctx::Explanation;
use crate::core::layout::Next;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::diffs;
use crate::families::deploy::errors::details;
use crate::families::deploy::explained;
use crate::families::deploy::manifest;
use crate::families::deploy::offers::{plan_uri, reviewed_uri};
use crate::families::deploy::plan::{self, DeployPlan, PlannedChange};
use crate::families::deploy::reply::{about, shown};
use crate::families::deploy::rows::{self, ReviewedPlan, TOKENS};
use crate::families::deploy::state::{self, DeployState};
use crate::families::deploy::tools::DeployApply;

const TTL_SECONDS: i64 = 600;
/// Files that are named one by one.
const MOST_TOLD: usize = 5;

pub struct Review;

impl Tool for Review {
    type Args = CommonArgs;
    type Seen = DeployState;
    const NAME: &'static str = "deploy";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &CommonArgs) -> Result<DeployState> {
        state::look(look, &args.of(look.call), false)
    }

    fn decide(ctx: &Ctx, _args: &CommonArgs, state: &DeployState) -> Result<Outcome> {
        state.refuse_links()?;
        let plan = plan::plan(state);
        let hash = plan.hash(state, ctx.session);
        let mut data = plan.deploy_data(state);
        data["confirm_plan_hash"] = json!(hash);
        if ctx.call.preview {
            let seen = about(ctx, state, data, &plan.warnings, &plan_uri(&state.args));
            return Ok(Outcome::reply(seen.with("diffs", diffs::texts(state, &plan)).reply()));
        }
        let token = format!("{:032x}{:032x}", ctx.ids.random(), ctx.ids.random());
        let expires_at = ctx.now.plus_seconds(TTL_SECONDS);
        let mut draft = ctx.draft();
        let mut contents = Vec::new();
        for change in &plan.changes {
            if let Some(output) = state.files.get(&change.at).and_then(|known| known.wanted.as_ref()) {
                draft.keep_blob(&output.content.sha, &output.content.bytes)?;
                contents.push(output.content.sha.clone());
            }
        }
        let row = ReviewedPlan {
            workspace: ctx.session.workspace.clone(),
            plan_hash: hash.clone(),
            binding: details(&state.args.binding(ctx.session, &state.place.detected_machine)),
            expires_at,
            plan: draft.put_blob(data.to_string().into_bytes()),
            contents,
        };
        draft.put(TOKENS, &rows::token_key(&token), &row)?;
        data["confirm_token"] = json!(&token);
        data["confirm_token_expires_at"] = json!(manifest::nanos(expires_at));
        let uri = reviewed_uri(&hash);
        let mut out = draft.into_outcome();
        // A reviewed plan is bookkeeping: there is nothing to undo about having looked.
        out.quiet = true;
        let warnings = [plan.warnings.clone(), adopted(&plan)].concat();
        out.reply = about(ctx, state, data, &warnings, &uri)
            .next(
                Next::call(DeployApply::NAME)
                    .all(state.args.common())
                    .with("yes", true)
                    .with("confirm_token", token),
            )
            .with("diffs", diffs::texts(state, &plan))
            .reply();
        Ok(out)
    }

    fn explain(_ctx: &Ctx, _args: &CommonArgs, state: Option<&DeployState>) -> Explanation {
        explained(Self::NAME, state)
    }
}

/// Files of others are overwritten only by somebody who says so; whoever reviews the plan learns it here and not from
/// a refusal.
fn adopted(plan: &DeployPlan) -> Vec<String> {
    let told = |c: &PlannedChange| {
        format!(
            "{} is not packd's and would be overwritten; deploy_apply wants adopt=true for it",
            shown(&c.at.path)
        )
    };
    plan.changes.iter().filter(|c| c.adopt).take(MOST_TOLD).map(told).collect()
}
