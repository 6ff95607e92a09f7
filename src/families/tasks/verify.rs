//! verify: confirms checkpoints of a step, a task node, a plan or the item itself, with evidence.
//!
//! Everything is checked before anything is changed, so a refused call leaves nothing confirmed.

use serde_json::{Value, json};

use crate::core::{Error, Result, Timestamp, redact};

use super::args::{flag, has, text};
use super::auto::Gathered;
use super::evidence;
use super::fail::{Envelope, fail};
use super::model::{Attachment, Gate, Gates, Item, Object};
use super::path::Path;
use super::run::{Answer, NODE, Run, STEP};
use super::shape;

/// What carries the checkpoints.
pub enum Target {
    Step(Path),
    Node(Path),
    /// The plan owned by a step.
    StepPlan(Path),
    Root,
}

impl Target {
    fn kind(&self, item: &Item) -> &'static str {
        match self {
            Target::Step(_) => "step",
            Target::Node(_) => "task",
            Target::StepPlan(_) => "plan",
            Target::Root if item.is_plan() => "plan",
            Target::Root => "task_detail",
        }
    }

    fn path(&self) -> Option<String> {
        match self {
            Target::Step(p) | Target::Node(p) | Target::StepPlan(p) => Some(p.to_string()),
            Target::Root => None,
        }
    }

    fn parts<'a>(&self, item: &'a mut Item) -> Option<(&'a mut Gates, &'a mut Vec<Attachment>)> {
        match self {
            Target::Step(p) => p.step_mut(item).map(|s| (&mut s.gates, &mut s.attachments)),
            Target::Node(p) => p.node_mut(item).map(|n| (&mut n.gates, &mut n.attachments)),
            Target::StepPlan(p) => p.step_mut(item).map(|s| (&mut s.plan.gates, &mut s.plan.attachments)),
            Target::Root => Some((&mut item.gates, &mut item.attachments)),
        }
    }
}

/// The checkpoints named in a request; their names are right, their confirmation is not yet checked.
fn named(request: &Object) -> Result<Vec<(Gate, &Value)>> {
    let bad = |message: String| -> Error {
        fail("INVALID_CHECKPOINTS", message)
            .hint("Send {\"criteria\":{\"confirmed\":true}}; names: criteria, tests, security, perf, docs.")
    };
    let map = request.get("checkpoints").and_then(Value::as_object).filter(|m| !m.is_empty());
    let map = map.ok_or_else(|| bad("'checkpoints' must be an object that names a checkpoint.".into()))?;
    let gate = |(name, value): (&String, _)| match Gate::parse(name) {
        Some(gate) => Ok((gate, value)),
        None => Err(bad(format!("'{name}' is not a checkpoint."))),
    };
    map.iter().map(gate).collect()
}

fn target(request: &Object, item: &Item) -> Result<Target> {
    let default = if item.is_plan() { "plan" } else { "step" };
    let kind = match text(request, "kind").map(str::to_lowercase) {
        None => default.to_string(),
        Some(kind) if kind == "auto" => default.to_string(),
        Some(kind) => kind,
    };
    match (kind.as_str(), item.is_plan()) {
        ("plan", true) | ("task_detail", _) => Ok(Target::Root),
        ("step" | "task", true) => {
            Err(fail("NOT_A_TASK", format!("{} is a plan; it has no steps.", item.id))
                .hint("Name a TASK id, or verify the plan itself with kind=plan.")
                .result(json!({"task": item.id})))
        }
        ("step", false) => STEP.resolve(request, item).map(Target::Step),
        ("task", false) => NODE.resolve(request, item).map(Target::Node),
        ("plan", false) => STEP.resolve(request, item).map(Target::StepPlan),
        _ => Err(fail("INVALID_KIND", format!("'{kind}' is not a kind of target."))
            .hint("Use auto, step, task, plan or task_detail.")),
    }
}

/// Before and after, as replies show it.
pub struct Confirmed {
    pub target: Target,
    pub before: Value,
    pub after: Value,
}

