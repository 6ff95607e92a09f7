//! `plan`: what a deploy would create, update and delete.

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::plan;
use crate::families::deploy::reply::answer;
use crate::families::deploy::state::{self, DeployState};

pub struct ShowPlan;

impl Tool for ShowPlan {
    type Args = CommonArgs;
    type Seen = DeployState;
    const NAME: &'static str = "plan";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &CommonArgs) -> Result<DeployState> {
        state::look(look, &args.of(look.call), false)
    }

    fn decide(ctx: &Ctx, _args: &CommonArgs, state: &DeployState) -> Result<Outcome> {
        let plan = plan::plan(state);
        Ok(Outcome::reply(answer(ctx, state, plan.data(state), &plan.warnings)))
    }
}
