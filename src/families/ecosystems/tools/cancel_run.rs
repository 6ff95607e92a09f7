//! `amof_cancel_run`: asks for a queued or running run to be stopped.

use serde::Deserialize;

use crate::core::ctx::Explanation;
use crate::core::run::{Order, RUNS};
use crate::core::{Ctx, Error, Key, Kind, Look, Needs, Outcome, Record, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::run_plan::{explained_outcome, unseen};
use crate::families::ecosystems::runs::{answer, find, onward, short};
use crate::families::ecosystems::scope;
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct CancelRun;

#[derive(Debug, Deserialize)]
pub struct CancelRunArgs {
    run_id: String,
}

impl Tool for CancelRun {
    type Args = CancelRunArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_cancel_run";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &CancelRunArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, args: &CancelRunArgs, survey: &Survey) -> Result<Outcome> {
        let id = args.run_id.trim();
        let mut run = find(ctx, survey, (!id.is_empty()).then_some(id))?;
        if !run.status.active() {
            return Err(Error::new(
                Kind::State,
                "run_finished",
                format!("Run {} is already {}.", short(&run.id), run.status.as_str()),
            )
            .hint("There is nothing to cancel."));
        }
        if ctx.call.preview {
            let text = format!("Dry run: would cancel run {} ({}).", short(&run.id), run.action);
            return onward(answer(&run, text).field("dry_run", true), &run, Self::NAME).outcome(ctx);
        }
        run.cancel_asked = true;
        let mut draft = ctx.draft();
        draft.put(RUNS, &Key::of(&run.id), &run)?;
        let mut outcome = draft.into_outcome();
        outcome.quiet = true;
        outcome.audit = true;
        outcome.record = Record {
            summary: format!("Asked to cancel run {} ({}).", run.id, run.action),
            targets: vec![format!("run:{}", run.id)],
            ..Record::default()
        };
        outcome.orders = vec![Order::Cancel { run: run.id.clone() }];
        let text = format!("Run {} ({}) is being cancelled.", short(&run.id), run.action);
        outcome.reply = onward(answer(&run, text), &run, Self::NAME).reply(ctx);
        Ok(outcome)
    }

    fn explain(ctx: &Ctx, args: &CancelRunArgs, survey: Option<&Survey>) -> Explanation {
        survey.map_or(unseen(Self::NAME), |survey| explained_outcome(Self::decide(ctx, args, survey)))
    }

    fn concerns(ctx: &Ctx, _args: &CancelRunArgs) -> Vec<String> {
        scope::concerns(ctx, None)
    }
}
