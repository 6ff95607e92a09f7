//! `amof_summarize_run`: what a run came to: outcome, duration, errors.

use serde::Serialize;

use crate::core::run::{LogLine, RUN_LOGS};
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, RunArgs};
use crate::families::ecosystems::runs::{
    ShownRun, answer, find, lines as facts, lines_of, of_level, onward, seconds,
};
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct SummarizeRun;

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    run: ShownRun<'a>,
    duration_seconds: Option<i64>,
    log_lines: u64,
    errors: &'a [String],
}

impl Tool for SummarizeRun {
    type Args = RunArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_summarize_run";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &RunArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, args: &RunArgs, survey: &Survey) -> Result<Outcome> {
        let run = find(ctx, survey, args.run_id.as_deref())?;
        let mut errors = Vec::new();
        for (key, row) in of_level(ctx.view, &run.id, "error", 5)? {
            let line: LogLine = row.decode(RUN_LOGS, &key)?;
            errors.push(line.text.chars().take(120).collect::<String>());
        }
        let log_lines = lines_of(ctx.view, &run.id)?;
        let took = seconds(&run).map_or(String::new(), |s| format!(" in {s} s"));
        let text = format!("{} of {}: {}{took}.", run.action, run.subject, run.status.as_str());
        let shown =
            Shown { run: ShownRun::of(&run), duration_seconds: seconds(&run), log_lines, errors: &errors };
        let answer = answer(&run, text)
            .told(facts(&run))
            .told([format!("log lines: {log_lines}")])
            .told(errors.iter().map(|e| format!("error: {e}")))
            .fields(shown);
        onward(answer, &run, Self::NAME).outcome(ctx)
    }
}
