//! `status`: how the disk differs from what was deployed.

use serde::Deserialize;

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::drift;
use crate::families::deploy::reply::answer;
use crate::families::deploy::state::{self, DeployState};

pub struct ShowStatus;

#[derive(Debug, Deserialize)]
pub struct StatusArgs {
    #[serde(flatten)]
    common: CommonArgs,
    #[serde(default)]
    only: Vec<String>,
}

impl Tool for ShowStatus {
    type Args = StatusArgs;
    type Seen = DeployState;
    const NAME: &'static str = "status";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &StatusArgs) -> Result<DeployState> {
        state::look(look, &args.common.of(look.call), true)
    }

    fn decide(ctx: &Ctx, args: &StatusArgs, state: &DeployState) -> Result<Outcome> {
        let report = drift::report(state);
        Ok(Outcome::reply(answer(ctx, state, report.data(state, &args.only), &report.warnings)))
    }
}
