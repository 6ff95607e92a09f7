//! `amof_sync_ecosystem`: every repository is fetched and moved forward, as a run; local work is never touched.

use std::collections::BTreeSet;

use crate::core::run::{RunDone, RunStep, StepWork};
use crate::core::{Ctx, Outcome, Result};
use crate::families::ecosystems::args::EcosystemArgs;
use crate::families::ecosystems::begin::FinishedRun;
use crate::families::ecosystems::checkouts::{LOCAL, clone, must_be_installed, note_tags};
use crate::families::ecosystems::git;
use crate::families::ecosystems::rows::{EcosystemId, SYNCS};
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan};
use crate::families::ecosystems::survey::Survey;

pub struct Sync;

impl PlansRun for Sync {
    type Args = EcosystemArgs;
    const NAME: &'static str = "amof_sync_ecosystem";
    const PREVIEWED: bool = false;

    fn plan(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        must_be_installed(target)?;
        target.manifest()?;
        let session = ctx.session;
        let timeout = git::remote_timeout(session);
        let (mut steps, mut details) = (Vec::new(), Vec::new());
        for (repo, checkout) in target.repos.iter().filter(|(r, _)| r.url != "local") {
            let name = &repo.name;
            if !checkout.exists {
                details.push(format!("{name}: clone, it is missing"));
                steps.push(clone(session, target, repo, timeout.max(600)).group(name));
                steps.push(note_tags(session, target, repo).group(name));
                let own = StepWork::Exclude { paths: vec![target.dir.join(&repo.path)] };
                steps.push(RunStep::new(format!("keep {name} out of git status"), own, LOCAL).group(name));
                continue;
            }
            let dir = &checkout.dir;
            let fetch = git::work(session, dir, &["fetch", "--prune", "--tags", "--", "origin"]);
            steps.push(RunStep::new(format!("fetch {name}"), fetch, timeout).group(name));
            let remote = format!("refs/remotes/origin/{}", repo.branch);
            if checkout.branch.as_deref() == Some(repo.branch.as_str()) {
                let local = if checkout.dirty.is_empty() { "" } else { ", local changes are kept" };
                details.push(format!("{name}: fetch, then fast-forward {}{local}", repo.branch));
                let merge =
                    git::work(session, dir, &["merge", "--ff-only", "--no-overwrite-ignore", &remote]);
                steps.push(RunStep::new(format!("fast-forward {name}"), merge, LOCAL).group(name));
            } else {
                let on = checkout.branch.as_deref().unwrap_or("no branch");
                details.push(format!("{name}: fetch only, it is on {on} instead of {}", repo.branch));
            }
        }
        let n = steps.iter().filter_map(|s| s.group.as_deref()).collect::<BTreeSet<_>>().len();
        let would = format!(
            "bring {n} repositor{} of {} up to date",
            if n == 1 { "y" } else { "ies" },
            target.id.name
        );
        Ok(RunPlan {
            action: "sync",
            would,
            details,
            steps,
            irreversible: Some("What was fetched stays fetched; no local work is touched.".into()),
            ..RunPlan::default()
        })
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let mut draft = ctx.draft();
        draft.put(SYNCS, &id.key(), &ctx.now)?;
        let mut outcome = draft.into_outcome();
        FinishedRun {
            done,
            summary: format!("Brought ecosystem {} up to date.", id.name),
            irreversible: Some("What was fetched stays fetched.".into()),
            reversal: None,
            targets: vec![id.target()],
        }
        .record(&mut outcome)?;
        Ok(outcome)
    }
}
