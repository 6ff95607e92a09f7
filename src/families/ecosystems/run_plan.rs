//! From a plan to a run: the part that every long-running tool of this family shares.
//!
//! A plan is computed the same way for ask, plan, confirmation and execution; only the wording differs. A tool that
//! only plans runs says so with [`PlansRun`], and [`AsRun`] makes a tool of it.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::args::NamesSubject;
use super::bound;
use super::rows::EcosystemId;
use super::runs::WAIT;
use super::scope;
use super::survey::{Depth, Survey, survey};
use super::tools::{CancelRun, EcosystemStatus, ListRuns, RunStatusOf};
use crate::core::arguments::Arguments;
use crate::core::ctx::Explanation;
use crate::core::layout::{Answer, Next};
use crate::core::run::{Order, RUNS, Reversal, RunDone, RunProgress, RunRow, RunSpec, RunStatus, RunStep};
use crate::core::tool::Bound;
use crate::core::{Ctx, Error, Key, Look, Mode, Needs, Outcome, Record, Result, Tool};

/// What a tool would do, before anybody decides whether it may.
#[derive(Debug, Clone, Default)]
pub struct RunPlan {
    /// `install`, `push`, …: what the run is called.
    pub action: &'static str,
    /// A sentence without subject: "clone 2 repositories into worktrees/demo".
    pub would: String,
    /// Exact branches, commits, directories and remotes.
    pub details: Vec<String>,
    /// The same as far as fields of the answer say it; shown before `details`.
    pub told: Vec<String>,
    /// Fields of the answer, beside those of every run.
    pub fields: Map<String, Value>,
    pub steps: Vec<RunStep>,
    /// Names of variables that its programs get beside the usual ones.
    pub pass: Vec<String>,
    /// Handed to `finished` when the run has ended.
    pub data: Value,
    pub irreversible: Option<String>,
    pub alternatives: Vec<String>,
    pub release: Option<String>,
}

impl RunPlan {
    #[must_use]
    pub fn shows(mut self, fields: &impl Serialize) -> RunPlan {
        if let Ok(Value::Object(map)) = serde_json::to_value(fields) {
            self.fields.extend(map);
        }
        self
    }

    /// What the tool will want to know when the run has ended.
    pub fn remembers(mut self, data: &impl Serialize) -> Result<RunPlan> {
        self.data = serde_json::to_value(data)
            .map_err(|e| Error::internal(format!("Cannot note what a run is about: {e}.")))?;
        Ok(self)
    }

    fn explanation(self) -> Explanation {
        Explanation {
            would: capital(&self.would) + ".",
            state: self.told.into_iter().chain(self.details).collect(),
            irreversible: self.irreversible,
            alternatives: self.alternatives,
        }
    }
}

/// What the plan of a run remembered.
pub fn remembered<T: DeserializeOwned>(done: &RunDone) -> Result<T> {
    T::deserialize(&done.data)
        .map_err(|e| Error::internal(format!("Run {} does not say what it was about: {e}.", done.id)))
}

/// A tool whose work is a run.
pub trait PlansRun: Send + Sync + 'static {
    type Args: Arguments + NamesSubject;

    const NAME: &'static str;
    const DEPTH: Depth = Depth::Repos;
    /// It was previewed before it runs: its answer then does not repeat what it is about.
    const PREVIEWED: bool = true;
    /// Checkouts go: what git ignores in them counts, too.
    const TAKES_AWAY: bool = false;

    fn plan(ctx: &Ctx, args: &Self::Args, survey: &Survey) -> Result<RunPlan>;

    /// What a confirmation is bound to beside what every one is.
    fn bound(_ctx: &Ctx, _survey: &Survey) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Records what a run has done that succeeded.
    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome>;

    /// The same for one that did not.
    fn fell(_ctx: &Ctx, _id: &EcosystemId, _done: &RunDone) -> Result<Outcome> {
        Ok(Outcome::default())
    }
}

/// The tool of something that plans runs.
pub struct AsRun<T>(PhantomData<fn() -> T>);

