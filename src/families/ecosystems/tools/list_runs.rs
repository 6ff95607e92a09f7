//! `amof_list_runs`: runs of the workspace or of one ecosystem, newest first.

use serde::Deserialize;

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::rows::EcosystemId;
use crate::families::ecosystems::runs::{listed, newest, of_ecosystem, of_root};
use crate::families::ecosystems::scope;
use crate::families::ecosystems::survey::{Depth, Survey, survey};

pub struct ListRuns;

#[derive(Debug, Deserialize)]
pub struct ListRunsArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    status: Option<String>,
    limit: Option<usize>,
}

impl Tool for ListRuns {
    type Args = ListRunsArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_list_runs";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &ListRunsArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, args: &ListRunsArgs, survey: &Survey) -> Result<Outcome> {
        let root = survey.root.clone().unwrap_or_default();
        let chosen = scope::chosen(ctx, args.ecosystem.as_deref())?;
        let group = match &chosen {
            Some(name) => of_ecosystem(&EcosystemId { root, name: name.clone() }),
            None => of_root(&root.to_string_lossy()),
        };
        let wanted = |status: &str| args.status.as_deref().is_none_or(|wanted| wanted == status);
        let runs = newest(ctx.view, group, args.limit.unwrap_or(20), |run| wanted(run.status.as_str()))?;
        let summary = format!("{} run{}.", runs.len(), plural(runs.len()));
        listed(ctx, &runs, summary, chosen.as_deref())
    }
}
