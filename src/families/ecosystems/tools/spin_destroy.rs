//! `amof_spin_destroy`: the provisioner's script takes an ecosystem down, as a run.

use crate::core::run::RunDone;
use crate::core::{Ctx, Outcome, Result};
use crate::families::ecosystems::args::EcosystemArgs;
use crate::families::ecosystems::rows::EcosystemId;
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan};
use crate::families::ecosystems::spin;
use crate::families::ecosystems::survey::Survey;

pub struct SpinDestroy;

impl PlansRun for SpinDestroy {
    type Args = EcosystemArgs;
    const NAME: &'static str = "amof_spin_destroy";

    fn plan(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<RunPlan> {
        spin::plan(ctx, survey, false)
    }

    fn bound(ctx: &Ctx, survey: &Survey) -> Result<Vec<String>> {
        spin::bound(ctx, survey)
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        spin::succeeded(ctx, id, done, false)
    }

    fn fell(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        spin::fell(ctx, id, done)
    }
}
