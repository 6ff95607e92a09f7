//! What brings one step forward: unblock it, do its work and capture what that showed, confirm it with that evidence.

use serde::Serialize;
use serde_json::Value;

use super::model::{CheckpointKind, Object, TaskStep, walk_steps};
use super::path::StepPath;
use super::rows::clip;
use super::scene::TaskScene;
use super::suggest::{Suggestion, fill};

/// One operation of a suggested patch.
#[derive(Serialize)]
pub struct SuggestedOp {
    op: &'static str,
    field: &'static str,
    value: Value,
}

impl SuggestedOp {
    pub fn set(field: &'static str, value: impl Into<Value>) -> SuggestedOp {
        SuggestedOp { op: "set", field, value: value.into() }
    }

    pub fn append(field: &'static str, value: String) -> SuggestedOp {
        SuggestedOp { op: "append", field, value: value.into() }
    }

    pub fn remove(field: &'static str, value: Vec<String>) -> SuggestedOp {
        SuggestedOp { op: "remove", field, value: value.into() }
    }
}

#[derive(Serialize)]
pub struct SuggestedPatch<'a> {
    task: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    ops: Vec<SuggestedOp>,
}

impl SuggestedPatch<'_> {
    /// What a patch of close_task has.
    pub const MEMBERS: [&'static str; 5] = ["kind", "path", "step_id", "task_node_id", "ops"];
}

pub fn patch_of(
    scene: &TaskScene,
    kind: &str,
    path: Option<&str>,
    ops: Vec<SuggestedOp>,
    reason: &str,
) -> Option<Suggestion> {
    let params = SuggestedPatch { task: &scene.item.id, kind, path, ops };
    Suggestion::guarded("patch", reason, &params, &scene.item, scene.rev)
}

#[derive(Serialize)]
struct Unblock<'a> {
    task: &'a str,
    path: &'a str,
    blocked: bool,
    reason: &'static str,
}

#[derive(Serialize)]
struct Confirm<'a> {
    task: &'a str,
    path: &'a str,
    step_id: &'a str,
    checkpoints: Object,
}

#[derive(Serialize)]
struct Confirmed {
    confirmed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence_refs: Vec<String>,
}

#[derive(Serialize)]
struct Capture<'a> {
    task: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<CommandOutput<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<Looked>,
    verification_outcome: String,
}

#[derive(Serialize)]
struct CommandOutput<'a> {
    kind: &'static str,
    command: &'a str,
    exit_code: String,
    stdout: String,
}

#[derive(Serialize)]
struct Looked {
    kind: &'static str,
    spec: String,
}

#[derive(Serialize)]
struct NodeDone<'a> {
    task: &'a str,
    path: &'a str,
    status: &'static str,
}

/// Commands and criteria of a step that a suggestion lists.
const LISTED: usize = 3;

pub fn of(scene: &TaskScene, at: &str) -> Option<Suggestion> {
    let item = &scene.item;
    let path = StepPath::parse(at, item)?;
    let step = path.step(item).ok()?;
    let needs = step.needs();
    if needs.iter().any(|n| n == "plan_tasks") {
        return node_action(scene, at, step);
    }
    if step.blocked {
        let params = Unblock { task: &item.id, path: at, blocked: false, reason: "" };
        let reason = "The step is blocked; go on once the reason is gone.";
        return Suggestion::guarded("block", reason, &params, item, scene.rev);
    }
    if needs.iter().any(|n| CheckpointKind::parse(n).is_none()) {
        let known: Vec<String> =
            step.required().into_iter().filter(|r| CheckpointKind::parse(r).is_some()).collect();
        let ops = vec![SuggestedOp::set("required_checkpoints", known)];
        return patch_of(scene, "step", Some(at), ops, "The step requires a checkpoint that does not exist.");
    }
    let failed = step.last_shown_failed();
    if failed || !step.has_shown_something() {
        let first = if failed { "What was shown last failed: mend it" } else { "Do the step" };
        let reason = match step.tests.as_slice() {
            [] => format!("{first}, look whether its criteria are met, then say what you found."),
            tests => format!("{first}, run {}, then send what came out.", tests.join("; ")),
        };
        let params = capture(&item.id, at, step);
        return Suggestion::guarded("evidence_capture", &clip(&reason, 200), &params, item, scene.rev);
    }
    let mut gates = step.missing_gates();
    if gates.is_empty() && !step.completed {
        gates = default_gates(step);
    }
    let params =
        Confirm { task: &item.id, path: at, step_id: &step.id, checkpoints: confirmations(step, &gates) };
    let (action, reason) = match step.completed {
        true => ("verify", "The step was closed without these confirmations."),
        false => ("close_step", "There is evidence: confirm with it what holds, and close the step."),
    };
    Suggestion::guarded(action, reason, &params, item, scene.rev)
}

