//! Confirming checkpoints of a step, a task node, a plan or the item itself, with evidence.
//!
//! Everything is checked before anything is changed, so a refused call leaves nothing confirmed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Error, Given, Result, Timestamp, redact};

use super::address::Address;
use super::args::text;
use super::errors::{EnvelopeParts, fail};
use super::evidence;
use super::model::{Attachment, CheckpointKind, CheckpointSet, EvidenceCheck, Object, TaskItem};
use super::path::{NodePath, StepPath};
use super::reply;
use super::request::{AboutTask, IntentRequest};
use super::suggest;

/// What a call that confirms brings along.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Confirmation {
    pub path: Given<String>,
    pub step_id: Given<String>,
    pub checkpoints: Given<Object>,
    pub checks: Given<Vec<Value>>,
    pub verification_checks: Given<Vec<Value>>,
    pub attachments: Given<Vec<Value>>,
    pub verification_outcome: Given<String>,
}

impl Confirmation {
    pub fn address(&self) -> Address<'_> {
        Address::of_step(&self.path, &self.step_id)
    }

    pub fn requested_checks(&self, now: Timestamp) -> Result<Vec<EvidenceCheck>> {
        let given = if self.checks.is_sent() { &self.checks } else { &self.verification_checks };
        evidence::parse_checks(given, now)
    }

    fn is_stepwise(&self) -> bool {
        self.checks.is_sent() || self.verification_checks.is_sent() || self.verification_outcome.is_sent()
    }
}

/// What carries the checkpoints.
pub enum CheckpointOwner {
    Step(StepPath),
    Node(NodePath),
    /// The plan owned by a step.
    StepPlan(StepPath),
    Root,
}

impl CheckpointOwner {
    pub fn kind(&self, item: &TaskItem) -> &'static str {
        match self {
            CheckpointOwner::Step(_) => "step",
            CheckpointOwner::Node(_) => "task",
            CheckpointOwner::StepPlan(_) => "plan",
            CheckpointOwner::Root if item.is_plan() => "plan",
            CheckpointOwner::Root => "task_detail",
        }
    }

    pub fn path(&self) -> Option<&str> {
        match self {
            CheckpointOwner::Step(p) | CheckpointOwner::StepPlan(p) => Some(p.as_str()),
            CheckpointOwner::Node(p) => Some(p.as_str()),
            CheckpointOwner::Root => None,
        }
    }

    fn parts<'a>(&self, item: &'a mut TaskItem) -> Result<(&'a mut CheckpointSet, &'a mut Vec<Attachment>)> {
        Ok(match self {
            CheckpointOwner::Step(p) => {
                let step = p.step_mut(item)?;
                (&mut step.gates, &mut step.attachments)
            }
            CheckpointOwner::Node(p) => {
                let node = p.node_mut(item)?;
                (&mut node.gates, &mut node.attachments)
            }
            CheckpointOwner::StepPlan(p) => {
                let plan = &mut p.step_mut(item)?.plan;
                (&mut plan.gates, &mut plan.attachments)
            }
            CheckpointOwner::Root => (&mut item.gates, &mut item.attachments),
        })
    }
}

/// One checkpoint as a call confirms it.
pub struct NamedCheckpoint {
    gate: CheckpointKind,
    confirmed: bool,
    note: String,
    /// Evidence that it is confirmed with; it must be there.
    evidence: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    /// Meant word for word: nothing but the boolean counts.
    confirmed: Given<bool>,
    note: Given<String>,
    evidence_refs: Given<Vec<String>>,
}

/// The checkpoints named in a request; their names are right, their confirmation is not yet checked.
pub fn named(given: &Given<Object>) -> Result<Vec<NamedCheckpoint>> {
    let bad = |message: String| -> Error {
        fail("INVALID_CHECKPOINTS", message)
            .hint("Send {\"criteria\":{\"confirmed\":true}}; names: criteria, tests, security, perf, docs.")
    };
    let map = given.get().filter(|m| !m.is_empty());
    let map = map.ok_or_else(|| bad("'checkpoints' must be an object that names a checkpoint.".into()))?;
    let one = |(name, value): (&String, &Value)| {
        let gate =
            CheckpointKind::parse(name).ok_or_else(|| bad(format!("'{name}' is not a checkpoint.")))?;
        let said = Said::deserialize(value).unwrap_or_default();
        let note = text(&said.note).unwrap_or_default();
        let confirmed = said.confirmed == Given::Is(true);
        let evidence = said.evidence_refs.get().cloned().unwrap_or_default();
        Ok(NamedCheckpoint { gate, confirmed, note: redact::text(note).0, evidence })
    };
    map.iter().map(one).collect()
}

/// Before and after, as replies show it.
pub struct Confirmed {
    pub before: Object,
    pub after: Object,
}

#[derive(Serialize)]
struct WrongCarrier<'a> {
    task: &'a str,
    kind: &'a str,
}

