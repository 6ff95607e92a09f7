//! `amof_release_validate`: whether a stable release may be made, gate by gate.

use serde::{Deserialize, Serialize};

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::release_facts::{ReleaseGate, again, facts, gates};
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::run_plan::PlansRun;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{EcosystemStatus, ReleaseBump, ReleaseLog, ReleaseStatus};

pub struct ReleaseValidate;

#[derive(Debug, Deserialize)]
pub struct ReleaseValidateArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    repo: Option<String>,
    #[serde(default)]
    strict: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    target: &'a str,
    valid: bool,
    problems: &'a [ReleaseGate],
}

impl Tool for ReleaseValidate {
    type Args = ReleaseValidateArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_release_validate";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &ReleaseValidateArgs) -> Result<Survey> {
        survey(
            look,
            CallSubject {
                ecosystem: args.ecosystem.as_deref(),
                repo: args.repo.as_deref(),
                ..CallSubject::default()
            },
            Depth::Release,
        )
    }

    fn decide(ctx: &Ctx, args: &ReleaseValidateArgs, survey: &Survey) -> Result<Outcome> {
        let facts = facts(survey)?;
        let found = gates(facts, None, args.strict);
        let errors = found.iter().filter(|gate| gate.is_error()).count();
        let summary = match errors {
            0 => format!("{} is ready for a stable release.", facts.target),
            n => format!("{} is not ready for a stable release: {n} error{}.", facts.target, plural(n)),
        };
        let same = again(survey, args.repo.as_deref());
        // A bump would be refused for the same reasons: what helps is to see what is in the way.
        let next = match (errors, survey.name()) {
            (0, _) => {
                let bump = Next::call(ReleaseBump::NAME).all(same.clone());
                bump.with("bump_type", "patch").with("mode", Mode::Plan.as_str())
            }
            (_, Some(name)) if !facts.dirty.is_empty() => {
                Next::call(EcosystemStatus::NAME).with("ecosystem", name)
            }
            _ => Next::call(ReleaseLog::NAME).all(same.clone()),
        };
        Answer::new(summary)
            .ecosystem(survey.name())
            .told(found.iter().map(ReleaseGate::line))
            .fields(Shown { target: &facts.target, valid: errors == 0, problems: &found })
            .next(next)
            .next(Next::call(ReleaseStatus::NAME).all(same))
            .outcome(ctx)
    }
}
