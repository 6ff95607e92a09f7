//! `diff`: the plan with a unified diff of every file.

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::diffs;
use crate::families::deploy::plan;
use crate::families::deploy::reply::answer;
use crate::families::deploy::state::{self, DeployState};

pub struct DeployDiff;

impl Tool for DeployDiff {
    type Args = CommonArgs;
    type Seen = DeployState;
    const NAME: &'static str = "diff";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &CommonArgs) -> Result<DeployState> {
        state::look(look, &args.of(look.call), false)
    }

    fn decide(ctx: &Ctx, _args: &CommonArgs, state: &DeployState) -> Result<Outcome> {
        let plan = plan::plan(state);
        let (mut data, mut warnings) = (plan.data(state), plan.warnings.clone());
        data["files"] = diffs::files(ctx, state, &plan, &mut warnings);
        Ok(Outcome::reply(answer(ctx, state, data, &warnings)))
    }
}