#[derive(Serialize)]
struct Unconfirmed<'a> {
    task: &'a str,
    checkpoint: &'a str,
}

#[derive(Serialize)]
struct CheckpointEvent<'a> {
    checkpoint: &'a str,
    note: &'a str,
}

/// Confirms in memory: the item is changed only if everything in the request is right.
pub fn confirm(
    request: &IntentRequest,
    item: &mut TaskItem,
    carrier: &CheckpointOwner,
    said: &Confirmation,
    gates: &[NamedCheckpoint],
) -> Result<Confirmed> {
    if !matches!(carrier, CheckpointOwner::Step(_)) && said.is_stepwise() {
        return Err(fail("INVALID_TARGET", "Checks and an outcome belong to steps only.")
            .hint("Target a step, or send attachments instead.")
            .result(WrongCarrier { task: &item.id, kind: carrier.kind(item) }));
    }
    let open: Vec<&str> = gates.iter().filter(|g| !g.confirmed).map(|g| g.gate.as_str()).collect();
    if let Some(name) = open.first() {
        let said = |name: &&str| format!("checkpoints.{name}");
        let all: Vec<String> = open.iter().map(said).collect();
        let does = if open.len() == 1 { "does" } else { "do" };
        let form: Vec<String> =
            open.iter().map(|name| format!("\"{name}\":{{\"confirmed\":true}}")).collect();
        return Err(fail("VERIFY_NOOP", format!("{} {does} not say confirmed:true.", all.join(", ")))
            .hint(format!("Send {{{}}}, or leave out what does not hold.", form.join(",")))
            .result(Unconfirmed { task: &item.id, checkpoint: name }));
    }
    if let CheckpointOwner::Step(path) = carrier {
        let known = path.step(item)?.evidence();
        if let Some(lost) = gates.iter().flat_map(|g| &g.evidence).find(|id| !known.contains(id)) {
            return Err(fail("INVALID_CHECKPOINTS", format!("{path} has no evidence {lost}."))
                .hint("Capture it with evidence_capture first, or leave evidence_refs out.")
                .suggest(suggest::look_at(&item.id)));
        }
    }
    let now = request.ctx.now;
    let checks = said.requested_checks(now)?;
    let attachments = evidence::parse_attachments(&said.attachments, now)?;
    let (own, list) = carrier.parts(item)?;
    let before = reply::checkpoints(own);
    for named in gates {
        let checkpoint = own.of_mut(named.gate);
        checkpoint.confirmed = true;
        if !named.note.is_empty() {
            checkpoint.notes.push(named.note.clone());
        }
    }
    evidence::add_attachments(list, attachments);
    let mut digests: Vec<String> = list.iter().map(|a| a.digest.clone()).collect();
    if let CheckpointOwner::Step(path) = carrier {
        let step = path.step_mut(item)?;
        step.start(now);
        evidence::add_checks(step, checks);
        let witnesses = request.seen.checks.iter().map(|c| c.clone().sealed(now));
        evidence::add_checks(step, witnesses.collect());
        if let Some(outcome) = text(&said.verification_outcome) {
            step.verification_outcome = redact::text(outcome).0;
        }
        digests.extend(step.verification_checks.iter().map(|c| c.digest.clone()));
        for named in gates {
            let data = CheckpointEvent { checkpoint: named.gate.as_str(), note: &named.note };
            event(item, now, "checkpoint", &format!("step:{path}"), &data);
        }
    }
    let (own, _) = carrier.parts(item)?;
    for named in gates {
        let refs = &mut own.of_mut(named.gate).evidence;
        for digest in &digests {
            if !refs.contains(digest) {
                refs.push(digest.clone());
            }
        }
    }
    Ok(Confirmed { before, after: reply::checkpoints(own) })
}

#[derive(Serialize)]
struct Event<'a, T> {
    timestamp: String,
    event_type: &'a str,
    actor: &'static str,
    target: &'a str,
    data: &'a T,
}

/// Adds an entry to the item's timeline.
pub fn event<T: Serialize>(item: &mut TaskItem, now: Timestamp, kind: &str, target: &str, data: &T) {
    let event = Event { timestamp: now.offset(), event_type: kind, actor: "ai", target, data };
    item.events.extend(serde_json::to_value(event).ok());
}

/// Not a step: why a call about steps cannot be about this item.
pub fn no_steps(item: &TaskItem) -> Error {
    fail("NOT_A_TASK", format!("{} is a plan; it has no steps.", item.id))
        .hint("Name a TASK id, or verify the plan itself with kind=plan.")
        .result(AboutTask { task: &item.id })
}

/// The reason of an override, as the timeline keeps it.
#[derive(Serialize)]
pub struct Override<'a> {
    pub action: &'a str,
    pub reason: &'a str,
}

/// What a call by force says in the timeline.
pub fn overridden(item: &mut TaskItem, now: Timestamp, target: &str, action: &str, reason: &str) {
    event(item, now, "override", target, &Override { action, reason });
}
