//! `amof_release_promote`: a pre-release becomes beta, rc or stable, as a run.

use serde::Deserialize;

use crate::core::run::RunDone;
use crate::core::{Ctx, Error, Kind, Outcome, Result};
use crate::families::ecosystems::args::{CallSubject, NamesSubject, said};
use crate::families::ecosystems::release_facts::facts;
use crate::families::ecosystems::releasing::{self, ReleasingArgs, WantedRelease, released};
use crate::families::ecosystems::rows::EcosystemId;
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan};
use crate::families::ecosystems::survey::{Depth, Survey};
use crate::families::ecosystems::version::ReleaseStage;

pub struct ReleasePromote;

#[derive(Debug, Deserialize)]
pub struct ReleasePromoteArgs {
    #[serde(default, deserialize_with = "said")]
    target: Option<String>,
    #[serde(flatten)]
    release: ReleasingArgs,
}

impl NamesSubject for ReleasePromoteArgs {
    fn named(&self) -> CallSubject<'_> {
        self.release.named()
    }
}

impl PlansRun for ReleasePromote {
    type Args = ReleasePromoteArgs;
    const NAME: &'static str = "amof_release_promote";
    const DEPTH: Depth = Depth::Release;

    fn plan(ctx: &Ctx, args: &ReleasePromoteArgs, survey: &Survey) -> Result<RunPlan> {
        let facts = facts(survey)?;
        let Some(current) = facts.current() else {
            return Err(Error::new(
                Kind::State,
                "no_release",
                format!("{} has no release to promote.", facts.target),
            )
            .hint("Use amof_release_bump for the first one."));
        };
        let target = args.target.as_deref().and_then(ReleaseStage::parse);
        let version =
            current.promote(target).map_err(|why| Error::new(Kind::State, "cannot_promote", why))?;
        let wanted = WantedRelease { version, action: "promote", part: None };
        releasing::plan(ctx, survey, &wanted, &args.release)
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        released(ctx, id, done)
    }
}
