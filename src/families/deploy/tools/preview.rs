//! `preview`: the plan, with `diff` also the text of it. Gives no token: `deploy` does.

use serde::Deserialize;
use serde_json::json;

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::diffs;
use crate::families::deploy::offers::plan_uri;
use crate::families::deploy::plan;
use crate::families::deploy::reply::{MAX_BYTES, answer, cut};
use crate::families::deploy::state::{self, DeployState};

pub struct Preview;

#[derive(Debug, Deserialize)]
pub struct PreviewArgs {
    #[serde(flatten)]
    common: CommonArgs,
    #[serde(default)]
    diff: bool,
}

impl Tool for Preview {
    type Args = PreviewArgs;
    type Seen = DeployState;
    const NAME: &'static str = "preview";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &PreviewArgs) -> Result<DeployState> {
        state::look(look, &args.common.of(look.call), false)
    }

    fn decide(ctx: &Ctx, args: &PreviewArgs, state: &DeployState) -> Result<Outcome> {
        let plan = plan::plan(state);
        let mut warnings = plan.warnings.clone();
        let mut inner = json!({"changes": plan.list(), "summary": plan.summary()});
        let mut links = Vec::new();
        cut(&mut inner, "changes", &plan_uri(&state.args), &mut links);
        let mut data =
            json!({"profile": state.args.profile, "targets": state.targets, "plan": inner.clone()});
        if args.diff {
            // The list of changes is in the plan already, which may be long.
            inner["files"] = diffs::files(ctx, state, &plan, &mut warnings);
            if inner.to_string().len() > MAX_BYTES {
                inner["changes"] = json!([]);
                cut(&mut inner, "files", &plan_uri(&state.args), &mut links);
            }
            data["diff"] = inner;
        }
        let mut reply = answer(ctx, state, data, &warnings);
        reply.links.extend(links);
        Ok(Outcome::reply(reply))
    }
}