/// What was seen, to be filled in by whoever saw it.
fn capture<'a>(task: &'a str, path: &'a str, step: &'a TaskStep) -> Capture<'a> {
    let output = |command: &'a String| CommandOutput {
        kind: "cmd_output",
        command,
        exit_code: fill("exit code"),
        stdout: fill("what it printed"),
    };
    let looked = |criterion: &String| {
        let spec = fill(&format!("how you saw that: {}", clip(criterion, 80)));
        Looked { kind: "review", spec }
    };
    let artifacts: Vec<_> = step.tests.iter().take(LISTED).map(output).collect();
    let checks = match artifacts.is_empty() {
        true => step.success_criteria.iter().take(LISTED).map(looked).collect(),
        false => Vec::new(),
    };
    Capture { task, path, artifacts, checks, verification_outcome: fill("pass or fail, and why") }
}

/// The newest evidence stands behind each confirmation; a run that failed does not.
fn confirmations(step: &TaskStep, gates: &[CheckpointKind]) -> Object {
    let failed = |id: &String| step.attachments.iter().any(|a| a.digest == *id && a.failed());
    let all: Vec<String> = step.evidence().into_iter().filter(|id| !failed(id)).collect();
    let evidence_refs: Vec<String> = all.iter().rev().take(2).rev().cloned().collect();
    let one = |(i, gate): (usize, &CheckpointKind)| {
        // All confirmations share it; it is said once.
        let evidence_refs = if i == 0 { evidence_refs.clone() } else { Vec::new() };
        let confirmed = Confirmed { confirmed: true, evidence_refs };
        (gate.as_str().to_string(), serde_json::to_value(confirmed).unwrap_or_default())
    };
    gates.iter().enumerate().map(one).collect()
}

fn default_gates(step: &TaskStep) -> Vec<CheckpointKind> {
    let mut gates = Vec::new();
    if !step.success_criteria.is_empty() {
        gates.push(CheckpointKind::Criteria);
    }
    if !step.tests.is_empty() || step.gates.auto(CheckpointKind::Tests) {
        gates.push(CheckpointKind::Tests);
    }
    gates
}

/// What brings the first unfinished task node of a step forward.
fn node_action(scene: &TaskScene, path: &str, step: &TaskStep) -> Option<Suggestion> {
    let (index, node) = step.plan.tasks.iter().enumerate().find(|(_, n)| !n.is_done())?;
    let path = format!("{path}.t:{index}");
    if node.blocked {
        let ops = vec![SuggestedOp::set("blocked", false)];
        return patch_of(scene, "task", Some(&path), ops, "The task node is marked as blocked.");
    }
    let mut below = Vec::new();
    walk_steps(&node.steps, &path, &mut below);
    let open: Vec<_> = below.iter().filter(|(_, s)| !s.completed).collect();
    if let Some((path, _)) = open.iter().find(|(_, s)| s.ready()).or(open.first()) {
        return of(scene, path);
    }
    let params = NodeDone { task: &scene.item.id, path: &path, status: "DONE" };
    let reason = "Nothing is open below this task node; say whether it is done.";
    Suggestion::guarded("task_define", reason, &params, &scene.item, scene.rev)
}
