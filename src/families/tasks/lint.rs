//! lint: what is wrong (errors, which keep a task from closing) or careless (warnings) about an item.

//!
//! The tool that shows it is tools/lint.rs; the runway asks the same function.

use serde::Serialize;

use super::contract;
use super::deps;
use super::model::{CheckpointKind, TaskItem, TaskNode, TaskStep};
use super::scene::TaskScene;

const MIN_TITLE: usize = 20;
/// Words that join two actions in one title.
const SEQUENCE: [&str; 7] = [", и ", "потом", "далее", "и затем", "после этого", " and then", " then "];

#[derive(Debug, Clone)]
pub struct Issue {
    pub code: &'static str,
    pub error: bool,
    pub message: String,
    target: IssueTarget,
    details: IssueDetails,
}

/// What an issue is about.
#[derive(Debug, Clone, Default, Serialize)]
struct IssueTarget {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_node_id: Option<String>,
}

/// What more there is to say; mostly nothing.
#[derive(Debug, Clone, Default, Serialize)]
struct IssueDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cycle: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unresolved_depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_len: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    len: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<&'static str>,
}

/// An issue as replies show it.
#[derive(Debug, Serialize)]
pub struct IssueShown<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    target: &'a IssueTarget,
    details: &'a IssueDetails,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct LintSummary {
    pub errors: usize,
    pub warnings: usize,
    pub total: usize,
}

impl Issue {
    pub fn shown(&self) -> IssueShown<'_> {
        IssueShown {
            code: self.code,
            severity: if self.error { "error" } else { "warning" },
            message: &self.message,
            target: &self.target,
            details: &self.details,
        }
    }

    pub fn path(&self) -> Option<&str> {
        self.target.path.as_deref()
    }
}

#[derive(Default)]
struct Issues(Vec<Issue>);

impl Issues {
    fn add(
        &mut self,
        error: bool,
        code: &'static str,
        message: String,
        target: &IssueTarget,
        details: IssueDetails,
    ) {
        self.0.push(Issue { code, error, message, target: target.clone(), details });
    }

    fn error(&mut self, code: &'static str, message: String, target: &IssueTarget) {
        self.add(true, code, message, target, IssueDetails::default());
    }

    fn warn(&mut self, code: &'static str, message: String, target: &IssueTarget) {
        self.add(false, code, message, target, IssueDetails::default());
    }
}

/// All issues, errors first, then by code, then in tree order.
pub fn issues(scene: &TaskScene) -> Vec<Issue> {
    let mut found = Issues::default();
    if scene.item.is_plan() {
        plan_issues(&scene.item, &mut found);
    } else {
        task_issues(scene, &mut found);
    }
    // Stable, so ties stay in tree order.
    found.0.sort_by_key(|i| (!i.error, i.code));
    found.0
}

pub fn summary(issues: &[Issue]) -> LintSummary {
    let errors = issues.iter().filter(|i| i.error).count();
    LintSummary { errors, warnings: issues.len() - errors, total: issues.len() }
}

fn root(item: &TaskItem) -> IssueTarget {
    IssueTarget { kind: "task_detail", id: Some(item.id.clone()), ..IssueTarget::default() }
}

fn task_issues(scene: &TaskScene, found: &mut Issues) {
    let item = &scene.item;
    if item.success_criteria.is_empty() {
        let message = format!("{} has no success criteria.", item.id);
        found.error("TASK_SUCCESS_CRITERIA_MISSING", message, &root(item));
    }
    dependency_issues(scene, found);
    for (path, step) in item.walk() {
        step_issues(&path, step, found);
    }
    for (path, node) in item.walk_nodes() {
        node_issues(&path, node, found);
    }
}

fn dependency_issues(scene: &TaskScene, found: &mut Issues) {
    let item = &scene.item;
    for dep in item.depends_on.iter().filter(|d| deps::task_id(d).is_none()) {
        let details =
            IssueDetails { got: Some(dep.clone()), expected: Some("TASK-###"), ..IssueDetails::default() };
        found.add(true, "INVALID_DEPENDENCY_ID", format!("'{dep}' is not a task id."), &root(item), details);
    }
    let missing = scene.deps.missing.iter().filter(|d| deps::task_id(d).is_some());
    let mut errors: Vec<_> = missing.map(|d| format!("There is no {d}.")).collect();
    if item.depends_on.contains(&item.id) {
        errors.push(format!("{} depends on itself.", item.id));
    }
    if !errors.is_empty() {
        let message = errors.join(" ");
        let details = IssueDetails { errors, ..IssueDetails::default() };
        found.add(true, "INVALID_DEPENDENCIES", message, &root(item), details);
    } else if let Some(cycle) = &scene.deps.cycle {
        let message = format!("The dependencies form a circle: {}.", cycle.join(" → "));
        found.add(
            true,
            "CIRCULAR_DEPENDENCY",
            message,
            &root(item),
            IssueDetails { cycle: cycle.clone(), ..IssueDetails::default() },
        );
    }
    let open: Vec<_> = scene.deps.known.iter().filter(|s| !s.resolved()).map(|s| s.id.clone()).collect();
    if !open.is_empty() {
        let message = format!("Waits for: {}.", open.join(", "));
        let details = IssueDetails { unresolved_depends_on: open, ..IssueDetails::default() };
        found.add(false, "DEPENDS_ON_BLOCKING", message, &root(item), details);
    }
}

