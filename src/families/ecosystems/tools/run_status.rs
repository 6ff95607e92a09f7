//! `amof_get_run_status`: one run: status, times, exit code, progress.

use serde::{Deserialize, Serialize};

use crate::core::tool::Wait;
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::runs::{ShownRun, answer, find, lines as facts, lines_of, onward, short};
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct RunStatusOf;

#[derive(Debug, Deserialize)]
pub struct RunStatusArgs {
    #[serde(default, deserialize_with = "said")]
    run_id: Option<String>,
    /// Answer once it has ended.
    #[serde(default)]
    wait_seconds: Option<u64>,
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    run: ShownRun<'a>,
    log_lines: u64,
}

impl Tool for RunStatusOf {
    type Args = RunStatusArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_get_run_status";
    const NEEDS: Needs = Needs::World;

    fn waits(args: &RunStatusArgs) -> Option<Wait> {
        args.wait_seconds.map(|seconds| Wait::Run { id: args.run_id.clone(), seconds })
    }

    fn look(look: &Look, _args: &RunStatusArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, args: &RunStatusArgs, survey: &Survey) -> Result<Outcome> {
        let run = find(ctx, survey, args.run_id.as_deref())?;
        let lines = lines_of(ctx.view, &run.id)?;
        let text = format!("Run {} ({}) is {}.", short(&run.id), run.action, run.status.as_str());
        let shown = Shown { run: ShownRun::of(&run), log_lines: lines };
        let told = answer(&run, text).told(facts(&run)).told([format!("log lines: {lines}")]).fields(shown);
        onward(told, &run, Self::NAME).outcome(ctx)
    }
}
