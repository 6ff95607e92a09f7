//! A provisioner's script brings an ecosystem up or takes it down; packd remembers which, and what went wrong.

use serde::{Deserialize, Serialize};

use super::begin::FinishedRun;
use super::git;
use super::rows::{DEPLOYMENTS, EcosystemId, SpinDeployment, shown};
use super::run_plan::{RunPlan, remembered};
use super::runs;
use super::standing::{FAILURES, FailedSpin, SpinStanding};
use super::survey::Survey;
use crate::core::run::{RunDone, RunStep, StepWork};
use crate::core::{Ctx, Error, Kind, Outcome, Result};

/// A provisioner may build images and start clusters.
const HOURS: u64 = 4 * 3600;
const FINAL: &str = "A script's effects outside packd cannot be undone.";

#[derive(Serialize)]
struct Shown<'a> {
    provisioner: &'a str,
    script: &'a str,
    script_sha256: String,
    estimated_seconds: Option<i64>,
    provisioner_env: &'a [String],
    timeout_seconds: u64,
}

#[derive(Serialize, Deserialize)]
struct Spinning {
    provisioner: String,
    script_sha: String,
    /// `deploy` or `destroy`.
    action: String,
}

pub fn plan(ctx: &Ctx, survey: &Survey, deploy: bool) -> Result<RunPlan> {
    let target = survey.ecosystem()?;
    let manifest = target.manifest()?;
    let id = &target.id;
    let Some(provisioner) = &manifest.provisioner else {
        return Err(Error::new(
            Kind::State,
            "no_provisioner",
            format!("Ecosystem {} names no provisioner.", id.name),
        )
        .hint("Set 'provisioner' in its ecosystem.yaml."));
    };
    let Some(script) = &target.script else {
        return Err(Error::new(
            Kind::NotFound,
            "no_script",
            format!("provisioners/{provisioner}/spin.sh does not exist."),
        )
        .hint("Create the script, or name another provisioner in ecosystem.yaml."));
    };
    let action = if deploy { "deploy" } else { "destroy" };
    let path = script.path.to_string_lossy().into_owned();
    let what = id.dir().to_string_lossy().into_owned();
    let (program, args) = match script.executable {
        true => (path, vec![action.to_string(), what]),
        false => ("bash".to_string(), vec!["--".into(), path, action.to_string(), what]),
    };
    let shown_script = shown(&script.path, &id.root);
    let env = git::env(ctx.session).into_iter().filter(|(k, _)| k == "HOME").collect();
    let work = StepWork::Program { program, args, cwd: id.root.clone(), env };
    let check = StepWork::CheckFile { path: script.path.clone(), sha: script.sha.to_string() };
    let action_name = if deploy { "spin_deploy" } else { "spin_destroy" };
    let estimate = runs::usual_seconds(ctx.view, id, action_name)?;
    let now = SpinStanding::of(ctx.view, id)?.line().unwrap_or_else(|| "never deployed by packd".to_string());
    let limit = manifest.provisioner_timeout.unwrap_or(HOURS);
    let mut plan = RunPlan {
        action: action_name,
        would: format!("run {shown_script} {action} for {}", id.name),
        details: vec![format!("arguments: {action} {}", shown(&id.dir(), &id.root)), format!("state: {now}")],
        told: vec![
            format!("provisioner: {provisioner}"),
            format!("script: {shown_script}"),
            format!("sha256: {}", script.sha),
            match estimate {
                Some(s) => format!("estimate: about {s} seconds, from earlier runs"),
                None => "estimate: none, it has not succeeded before".into(),
            },
            format!("time limit: {limit} seconds"),
        ],
        steps: vec![
            RunStep::new("the script is the one that was previewed", check, 60),
            RunStep::new(format!("{provisioner} {action}"), work, limit),
        ],
        pass: manifest.provisioner_env.clone(),
        irreversible: Some(FINAL.into()),
        ..RunPlan::default()
    };
    if !manifest.provisioner_env.is_empty() {
        plan.told.push(format!("variables of your session: {}", manifest.provisioner_env.join(", ")));
    }
    if !deploy {
        plan.alternatives = vec!["look first with amof_get_ecosystem_status".into()];
    }
    let plan = plan.shows(&Shown {
        provisioner,
        script: &shown_script,
        script_sha256: script.sha.to_string(),
        estimated_seconds: estimate,
        provisioner_env: &manifest.provisioner_env,
        timeout_seconds: limit,
    });
    let (provisioner, action) = (provisioner.clone(), action.to_string());
    plan.remembers(&Spinning { provisioner, script_sha: script.sha.to_string(), action })
}

/// How the deployment stands is part of what was previewed.
pub fn bound(ctx: &Ctx, survey: &Survey) -> Result<Vec<String>> {
    Ok(vec![format!("{:?}", SpinStanding::of(ctx.view, survey.id()?)?)])
}

pub fn succeeded(ctx: &Ctx, id: &EcosystemId, done: &RunDone, deploy: bool) -> Result<Outcome> {
    let Spinning { provisioner, script_sha, .. } = remembered(done)?;
    let row = SpinDeployment { provisioner, script_sha, deployed: deploy, at: ctx.now, run: done.id.clone() };
    let mut draft = ctx.draft();
    draft.put(DEPLOYMENTS, &id.key(), &row)?;
    if SpinStanding::of(ctx.view, id)?.fell.is_some() {
        draft.delete(FAILURES, &id.key())?;
    }
    let mut outcome = draft.into_outcome();
    let verb = if deploy { "Deployed" } else { "Destroyed" };
    FinishedRun {
        done,
        summary: format!("{verb} ecosystem {} with {}.", id.name, row.provisioner),
        irreversible: Some(FINAL.into()),
        reversal: None,
        targets: vec![id.target()],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}

/// A script that was begun and did not succeed may have left anything: that is how the ecosystem stands from now on.
pub fn fell(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
    if done.begun < 2 {
        return Ok(Outcome::default());
    }
    let row = FailedSpin {
        action: remembered::<Spinning>(done)?.action,
        status: done.status,
        at: ctx.now,
        run: done.id.clone(),
        note: done.note.clone(),
    };
    let mut draft = ctx.draft();
    draft.put(FAILURES, &id.key(), &row)?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    Ok(outcome)
}