fn step_issues(path: &str, step: &TaskStep, found: &mut Issues) {
    let target = IssueTarget {
        kind: "step",
        path: Some(path.to_string()),
        step_id: Some(step.id.clone()),
        ..IssueTarget::default()
    };
    let title = step.title.trim();
    if step.success_criteria.is_empty() {
        let message = format!("{path} has no success criteria.");
        found.error("STEP_SUCCESS_CRITERIA_MISSING", message, &target);
    }
    if step.tests.is_empty() {
        found.warn("STEP_TESTS_MISSING", format!("{path} has no tests."), &target);
        if !step.gates.auto(CheckpointKind::Tests) {
            let message = format!("{path} has no tests, yet they do not count as confirmed.");
            found.warn("STEP_TESTS_INCONSISTENT", message, &target);
        }
    }
    if step.blockers.is_empty() {
        found.warn("STEP_BLOCKERS_MISSING", format!("{path} names no blockers."), &target);
    }
    let length = title.chars().count();
    if length < MIN_TITLE {
        let message = format!("The title of {path} is short.");
        let details = IssueDetails { min_len: Some(MIN_TITLE), len: Some(length), ..IssueDetails::default() };
        found.add(false, "STEP_TITLE_TOO_SHORT", message, &target, details);
    }
    let lower = title.to_lowercase();
    if SEQUENCE.iter().any(|word| lower.contains(word)) {
        let message = format!("{path} seems to be more than one step.");
        found.warn("STEP_NOT_ATOMIC", message, &target);
    }
    if step.computed_status() != "pending" {
        for (gate, code) in [
            (CheckpointKind::Criteria, "CHECKPOINT_CRITERIA_OPEN"),
            (CheckpointKind::Tests, "CHECKPOINT_TESTS_OPEN"),
        ] {
            if !step.gates.ok(gate) {
                let message = format!("{path} is under way, but its {} are not confirmed.", gate.as_str());
                found.warn(code, message, &target);
            }
        }
    }
    if (step.ready() || step.completed) && !step.has_evidence() {
        let message = format!("{path} has no evidence: no outcome, checks or attachments.");
        found.warn("EVIDENCE_MISSING", message, &target);
    }
}

fn node_issues(path: &str, node: &TaskNode, found: &mut Issues) {
    let target = IssueTarget {
        kind: "task_node",
        path: Some(path.to_string()),
        task_node_id: Some(node.id.clone()),
        ..IssueTarget::default()
    };
    if node.title.trim().is_empty() {
        found.error("TASK_NODE_TITLE_MISSING", format!("{path} has no title."), &target);
    }
    if node.success_criteria.is_empty() {
        let message = format!("{path} has no success criteria.");
        found.warn("TASK_NODE_SUCCESS_CRITERIA_MISSING", message, &target);
    }
    if node.tests.is_empty() {
        found.warn("TASK_NODE_TESTS_MISSING", format!("{path} has no tests."), &target);
    }
}

fn step_ids(text: &str) -> usize {
    text.match_indices("STEP-")
        .filter(|(i, _)| text[i + 5..].starts_with(|c: char| c.is_ascii_alphanumeric()))
        .count()
}

fn checkboxes(text: &str) -> usize {
    let marks = ["- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]", "[ ]", "[x]", "[X]"];
    text.lines().filter(|l| marks.iter().any(|m| l.trim_start().starts_with(m))).count()
}

fn plan_issues(item: &TaskItem, found: &mut Issues) {
    let total = item.plan_steps.len() as i64;
    if total > 0 && !(0..=total).contains(&item.plan_current) {
        let message = format!("plan_current is {}; it must be from 0 to {total}.", item.plan_current);
        found.error("PLAN_CURRENT_OUT_OF_RANGE", message, &root(item));
    }
    if item.plan_steps.is_empty() {
        found.warn("PLAN_STEPS_EMPTY", format!("{} has no checklist.", item.id), &root(item));
    }
    let heading = |words: &[&str]| {
        item.plan_doc.lines().filter(|l| l.trim_start().starts_with('#')).any(|l| {
            let title = l.trim_start().trim_start_matches('#').trim().to_lowercase();
            words.iter().any(|w| title.starts_with(w))
        })
    };
    let reasons: Vec<_> = [
        (heading(&["contract", "контракт"]), "contract"),
        (heading(&["done", "definition of done", "success criteria", "критерии"]), "done_criteria"),
        (heading(&["steps", "checklist", "шаги"]), "steps"),
        (checkboxes(&item.plan_doc) >= 3, "checkbox_checklist"),
        (step_ids(&item.plan_doc) >= 2, "step_ids"),
    ]
    .into_iter()
    .filter_map(|(yes, reason)| yes.then_some(reason))
    .collect();
    if !reasons.is_empty() {
        let message = "The plan document repeats what belongs into another field.".to_string();
        found.add(
            false,
            "PLAN_DOC_OVERLAP",
            message,
            &root(item),
            IssueDetails { reasons, ..IssueDetails::default() },
        );
    }
    let checklist = item.plan_steps.join("\n");
    if checkboxes(&checklist) > 0 || step_ids(&checklist) >= 2 {
        let message = "The checklist contains checkboxes or steps of tasks.".to_string();
        found.warn("PLAN_STEPS_OVERLAP", message, &root(item));
    }
    if contract::goal(item).is_empty() && item.contract.trim().is_empty() {
        found.warn("CONTRACT_GOAL_MISSING", format!("{} has no goal.", item.id), &root(item));
    }
    for (key, code) in [("done", "DONE_CRITERIA_MISSING"), ("checks", "CHECKS_MISSING")] {
        if contract::data_list(item, key).is_empty() {
            found.warn(code, format!("contract_data.{key} is empty."), &root(item));
        }
    }
}
