//! `amof_release_bump`: the next patch, minor or major version is released, as a run.

use serde::Deserialize;

use crate::core::run::RunDone;
use crate::core::{Ctx, Error, Outcome, Result};
use crate::families::ecosystems::args::{CallSubject, NamesSubject, said};
use crate::families::ecosystems::release_facts::facts;
use crate::families::ecosystems::releasing::{self, ReleasingArgs, WantedRelease, released};
use crate::families::ecosystems::rows::EcosystemId;
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan};
use crate::families::ecosystems::survey::{Depth, Survey};
use crate::families::ecosystems::version::{ReleaseStage, ReleaseVersion};

pub struct ReleaseBump;

#[derive(Debug, Deserialize)]
pub struct ReleaseBumpArgs {
    bump_type: String,
    #[serde(default, deserialize_with = "said")]
    pre_release: Option<String>,
    #[serde(flatten)]
    release: ReleasingArgs,
}

impl NamesSubject for ReleaseBumpArgs {
    fn named(&self) -> CallSubject<'_> {
        self.release.named()
    }
}

impl PlansRun for ReleaseBump {
    type Args = ReleaseBumpArgs;
    const NAME: &'static str = "amof_release_bump";
    const DEPTH: Depth = Depth::Release;

    fn plan(ctx: &Ctx, args: &ReleaseBumpArgs, survey: &Survey) -> Result<RunPlan> {
        let part = args.bump_type.as_str();
        let stage = args.pre_release.as_deref().and_then(ReleaseStage::parse);
        let version = match facts(survey)?.current() {
            Some(current) => current.bump(part, stage).ok_or_else(|| {
                Error::invalid("invalid_arguments", format!("'{part}' is not patch, minor or major."))
            })?,
            None => ReleaseVersion { major: 0, minor: 1, patch: 0, pre: stage.map(|s| (s, 1)) },
        };
        let wanted = WantedRelease { version, action: "bump", part: Some(part) };
        releasing::plan(ctx, survey, &wanted, &args.release)
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        released(ctx, id, done)
    }
}
