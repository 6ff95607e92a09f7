//! `amof_push_ecosystem`: the current branch of every writable repository goes to its remote, as a run.

use serde::{Deserialize, Serialize};

use crate::core::run::{RunDone, RunStep};
use crate::core::{Ctx, Error, Kind, Outcome, Result, SessionInfo};
use crate::families::ecosystems::args::EcosystemArgs;
use crate::families::ecosystems::begin::FinishedRun;
use crate::families::ecosystems::errors::listed;
use crate::families::ecosystems::git;
use crate::families::ecosystems::outgoing::{Outgoing, ShownOutgoing};
use crate::families::ecosystems::rows::{self, EcosystemId, PUSHES, Pushed};
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan, remembered};
use crate::families::ecosystems::survey::{Depth, Survey};

pub struct Push;

const FINAL: &str = "What a remote has received cannot be taken back from here.";

#[derive(Serialize)]
struct Shown<'a> {
    pushes: Vec<ShownOutgoing<'a>>,
}

/// One branch that the run sends.
#[derive(Serialize, Deserialize)]
struct Sent {
    name: String,
    branch: String,
    commit: String,
}

impl PlansRun for Push {
    type Args = EcosystemArgs;
    const NAME: &'static str = "amof_push_ecosystem";
    const DEPTH: Depth = Depth::Remotes;

    fn plan(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        target.manifest()?;
        let (steps, told) = steps(ctx.session, &target.outgoing, true);
        if steps.is_empty() {
            let message = match target.outgoing.is_empty() {
                true => format!(
                    "Ecosystem {} has no checkout with a branch and a remote to push to.",
                    target.id.name
                ),
                false => "Every branch is already on its remote; there is nothing to push.".to_string(),
            };
            let error = Error::new(Kind::State, "nothing_to_push", message)
                .hint("amof_get_ecosystem_status shows what is uncommitted or unpushed.");
            return Err(listed(error, "state", &told));
        }
        let sending: Vec<&Outgoing> = target.outgoing.iter().filter(|o| o.sends()).collect();
        let n = sending.len();
        let plan = RunPlan {
            action: "push",
            would: format!("push {n} branch{} of {}", if n == 1 { "" } else { "es" }, target.id.name),
            told,
            steps,
            irreversible: Some(FINAL.into()),
            ..RunPlan::default()
        };
        let sent =
            |o: &&Outgoing| Sent { name: o.name.clone(), branch: o.branch.clone(), commit: o.local.clone() };
        let pushes = target.outgoing.iter().map(Outgoing::shown).collect();
        plan.shows(&Shown { pushes }).remembers(&sending.iter().map(sent).collect::<Vec<_>>())
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let mut pushes = rows::pushes(ctx.view, id)?;
        let mut sent = Vec::new();
        for Sent { name, branch, commit } in remembered::<Vec<Sent>>(done)? {
            if done.done_groups.contains(&name) {
                sent.push(format!("{name} {branch}"));
                pushes.insert(name, Pushed { branch, commit, at: ctx.now });
            }
        }
        if sent.is_empty() {
            return Ok(Outcome::default());
        }
        let mut draft = ctx.draft();
        draft.put(PUSHES, &id.key(), &pushes)?;
        let mut outcome = draft.into_outcome();
        FinishedRun {
            done,
            summary: format!("Pushed {}.", sent.join(", ")),
            irreversible: Some(FINAL.into()),
            reversal: None,
            targets: vec![id.target()],
        }
        .record(&mut outcome)?;
        Ok(outcome)
    }

    /// Some remotes may have refused; what went out is remembered.
    fn fell(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        Push::finished(ctx, id, done)
    }
}

/// One step per branch, and what is told of all. With `grouped`, one remote's failure does not keep the others from receiving theirs.
pub fn steps(session: &SessionInfo, list: &[Outgoing], grouped: bool) -> (Vec<RunStep>, Vec<String>) {
    let details = list.iter().map(Outgoing::line).collect();
    let steps = list.iter().filter(|o| o.sends()).map(|o| {
        let refspec = format!("{}:refs/heads/{}", o.local, o.branch);
        let args = ["push", "--porcelain", "--", "origin", &refspec];
        let step = RunStep::new(
            format!("push {} {}", o.name, o.branch),
            git::work(session, &o.dir, &args),
            git::remote_timeout(session),
        );
        if grouped { step.group(&o.name) } else { step }
    });
    (steps.collect(), details)
}
