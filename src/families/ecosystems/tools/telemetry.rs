//! `amof_global_telemetry`: the last 200 runs, counted by status and by ecosystem.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::core::arguments::NoArguments;
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::runs::{newest, of_root};
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{ActiveRuns, ListRuns};

pub struct GlobalTelemetry;

#[derive(Serialize)]
struct Shown<'a> {
    runs: usize,
    by_status: &'a BTreeMap<&'a str, u64>,
    by_ecosystem: &'a BTreeMap<&'a str, u64>,
}

impl Tool for GlobalTelemetry {
    type Args = NoArguments;
    type Seen = Survey;
    const NAME: &'static str = "amof_global_telemetry";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &NoArguments) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, survey: &Survey) -> Result<Outcome> {
        let runs = newest(ctx.view, of_root(&survey.root_text()), 200, |_| true)?;
        let mut by_status: BTreeMap<&str, u64> = BTreeMap::new();
        let mut by_ecosystem: BTreeMap<&str, u64> = BTreeMap::new();
        for run in &runs {
            *by_status.entry(run.status.as_str()).or_default() += 1;
            *by_ecosystem.entry(&run.subject).or_default() += 1;
        }
        let rows: Vec<Vec<String>> =
            by_status.iter().map(|(k, n)| vec![(*k).to_string(), n.to_string()]).collect();
        Answer::new(format!("The last {} runs of this workspace.", runs.len()))
            .table(&["Status", "Runs"], &rows)
            .told(by_ecosystem.iter().map(|(k, n)| format!("{k}: {n} runs")))
            .fields(Shown { runs: runs.len(), by_status: &by_status, by_ecosystem: &by_ecosystem })
            .next(Next::call(ListRuns::NAME))
            .next(Next::call(ActiveRuns::NAME))
            .outcome(ctx)
    }
}
