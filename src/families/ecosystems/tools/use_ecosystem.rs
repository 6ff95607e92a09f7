//! `amof_use_ecosystem`: later calls of this session mean the ecosystem named here.

use serde::Deserialize;

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::errors::none_chosen;
use crate::families::ecosystems::scope::{SessionScope, answer, concerns, moved};
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct UseEcosystem;

#[derive(Debug, Deserialize)]
pub struct UseArgs {
    name: String,
}

impl Tool for UseEcosystem {
    type Args = UseArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_use_ecosystem";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &UseArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::All)
    }

    fn decide(ctx: &Ctx, args: &UseArgs, survey: &Survey) -> Result<Outcome> {
        let name = args.name.trim();
        if name.is_empty() {
            return Err(none_chosen());
        }
        survey.root()?;
        survey.find(name)?;
        let mut scope = SessionScope::of(ctx)?;
        if scope.ecosystem.as_deref() == Some(name) {
            return answer(ctx, &scope, format!("Ecosystem {name} was already selected.")).outcome(ctx);
        }
        scope.enter(name);
        moved(ctx, &scope, format!("Ecosystem {name} is selected."))
    }

    fn concerns(ctx: &Ctx, _args: &UseArgs) -> Vec<String> {
        concerns(ctx, None)
    }
}