/// Confirms in memory: the item is changed only if everything in the request is right.
pub fn confirm(run: &Run, item: &mut Item, request: &Object, step_only: bool) -> Result<Confirmed> {
    let gates = named(request)?;
    let target = if step_only { Target::Step(STEP.resolve(request, item)?) } else { target(request, item)? };
    let on_step = matches!(target, Target::Step(_));
    let stepwise = ["checks", "verification_checks", "verification_outcome"];
    if !on_step && stepwise.iter().any(|key| has(request, key)) {
        return Err(fail("INVALID_TARGET", "Checks and an outcome belong to steps only.")
            .hint("Target a step, or send attachments instead.")
            .result(json!({"task": item.id, "kind": target.kind(item)})));
    }
    for (gate, value) in &gates {
        if value.get("confirmed") != Some(&json!(true)) {
            let name = gate.as_str();
            return Err(fail("VERIFY_NOOP", format!("checkpoints.{name} does not say confirmed:true."))
                .hint(format!("Send {{\"{name}\":{{\"confirmed\":true}}}}, or leave it out."))
                .result(json!({"task": item.id, "checkpoint": name})));
        }
    }
    let now = run.ctx.now;
    let checks = evidence::requested_checks(request, now)?;
    let attachments = evidence::requested_attachments(request, now)?;
    let label = target.path().map(|p| format!("step:{p}"));
    // The target was resolved in this very item.
    let (own, list) = target.parts(item).expect("resolved target");
    let before = shape::checkpoints(own);
    let mut events = Vec::new();
    for (gate, value) in &gates {
        own.set(*gate, true);
        let note = value["note"].as_str().map(str::trim).unwrap_or_default();
        let note = redact::text(note).0;
        if !note.is_empty() {
            own.notes_mut(*gate).push(note.clone());
        }
        events.push(json!({"checkpoint": gate.as_str(), "note": note}));
    }
    evidence::add_attachments(list, attachments);
    let mut digests: Vec<String> = list.iter().map(|a| a.digest.clone()).collect();
    if let Target::Step(path) = &target {
        // Resolved above.
        let step = path.step_mut(item).expect("resolved step");
        step.start(now);
        let auto = run.ctx.prepared::<Gathered>().map(|g| g.checks.clone()).unwrap_or_default();
        evidence::add_checks(step, checks);
        evidence::add_checks(step, auto.into_iter().map(|c| c.sealed(now)).collect());
        if let Some(outcome) = text(request, "verification_outcome") {
            step.verification_outcome = redact::text(outcome).0;
        }
        digests.extend(step.verification_checks.iter().map(|c| c.digest.clone()));
        for data in events {
            event(item, now, "checkpoint", label.as_deref().unwrap_or_default(), data);
        }
    }
    // Resolved above.
    let (own, _) = target.parts(item).expect("resolved target");
    for (gate, _) in &gates {
        let refs = own.refs_mut(*gate);
        for digest in &digests {
            if !refs.contains(digest) {
                refs.push(digest.clone());
            }
        }
    }
    let after = shape::checkpoints(own);
    Ok(Confirmed { target, before, after })
}

/// Adds an entry to the item's timeline.
pub fn event(item: &mut Item, now: Timestamp, kind: &str, target: &str, data: Value) {
    item.events.push(json!({"timestamp": now.offset(), "event_type": kind, "actor": "ai",
        "target": target, "data": data}));
}

pub fn verify(run: &mut Run, request: &Object) -> Result<Answer> {
    named(request)?;
    let mut item = run.item(request)?.item;
    let done = confirm(run, &mut item, request, false)?;
    let saved = run.save(item)?;
    let item = &saved.item;
    let compact = flag(request, "compact", false);
    let mut result = json!({"task_id": item.id, "path": done.target.path(),
        "kind": done.target.kind(item), "checkpoints_before": done.before,
        "checkpoints_after": done.after});
    match &done.target {
        Target::Step(path) => {
            // The same path in the same tree.
            let step = path.step(item).expect("resolved step");
            result["ready"] = json!(step.ready());
            result["needs"] = json!(step.needs());
            result["step"] = shape::step(step, &path.to_string(), compact, true);
        }
        Target::Node(path) => {
            // The same path in the same tree.
            let node = path.node(item).expect("resolved node");
            result["task_node"] = shape::node(node, &path.to_string(), compact);
        }
        Target::StepPlan(_) | Target::Root => {}
    }
    result[item.kind.as_str()] = shape::item(item, saved.rev, compact);
    Ok(Answer::about(&item.id, result))
}