impl<T> AsRun<T> {
    pub const TOOL: AsRun<T> = AsRun(PhantomData);
}

impl<T: PlansRun> Tool for AsRun<T> {
    type Args = T::Args;
    type Seen = Survey;
    const NAME: &'static str = T::NAME;
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &T::Args) -> Result<Survey> {
        survey(look, args.named(), T::DEPTH)
    }

    fn decide(ctx: &Ctx, args: &T::Args, survey: &Survey) -> Result<Outcome> {
        let plan = T::plan(ctx, args, survey)?;
        begin(ctx, &survey.lane()?, plan, T::PREVIEWED)
    }

    fn finish(ctx: &Ctx, _args: &T::Args, done: &RunDone) -> Result<Outcome> {
        let id = id_of(done);
        if done.status == RunStatus::Success { T::finished(ctx, &id, done) } else { T::fell(ctx, &id, done) }
    }

    fn explain(ctx: &Ctx, args: &T::Args, survey: Option<&Survey>) -> Explanation {
        match survey {
            Some(survey) => explained(T::plan(ctx, args, survey)),
            None => unseen(T::NAME),
        }
    }

    fn concerns(ctx: &Ctx, args: &T::Args) -> Vec<String> {
        scope::concerns(ctx, args.named().ecosystem)
    }

    fn bind(ctx: &Ctx, _args: &T::Args, survey: &Survey) -> Result<Bound> {
        Ok(bound::bind(ctx, survey, T::TAKES_AWAY, T::bound(ctx, survey)?))
    }
}

pub fn id_of(done: &RunDone) -> EcosystemId {
    EcosystemId { root: done.root.clone().into(), name: done.ecosystem.clone() }
}

pub fn explained(plan: Result<RunPlan>) -> Explanation {
    match plan {
        Ok(plan) => plan.explanation(),
        Err(e) => Explanation {
            would: format!("It would fail: {}", e.message),
            state: e.hint.into_iter().collect(),
            ..Explanation::default()
        },
    }
}

/// The same for a tool that does its work at once.
pub fn explained_outcome(outcome: Result<Outcome>) -> Explanation {
    let would = match outcome {
        Ok(outcome) if !outcome.record.summary.is_empty() => {
            format!("Would do this: {}", outcome.record.summary)
        }
        Ok(_) => "It would change nothing.".into(),
        Err(e) => format!("It would fail: {}", e.message),
    };
    Explanation { would, ..Explanation::default() }
}

/// Where nobody could look.
pub fn unseen(tool: &str) -> Explanation {
    Explanation { would: format!("{tool} would change an ecosystem."), ..Explanation::default() }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
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

/// Answers with the preview, or queues the run and answers with its id.
pub fn begin(ctx: &Ctx, id: &EcosystemId, plan: RunPlan, previewed: bool) -> Result<Outcome> {
    let run = ctx.ids.uuid();
    if ctx.call.preview { preview(ctx, id, plan) } else { queue(ctx, id, plan, run, previewed) }
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

fn queue(ctx: &Ctx, id: &EcosystemId, plan: RunPlan, run: String, previewed: bool) -> Result<Outcome> {
    let described = if previewed { Answer::default() } else { described(&plan) };
    let row = RunRow {
        id: run.clone(),
        root: id.root.to_string_lossy().into_owned(),
        ecosystem: id.name.clone(),
        action: plan.action.to_string(),
        tool: ctx.call.tool.clone(),
        status: RunStatus::Queued,
        created: ctx.now,
        started: None,
        finished: None,
        exit_code: None,
        session: ctx.session.id.clone(),
        steps: plan.steps.len() as u64,
        steps_done: 0,
        note: plan.would.clone(),
        cancel_asked: false,
        program: None,
        progress: RunProgress::default(),
    };
    let spec = RunSpec {
        id: run.clone(),
        root: row.root.clone(),
        ecosystem: id.name.clone(),
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
    draft.put(RUNS, &Key::of(&run), &row)?;
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
