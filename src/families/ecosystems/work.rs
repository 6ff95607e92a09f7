//! From a plan to a run: the part that every long-running tool of this family shares.
//!
//! A plan is computed the same way for ask, plan, confirmation and execution; only the wording differs.

use serde_json::{Map, Value, json};

use super::reply::{Answer, next};
use super::state::Place;
use crate::core::ctx::Explanation;
use crate::core::run::{Order, Progress, RUNS, Reversal, RunDone, RunRow, RunSpec, RunStatus, Step};
use crate::core::{Ctx, Error, Key, Mode, Outcome, Record, Result};

/// What a tool would do, before anybody decides whether it may.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// `install`, `push`, …: what the run is called.
    pub action: &'static str,
    /// A sentence without subject: "clone 2 repositories into worktrees/demo".
    pub would: String,
    /// Exact branches, commits, directories and remotes.
    pub details: Vec<String>,
    pub fields: Map<String, Value>,
    pub steps: Vec<Step>,
    /// Names of variables that its programs get beside the usual ones.
    pub pass: Vec<String>,
    /// Handed to `finish` when the run has ended.
    pub data: Value,
    pub irreversible: Option<String>,
    pub alternatives: Vec<String>,
    pub release: Option<String>,
}

impl Plan {
    pub fn explanation(self) -> Explanation {
        Explanation {
            would: capital(&self.would) + ".",
            state: self.details,
            irreversible: self.irreversible,
            alternatives: self.alternatives,
        }
    }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Answers with the preview, or queues the run and answers with its id.
pub fn begin(ctx: &Ctx, place: &Place, plan: Plan) -> Result<Outcome> {
    let id = ctx.ids.uuid();
    let mut fields = plan.fields.clone();
    fields.insert("action".into(), json!(plan.action));
    fields.insert("steps".into(), json!(plan.steps.iter().map(|s| s.label.as_str()).collect::<Vec<_>>()));
    fields.insert("irreversible".into(), json!(plan.irreversible));
    if ctx.call.preview {
        let mut arguments = ctx.call.args.clone();
        arguments.insert("ecosystem".into(), json!(place.name));
        let hint = json!({"tool": ctx.call.tool, "arguments": with_mode(&arguments, "execute")});
        let mut answer = Answer::new(format!("Dry run: would {}.", plan.would))
            .ecosystem(Some(place.name.clone()))
            .lines(plan.details)
            .lines(plan.irreversible.map(|why| format!("Cannot be undone: {why}")))
            .lines(plan.alternatives.into_iter().map(|a| format!("Safer: {a}")))
            .fields(Value::Object(fields))
            .field("dry_run", json!(true))
            .field("execute_hint", hint)
            .next(next("amof_get_ecosystem_status", json!({"ecosystem": place.name})))
            .next(next("amof_list_runs", json!({"ecosystem": place.name})));
        if ctx.session.max_mode.is_none_or(|most| most == Mode::Execute) {
            answer = answer.next(next("amof_set_mode", json!({"mode": "execute"})));
        }
        if let Some(tag) = &plan.release {
            answer = answer.release(tag);
        }
        let mut outcome = answer.outcome(ctx)?;
        outcome.audit = true;
        outcome.record = Record {
            summary: format!("Previewed: {}.", plan.would),
            targets: vec![place.target()],
            data: json!({"event": "preview", "action": plan.action}),
            ..Record::default()
        };
        return Ok(outcome);
    }
    let row = RunRow {
        id: id.clone(),
        root: place.root.to_string_lossy().into_owned(),
        ecosystem: place.name.clone(),
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
        progress: Progress::default(),
    };
    let spec = RunSpec {
        id: id.clone(),
        root: row.root.clone(),
        ecosystem: place.name.clone(),
        lane: place.lane(),
        family: super::NAME.into(),
        tool: ctx.call.tool.clone(),
        args: ctx.call.args.clone(),
        session: ctx.session.clone(),
        steps: plan.steps,
        pass: plan.pass,
        data: plan.data,
    };
    let mut draft = ctx.draft();
    draft.put(RUNS, &Key::of(&id), &row)?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    outcome.audit = true;
    outcome.start = vec![order(Order::Start(Box::new(spec)))?];
    outcome.record = Record {
        summary: format!("Queued run {id}: {}.", plan.would),
        targets: vec![place.target(), format!("run:{id}")],
        data: json!({"run_id": id, "action": plan.action}),
        ..Record::default()
    };
    outcome.reply = Answer::new(format!("Run {} is queued: {}.", &id[..8.min(id.len())], plan.would))
        .ecosystem(Some(place.name.clone()))
        .run(&id)
        .lines(plan.details)
        .fields(Value::Object(fields))
        .fields(json!({"run_id": id, "status": "queued", "dry_run": false}))
        .next(next("amof_get_run_status", json!({"run_id": id})))
        .next(next("amof_get_run_logs", json!({"run_id": id})))
        .next(next("amof_cancel_run", json!({"run_id": id, "mode": "execute"})))
        .reply(ctx);
    Ok(outcome)
}

pub fn order(order: Order) -> Result<Value> {
    serde_json::to_value(order).map_err(|e| Error::internal(format!("Cannot hand over a run: {e}.")))
}

fn with_mode(args: &Map<String, Value>, mode: &str) -> Value {
    let mut args = args.clone();
    args.insert("mode".into(), json!(mode));
    Value::Object(args)
}

/// The operation that a finished run leaves in the shared history.
pub struct Finished<'a> {
    pub done: &'a RunDone,
    pub summary: String,
    pub irreversible: Option<String>,
    pub reversal: Option<Reversal>,
    pub targets: Vec<String>,
}

impl Finished<'_> {
    pub fn record(self, outcome: &mut Outcome) -> Result<()> {
        let mut data = json!({"run_id": self.done.id});
        if let Some(reversal) = &self.reversal {
            let value = serde_json::to_value(reversal)
                .map_err(|e| Error::internal(format!("Cannot record how to take a run back: {e}.")))?;
            data[Reversal::KEY] = value;
        }
        let mut targets = self.targets;
        targets.push(format!("run:{}", self.done.id));
        outcome.record = Record {
            summary: self.summary,
            targets,
            data,
            irreversible: self.irreversible,
            ..Record::default()
        };
        Ok(())
    }
}
