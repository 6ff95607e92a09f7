//! A plan of a run, and how a tool is made of one: the part that every long-running tool of this family shares.
//!
//! A plan is computed the same way for ask, plan, confirmation and execution; only the wording differs. A tool that
//! only plans runs says so with [`PlansRun`], and [`AsRun`] makes a tool of it.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::args::NamesSubject;
use super::begin::begin;
use super::bound;
use super::rows::EcosystemId;
use super::scope;
use super::survey::{Depth, Survey, survey};
use crate::core::arguments::Arguments;
use crate::core::ctx::Explanation;
use crate::core::run::{RunDone, RunStatus, RunStep};
use crate::core::tool::Bound;
use crate::core::{Ctx, Error, Look, Needs, Outcome, Result, Tool};

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
    EcosystemId { root: done.root.clone().into(), name: done.subject.clone() }
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
