//! `amof_get_active_runs`: runs that are queued or running.

use crate::core::arguments::NoArguments;
use crate::core::{Ctx, Key, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::runs::{listed, newest};
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct ActiveRuns;

impl Tool for ActiveRuns {
    type Args = NoArguments;
    type Seen = Survey;
    const NAME: &'static str = "amof_get_active_runs";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &NoArguments) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, survey: &Survey) -> Result<Outcome> {
        let root = survey.root_text();
        let runs = newest(ctx.view, Key::of("active"), 100, |run| run.root == root)?;
        let text = match runs.len() {
            0 => "Nothing is running.".to_string(),
            n => format!("{n} active run{}.", plural(n)),
        };
        listed(ctx, &runs, text, None)
    }
}
