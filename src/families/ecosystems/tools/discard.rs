//! `amof_discard_ecosystem`: every checkout goes to the trash, and no record of it is kept.

use serde::{Deserialize, Serialize};

use crate::core::run::RunDone;
use crate::core::trash::{self, Discard};
use crate::core::{Ctx, Error, Kind, Outcome, Result};
use crate::families::ecosystems::args::{CallSubject, NamesSubject, said};
use crate::families::ecosystems::ecosystem::Ecosystem;
use crate::families::ecosystems::errors::listed;
use crate::families::ecosystems::removal::{Gone, gone, moving, must_be_ours, removal};
use crate::families::ecosystems::rows::EcosystemId;
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan, remembered};
use crate::families::ecosystems::survey::Survey;

pub struct DiscardEcosystem;

#[derive(Debug, Deserialize)]
pub struct DiscardEcosystemArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default)]
    force: bool,
}

impl NamesSubject for DiscardEcosystemArgs {
    fn named(&self) -> CallSubject<'_> {
        CallSubject { ecosystem: self.ecosystem.as_deref(), ..CallSubject::default() }
    }
}

#[derive(Serialize)]
struct Shown {
    unpushed: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Discarding {
    discard: Discard,
}

/// Work that exists nowhere else, one line each.
fn at_stake(target: &Ecosystem) -> Vec<String> {
    let mut lines: Vec<String> = target.strays.iter().map(|name| format!("workspace: {name}")).collect();
    lines.extend(target.checkouts().flat_map(|(name, checkout)| checkout.lines(&name)));
    lines
}

impl PlansRun for DiscardEcosystem {
    type Args = DiscardEcosystemArgs;
    const NAME: &'static str = "amof_discard_ecosystem";
    const TAKES_AWAY: bool = true;

    fn plan(ctx: &Ctx, args: &DiscardEcosystemArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        must_be_ours(ctx, target)?;
        let id = &target.id;
        let lost = at_stake(target);
        if !lost.is_empty() && !args.force {
            let error = Error::new(
            Kind::State,
            "unpushed_work",
            format!("Discarding {} would lose work that exists nowhere else: {}.", id.name, lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem or keep it with amof_archive_ecosystem; 'force': true moves it to the trash.");
            return Err(listed(error, "unpushed", &lost));
        }
        let (discard, removes) = removal(ctx, target, true);
        let told = lost.iter().map(|l| format!("LOSES {l}")).collect();
        let plan = RunPlan {
            action: "discard",
            would: format!("delete every checkout of {}", id.name),
            details: removes,
            told,
            steps: vec![moving(&discard)],
            irreversible: Some(format!("{} Remotes are not touched.", trash::FINAL)),
            alternatives: vec![
                "archive first with amof_archive_ecosystem: it pushes everything and keeps a record".into(),
            ],
            ..RunPlan::default()
        };
        plan.shows(&Shown { unpushed: lost }).remembers(&Discarding { discard })
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let Discarding { discard } = remembered(done)?;
        gone(ctx.draft(), ctx, id, done, Gone { verb: "Discarded", discard })
    }
}
