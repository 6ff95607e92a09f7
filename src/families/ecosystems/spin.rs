//! Spin: a provisioner's script brings an ecosystem up or takes it down; packd remembers which.

use serde_json::json;

use super::git;
use super::runs;
use super::standing::{FAILURES, Fell, Standing};
use super::state::{DEPLOYMENTS, Deployment, Place, shown};
use super::survey::Survey;
use super::work::{Finished, Plan};
use crate::core::run::{RunDone, Step, Work};
use crate::core::{Ctx, Error, Kind, Outcome, Result};

/// A provisioner may build images and start clusters.
const HOURS: u64 = 4 * 3600;

pub fn spin(ctx: &Ctx, survey: &Survey, deploy: bool) -> Result<Plan> {
    let target = survey.target()?;
    let manifest = target.manifest()?;
    let place = &target.place;
    let Some(provisioner) = &manifest.provisioner else {
        return Err(Error::new(
            Kind::State,
            "no_provisioner",
            format!("Ecosystem {} names no provisioner.", place.name),
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
    let what = place.dir().to_string_lossy().into_owned();
    let (program, args) = match script.executable {
        true => (path, vec![action.to_string(), what]),
        false => ("bash".to_string(), vec!["--".into(), path, action.to_string(), what]),
    };
    let shown_script = shown(&script.path, &place.root);
    let env = git::env(ctx.session).into_iter().filter(|(k, _)| k == "HOME").collect();
    let work = Work::Program { program, args, cwd: place.root.clone(), env };
    let check = Work::CheckFile { path: script.path.clone(), sha: script.sha.to_string() };
    let action_name = if deploy { "spin_deploy" } else { "spin_destroy" };
    let estimate = runs::usual_seconds(ctx.view, place, action_name)?;
    let now = Standing::of(ctx.view, place)?.line().unwrap_or_else(|| "never deployed by packd".to_string());
    let limit = manifest.provisioner_timeout.unwrap_or(HOURS);
    let mut plan = Plan {
        action: action_name,
        would: format!("run {shown_script} {action} for {}", place.name),
        details: vec![
            format!("provisioner: {provisioner}"),
            format!("script: {shown_script}"),
            format!("sha256: {}", script.sha),
            format!("arguments: {action} {}", shown(&place.dir(), &place.root)),
            format!("state: {now}"),
            match estimate {
                Some(s) => format!("estimate: about {s} seconds, from earlier runs"),
                None => "estimate: none, it has not succeeded before".into(),
            },
            format!("time limit: {limit} seconds"),
        ],
        steps: vec![
            Step::new("the script is the one that was previewed", check, 60),
            Step::new(format!("{provisioner} {action}"), work, limit),
        ],
        pass: manifest.provisioner_env.clone(),
        data: json!({"provisioner": provisioner, "script_sha": script.sha.to_string(), "action": action}),
        irreversible: Some("A script's effects outside packd cannot be undone.".into()),
        ..Plan::default()
    };
    if !manifest.provisioner_env.is_empty() {
        plan.details.push(format!("variables of your session: {}", manifest.provisioner_env.join(", ")));
    }
    if !deploy {
        plan.alternatives = vec!["look first with amof_get_ecosystem_status".into()];
    }
    plan.fields.insert("provisioner".into(), json!(provisioner));
    plan.fields.insert("script".into(), json!(shown_script));
    plan.fields.insert("script_sha256".into(), json!(script.sha.to_string()));
    plan.fields.insert("estimated_seconds".into(), json!(estimate));
    plan.fields.insert("provisioner_env".into(), json!(manifest.provisioner_env));
    plan.fields.insert("timeout_seconds".into(), json!(limit));
    Ok(plan)
}

pub fn spun(ctx: &Ctx, place: &Place, done: &RunDone, deploy: bool) -> Result<Outcome> {
    let text = |name: &str| done.data[name].as_str().unwrap_or_default().to_string();
    let row = Deployment {
        provisioner: text("provisioner"),
        script_sha: text("script_sha"),
        deployed: deploy,
        at: ctx.now,
        run: done.id.clone(),
    };
    let mut draft = ctx.draft();
    draft.put(DEPLOYMENTS, &place.key(), &row)?;
    if Standing::of(ctx.view, place)?.fell.is_some() {
        draft.delete(FAILURES, &place.key())?;
    }
    let mut outcome = draft.into_outcome();
    let verb = if deploy { "Deployed" } else { "Destroyed" };
    Finished {
        done,
        summary: format!("{verb} ecosystem {} with {}.", place.name, row.provisioner),
        irreversible: Some("A script's effects outside packd cannot be undone.".into()),
        reversal: None,
        targets: vec![place.target()],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}

/// A script that was begun and did not succeed may have left anything: that is how the ecosystem stands from now on.
pub fn fell(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    if done.begun < 2 {
        return Ok(Outcome::default());
    }
    let row = Fell {
        action: done.data["action"].as_str().unwrap_or("deploy").to_string(),
        status: done.status,
        at: ctx.now,
        run: done.id.clone(),
        note: done.note.clone(),
    };
    let mut draft = ctx.draft();
    draft.put(FAILURES, &place.key(), &row)?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    Ok(outcome)
}
