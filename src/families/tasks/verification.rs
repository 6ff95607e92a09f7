//! What is left to verify in the current work, with what, and the evidence there is: a part of radar and handoff.

use std::collections::BTreeMap;

use serde::Serialize;

use super::contract;
use super::model::{Attachment, CheckpointKind, EvidenceCheck, TaskItem, TaskStep};
use super::radar::Current;
use super::rows::clip;
use super::scene::TaskScene;

#[derive(Default, Serialize)]
pub struct ToVerify<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_id: Option<&'a str>,
    commands: Vec<String>,
    pub open_checkpoints: Vec<String>,
    missing_checkpoints: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Missing<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    criteria_confirmed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_confirmed: Option<bool>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tests: &'a [String],
    ready: Option<bool>,
    needs: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence_task: Option<EvidenceOfTask<'a>>,
}

#[derive(Serialize)]
struct Missing<'a> {
    checkpoint: String,
    path: &'a str,
}

#[derive(Serialize)]
struct Evidence<'a> {
    verification_outcome: &'a str,
    checks: Kinds<'a>,
    attachments: Kinds<'a>,
}

#[derive(Serialize)]
struct EvidenceOfTask<'a> {
    steps_total: usize,
    steps_with_any_evidence: usize,
    verification_outcomes: Outcomes<'a>,
    checks: Kinds<'a>,
    attachments: Kinds<'a>,
}

#[derive(Serialize)]
struct Outcomes<'a> {
    count: usize,
    kinds: BTreeMap<&'a str, usize>,
}

#[derive(Serialize)]
struct Kinds<'a> {
    count: usize,
    kinds: BTreeMap<&'a str, usize>,
    last_observed_at: Option<&'a str>,
}

#[derive(Serialize)]
pub struct HowToVerify<'a> {
    criteria: Vec<String>,
    order: [&'a str; 2],
}

impl<'a> ToVerify<'a> {
    pub fn of(scene: &'a TaskScene, current: Option<&'a Current<'a>>) -> ToVerify<'a> {
        if scene.item.is_plan() { ToVerify::of_plan(&scene.item) } else { ToVerify::of_task(scene, current) }
    }

    fn of_task(scene: &'a TaskScene, current: Option<&'a Current<'a>>) -> ToVerify<'a> {
        let item = &scene.item;
        let evidence_task = Some(evidence_of_task(item));
        let Some((path, step)) = current else {
            return ToVerify {
                commands: commands(scene.plan(), &item.tests),
                evidence_task,
                ..ToVerify::default()
            };
        };
        let needs = step.needs();
        let names: Vec<_> =
            needs.iter().map(|n| if n == "blocked" { "unblocked".to_string() } else { n.clone() }).collect();
        ToVerify {
            path: Some(path),
            step_id: Some(&step.id),
            commands: commands(scene.plan(), &step.tests),
            open_checkpoints: names.clone(),
            missing: names.iter().map(|name| Missing { checkpoint: name.clone(), path }).collect(),
            missing_checkpoints: names,
            tests: &step.tests[..step.tests.len().min(10)],
            ready: Some(step.ready()),
            needs: Some(needs),
            evidence: Some(Evidence {
                verification_outcome: &step.verification_outcome,
                checks: check_kinds(step.verification_checks.iter()),
                attachments: attachment_kinds(step.attachments.iter()),
            }),
            evidence_task,
            ..ToVerify::default()
        }
    }

    fn of_plan(item: &'a TaskItem) -> ToVerify<'a> {
        let mut open = Vec::new();
        if !item.success_criteria.is_empty() && !item.gates.confirmed(CheckpointKind::Criteria) {
            open.push("criteria".to_string());
        }
        if !item.tests.is_empty() && !item.gates.confirmed(CheckpointKind::Tests) {
            open.push("tests".to_string());
        }
        ToVerify {
            commands: commands(Some(item), &item.tests),
            missing_checkpoints: open.clone(),
            open_checkpoints: open,
            criteria_confirmed: Some(item.gates.confirmed(CheckpointKind::Criteria)),
            tests_confirmed: Some(item.gates.confirmed(CheckpointKind::Tests)),
            ..ToVerify::default()
        }
    }
}

impl<'a> HowToVerify<'a> {
    pub fn of(scene: &TaskScene, current: Option<&Current>) -> HowToVerify<'a> {
        let criteria = match current {
            Some((_, step)) => &step.success_criteria,
            None => &scene.item.success_criteria,
        };
        HowToVerify {
            criteria: criteria.iter().take(5).map(|c| clip(c, 180)).collect(),
            order: ["evidence_capture", if scene.item.is_plan() { "verify" } else { "close_step" }],
        }
    }
}

/// The checks of the plan, then the tests, each once.
fn commands(plan: Option<&TaskItem>, tests: &[String]) -> Vec<String> {
    let checks = plan.map(|p| contract::data_list(p, "checks")).unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    for command in checks.iter().chain(tests) {
        if !out.contains(command) {
            out.push(command.clone());
        }
    }
    out.truncate(10);
    out
}

/// How often each kind occurs, by name.
fn counted<'a>(all: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    all.fold(BTreeMap::new(), |mut kinds, kind| {
        *kinds.entry(kind).or_default() += 1;
        kinds
    })
}

fn kinds<'a>(all: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Kinds<'a> {
    let last_observed_at = all.clone().map(|(_, observed)| observed).max().filter(|last| !last.is_empty());
    let kinds = counted(all.map(|(kind, _)| kind));
    Kinds { count: kinds.values().sum(), kinds, last_observed_at }
}

fn check_kinds<'a>(checks: impl Iterator<Item = &'a EvidenceCheck> + Clone) -> Kinds<'a> {
    kinds(checks.map(|c| (c.kind.as_str(), c.observed_at.as_str())))
}

fn attachment_kinds<'a>(attachments: impl Iterator<Item = &'a Attachment> + Clone) -> Kinds<'a> {
    kinds(attachments.map(|a| (a.kind.as_str(), a.observed_at.as_str())))
}

fn evidence_of_task(item: &TaskItem) -> EvidenceOfTask<'_> {
    let steps = item.walk();
    let outcomes: Vec<&str> =
        steps.iter().map(|(_, s)| s.verification_outcome.as_str()).filter(|o| !o.is_empty()).collect();
    let all: Vec<&TaskStep> = steps.iter().map(|(_, s)| *s).collect();
    EvidenceOfTask {
        steps_total: steps.len(),
        steps_with_any_evidence: all.iter().filter(|s| s.has_evidence()).count(),
        verification_outcomes: Outcomes { count: outcomes.len(), kinds: counted(outcomes.into_iter()) },
        checks: check_kinds(all.clone().into_iter().flat_map(|s| &s.verification_checks)),
        attachments: attachment_kinds(all.into_iter().flat_map(|s| &s.attachments)),
    }
}
