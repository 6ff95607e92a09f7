//! What becomes of a plan: a preview, or a run that is queued; and the operation that the run leaves when it has ended.

use serde::Serialize;

use super::rows::EcosystemId;
use super::run_plan::RunPlan;
use super::runs::WAIT;
use super::tools::{CancelRun, EcosystemStatus, ListRuns, RunStatusOf};
use crate::core::layout::{Answer, Next};
use crate::core::run::{Order, RUNS, Reversal, RunDone, RunRow, RunSpec};
use crate::core::{Ctx, Key, Mode, Outcome, Record, Result, Tool};

/// Answers with the preview, or queues the run and answers with its id.
pub fn begin(ctx: &Ctx, id: &EcosystemId, plan: RunPlan, previewed: bool) -> Result<Outcome> {
    let run = ctx.ids.uuid();
    if ctx.call.preview {
        return preview(ctx, id, plan);
    }
    let described = if previewed { Answer::default() } else { described(&plan) };
    let spec = RunSpec {
        id: run.clone(),
        root: id.root.to_string_lossy().into_owned(),
        subject: id.name.clone(),
        lane: id.lane(),
        family: super::NAME.into(),
        tool: ctx.call.tool.clone(),
        args: ctx.call.args.clone(),
        session: ctx.session.clone(),
        steps: plan.steps,
        pass: plan.pass,
        data: plan.data,
    };
    let mut draft = ctx.draft();
    draft.put(RUNS, &Key::of(&run), &RunRow::queued(&spec, plan.action, &plan.would, ctx.now))?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    outcome.audit = true;
    outcome.orders = vec![Order::Start(Box::new(spec))];
    outcome.record = Record {
        summary: format!("Queued run {run}: {}.", plan.would),
        targets: vec![id.target(), format!("run:{run}")],
        ..Record::default()
    }
    .noting(&QueuedRecord { run_id: &run, action: plan.action })?;
    let about = |tool: &str| Next::call(tool).with("run_id", run.as_str());
    outcome.reply = described
        .headed(format!("Run {} is queued: {}.", &run[..8.min(run.len())], plan.would))
        .ecosystem(Some(&id.name))
        .run(&run)
        .fields(Queued { action: plan.action, status: "queued", dry_run: false })
        .next(about(RunStatusOf::NAME).with("wait_seconds", WAIT))
        .next(about(CancelRun::NAME).with("mode", Mode::Execute.as_str()))
        .reply(ctx);
    Ok(outcome)
}

#[derive(Serialize)]
struct ShownPlan<'a> {
    steps: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    irreversible: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    alternatives: &'a [String],
}

#[derive(Serialize)]
struct Queued<'a> {
    action: &'a str,
    status: &'a str,
    dry_run: bool,
}

#[derive(Serialize)]
struct QueuedRecord<'a> {
    run_id: &'a str,
    action: &'a str,
}

#[derive(Serialize)]
struct PreviewRecord<'a> {
    event: &'a str,
    action: &'a str,
}

/// Everything a plan says, in fields and in lines.
fn described(plan: &RunPlan) -> Answer {
    let shown = ShownPlan {
        steps: plan.steps.iter().map(|s| s.label.as_str()).collect(),
        irreversible: plan.irreversible.as_deref(),
        alternatives: &plan.alternatives,
    };
    let steps = shown.steps.join("; ");
    Answer::default()
        .told(plan.told.iter().cloned())
        .lines(plan.details.iter().cloned())
        .told([format!("Steps: {steps}")])
        .told(plan.irreversible.iter().map(|why| format!("Cannot be undone: {why}")))
        .told(plan.alternatives.iter().map(|a| format!("Safer: {a}")))
        .members(plan.fields.clone())
        .fields(shown)
}

fn preview(ctx: &Ctx, id: &EcosystemId, plan: RunPlan) -> Result<Outcome> {
    let mut answer = described(&plan)
        .headed(format!("Dry run: would {}.", plan.would))
        .ecosystem(Some(&id.name))
        .field("action", plan.action)
        .field("dry_run", true);
    // A call that will be asked to be confirmed gets the way to do that from whoever asks.
    if ctx.call.mode != Mode::Execute && ctx.session.max_mode.is_none_or(|most| most == Mode::Execute) {
        let doing = Next::call(&ctx.call.tool)
            .all(ctx.call.args.clone())
            .with("ecosystem", id.name.as_str())
            .with("mode", Mode::Execute.as_str());
        answer = answer.told([format!("Execute: [{}]", doing.spelled())]).field("execute_hint", doing);
    }
    if ctx.call.mode != Mode::Execute {
        let about = |tool: &str| Next::call(tool).with("ecosystem", id.name.as_str());
        answer = answer.next(about(EcosystemStatus::NAME)).next(about(ListRuns::NAME));
    }
    if let Some(tag) = &plan.release {
        answer = answer.release(tag);
    }
    let mut outcome = answer.outcome(ctx)?;
    outcome.audit = true;
    outcome.record = Record {
        summary: format!("Previewed: {}.", plan.would),
        targets: vec![id.target()],
        ..Record::default()
    }
    .noting(&PreviewRecord { event: "preview", action: plan.action })?;
    Ok(outcome)
}

/// The operation that a finished run leaves in the shared history.
pub struct FinishedRun<'a> {
    pub done: &'a RunDone,
    pub summary: String,
    pub irreversible: Option<String>,
    pub reversal: Option<Reversal>,
    pub targets: Vec<String>,
}

#[derive(Serialize)]
struct FinishedRecord<'a> {
    run_id: &'a str,
    /// [`Reversal::KEY`].
    #[serde(skip_serializing_if = "Option::is_none")]
    reversal: Option<&'a Reversal>,
}

impl FinishedRun<'_> {
    pub fn record(self, outcome: &mut Outcome) -> Result<()> {
        let mut targets = self.targets;
        targets.push(format!("run:{}", self.done.id));
        outcome.record =
            Record { summary: self.summary, targets, irreversible: self.irreversible, ..Record::default() }
                .noting(&FinishedRecord { run_id: &self.done.id, reversal: self.reversal.as_ref() })?;
        Ok(())
    }
}
