//! Step trees that requests bring along: steps, the plans they own, and the task nodes in those.
//!
//! A tree is taken whole or not at all; whatever is wrong is named by its place (`steps[2].plan.tasks[0].title`), and a
//! field that no node has is refused with the nearest one.

use serde::Deserialize;
use serde_json::Value;

use crate::core::json::type_name;
use crate::core::{Error, Given, Result, Timestamp, redact, schema};

use super::args::{self, Flag, MAX_LIST, WholeNumber};
use super::errors::fail;
use super::evidence;
use super::model::{
    CheckpointSet, ItemKind, Object, PlanNode, TaskItem, TaskNode, TaskStatus, TaskStep, default_priority,
};
use super::state::minute;

const MAX_DEPTH: usize = 24;

/// An item with the defaults of a new one.
pub fn blank(kind: ItemKind, title: String, now: Timestamp) -> TaskItem {
    TaskItem {
        kind,
        title,
        priority: default_priority(),
        assignee: "ai".to_string(),
        created: minute(now),
        gates: CheckpointSet::fresh(&[]),
        ..TaskItem::default()
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct StepInput {
    id: Given<String>,
    title: Given<String>,
    success_criteria: Given<Vec<String>>,
    tests: Given<Vec<String>>,
    blockers: Given<Vec<String>>,
    required_checkpoints: Given<Vec<String>>,
    verification_outcome: Given<String>,
    verification_checks: Given<Vec<Value>>,
    attachments: Given<Vec<Value>>,
    plan: Given<Box<PlanInput>>,
    /// Only below a task node.
    steps: Given<Value>,
    #[serde(flatten)]
    unknown: Object,
}

const STEP_FIELDS: [&str; 10] = [
    "title",
    "success_criteria",
    "tests",
    "blockers",
    "plan",
    "id",
    "required_checkpoints",
    "verification_outcome",
    "verification_checks",
    "attachments",
];

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct PlanInput {
    title: Given<String>,
    doc: Given<String>,
    success_criteria: Given<Vec<String>>,
    tests: Given<Vec<String>>,
    blockers: Given<Vec<String>>,
    steps: Given<Vec<String>>,
    current: Given<WholeNumber>,
    attachments: Given<Vec<Value>>,
    tasks: Given<Vec<NodeInput>>,
    #[serde(flatten)]
    unknown: Object,
}

const PLAN_FIELDS: [&str; 9] =
    ["title", "doc", "success_criteria", "tests", "blockers", "steps", "current", "attachments", "tasks"];

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct NodeInput {
    #[serde(flatten)]
    fields: NodeFields,
    steps: Given<Vec<StepInput>>,
    #[serde(flatten)]
    unknown: Object,
}

/// The fields of a task node, in a tree or as arguments of their own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NodeFields {
    pub id: Given<String>,
    pub title: Given<String>,
    pub status: Given<String>,
    pub status_manual: Flag,
    pub priority: Given<String>,
    pub description: Given<String>,
    pub context: Given<String>,
    pub success_criteria: Given<Vec<String>>,
    pub tests: Given<Vec<String>>,
    pub dependencies: Given<Vec<String>>,
    pub next_steps: Given<Vec<String>>,
    pub problems: Given<Vec<String>>,
    pub risks: Given<Vec<String>>,
    pub blocked: Flag,
    pub blockers: Given<Vec<String>>,
    pub attachments: Given<Vec<Value>>,
}

/// What may be changed about a node, in the order in which replies list it.
pub const NODE_FIELDS: [&str; 14] = [
    "title",
    "status",
    "status_manual",
    "priority",
    "description",
    "context",
    "success_criteria",
    "tests",
    "dependencies",
    "next_steps",
    "problems",
    "risks",
    "blocked",
    "blockers",
];

impl NodeFields {
    /// Those of [`NODE_FIELDS`] that were sent.
    pub fn sent(&self) -> Vec<&'static str> {
        let sent = [
            self.title.is_sent(),
            self.status.is_sent(),
            self.status_manual.is_sent(),
            self.priority.is_sent(),
            self.description.is_sent(),
            self.context.is_sent(),
            self.success_criteria.is_sent(),
            self.tests.is_sent(),
            self.dependencies.is_sent(),
            self.next_steps.is_sent(),
            self.problems.is_sent(),
            self.risks.is_sent(),
            self.blocked.is_sent(),
            self.blockers.is_sent(),
        ];
        NODE_FIELDS.into_iter().zip(sent).filter_map(|(name, sent)| sent.then_some(name)).collect()
    }
}

fn bad(at: &str, problem: &str) -> Error {
    fail("INVALID_STEPS", format!("{at}: {problem}"))
        .hint("A step is {title, success_criteria (not empty), tests?, blockers?, plan?}.")
}

fn known(unknown: &Object, fields: &[&str], at: &str) -> Result<()> {
    let Some(name) = unknown.keys().next() else { return Ok(()) };
    let near = schema::meant(name, fields).map(|near| format!("Did you mean '{near}'? ")).unwrap_or_default();
    Err(fail("INVALID_STEPS", format!("{at}.{name} is not a field of it."))
        .hint(format!("{near}Known fields: {}.", fields.join(", "))))
}

/// The steps of a request; `None` when it brings none.
pub fn steps(given: &Given<Vec<StepInput>>, now: Timestamp) -> Result<Option<Vec<TaskStep>>> {
    if given.is_sent() { steps_at(given, "steps", now, 1).map(Some) } else { Ok(None) }
}

fn entries<'a, T>(given: &'a Given<Vec<T>>, at: &str) -> Result<&'a [T]> {
    match given {
        Given::Absent => Ok(&[]),
        Given::Is(items) if items.len() > MAX_LIST => {
            Err(bad(at, &format!("has {} entries; at most {MAX_LIST}.", items.len())))
        }
        Given::Is(items) => Ok(items),
        Given::Wrong(Value::Array(items)) => {
            let odd = items.iter().position(|item| !item.is_object()).unwrap_or_default();
            Err(bad(&format!("{at}[{odd}]"), "must be an object."))
        }
        Given::Wrong(other) => Err(bad(at, &format!("must be a list, but is {}.", type_name(other)))),
    }
}

/// Steps that are told to be wrong beside the first of them.
const MOST_TOLD: usize = 9;

fn steps_at(given: &Given<Vec<StepInput>>, at: &str, now: Timestamp, depth: usize) -> Result<Vec<TaskStep>> {
    if depth > MAX_DEPTH {
        return Err(bad(at, &format!("is nested deeper than {MAX_DEPTH} levels.")));
    }
    let (mut steps, mut wrong) = (Vec::new(), Vec::new());
    for (i, step) in entries(given, at)?.iter().enumerate() {
        match step_at(step, &format!("{at}[{i}]"), now, depth) {
            Ok(step) => steps.push(step),
            Err(error) => wrong.push(error),
        }
    }
    let others: Vec<String> = wrong.iter().skip(1).take(MOST_TOLD).map(|e| e.message.clone()).collect();
    match wrong.into_iter().next() {
        None => Ok(steps),
        Some(first) => Err(Error { message: [vec![first.message], others].concat().join(" "), ..first }),
    }
}

fn list_at(given: &Given<Vec<String>>, name: &str, at: &str) -> Result<Vec<String>> {
    args::list(given, name, "INVALID_STEPS").map(Option::unwrap_or_default).map_err(|e| bad(at, &e.message))
}

fn prose_at(given: &Given<String>, name: &str, at: &str) -> Result<String> {
    args::prose(given, name, "INVALID_STEPS").map(Option::unwrap_or_default).map_err(|e| bad(at, &e.message))
}

fn step_at(input: &StepInput, at: &str, now: Timestamp, depth: usize) -> Result<TaskStep> {
    known(&input.unknown, &STEP_FIELDS, at)?;
    if input.steps.is_sent() {
        return Err(bad(at, "'steps' do not go directly into a step; put them below plan.tasks[].steps."));
    }
    let title = args::title(&input.title).map_err(|e| bad(at, &e.message))?;
    let success_criteria = list_at(&input.success_criteria, "success_criteria", at)?;
    if success_criteria.is_empty() {
        return Err(bad(at, "'success_criteria' must not be empty."));
    }
    let tests = list_at(&input.tests, "tests", at)?;
    let id = args::id(&input.id, "id", "INVALID_STEPS").map_err(|e| bad(at, &e.message))?;
    Ok(TaskStep {
        id: id.unwrap_or_default().to_string(),
        title,
        success_criteria,
        gates: CheckpointSet::fresh(&tests),
        tests,
        blockers: list_at(&input.blockers, "blockers", at)?,
        required_checkpoints: list_at(&input.required_checkpoints, "required_checkpoints", at)?,
        created_at: Some(minute(now)),
        verification_outcome: redact::text(&prose_at(
            &input.verification_outcome,
            "verification_outcome",
            at,
        )?)
        .0,
        verification_checks: evidence::parse_checks(&input.verification_checks, now)?,
        attachments: evidence::parse_attachments(&input.attachments, now)?,
        plan: match &input.plan {
            Given::Absent => PlanNode::default(),
            Given::Is(plan) => plan_at(plan, &format!("{at}.plan"), now, depth)?,
            Given::Wrong(_) => return Err(bad(&format!("{at}.plan"), "must be an object.")),
        },
        ..TaskStep::default()
    })
}

fn plan_at(input: &PlanInput, at: &str, now: Timestamp, depth: usize) -> Result<PlanNode> {
    known(&input.unknown, &PLAN_FIELDS, at)?;
    let tests = list_at(&input.tests, "tests", at)?;
    let mut plan = PlanNode {
        title: prose_at(&input.title, "title", at)?,
        doc: prose_at(&input.doc, "doc", at)?,
        success_criteria: list_at(&input.success_criteria, "success_criteria", at)?,
        gates: CheckpointSet::fresh(&tests),
        tests,
        blockers: list_at(&input.blockers, "blockers", at)?,
        steps: list_at(&input.steps, "steps", at)?,
        attachments: evidence::parse_attachments(&input.attachments, now)?,
        ..PlanNode::default()
    };
    plan.current = input.current.get().map_or(0, |n| n.0).clamp(0, plan.steps.len() as i64);
    let at = format!("{at}.tasks");
    for (i, task) in entries(&input.tasks, &at)?.iter().enumerate() {
        plan.tasks.push(node_at(task, &format!("{at}[{i}]"), now, depth)?);
    }
    Ok(plan)
}

fn node_at(input: &NodeInput, at: &str, now: Timestamp, depth: usize) -> Result<TaskNode> {
    let fields: Vec<&str> = NODE_FIELDS.into_iter().chain(["id", "attachments", "steps"]).collect();
    known(&input.unknown, &fields, at)?;
    let mut task = node(&input.fields, now).map_err(|e| bad(at, &e.message))?;
    task.steps = steps_at(&input.steps, &format!("{at}.steps"), now, depth + 1)?;
    Ok(task)
}

/// A task node from a request, without its steps. Saying DONE is saying so by hand.
pub fn node(input: &NodeFields, now: Timestamp) -> Result<TaskNode> {
    let title = args::title(&input.title)?;
    let status = args::status(&input.status)?;
    let list = |given, name| args::list(given, name, "INVALID_FIELDS").map(Option::unwrap_or_default);
    let prose = |given, name| args::prose(given, name, "INVALID_FIELDS").map(Option::unwrap_or_default);
    let tests = list(&input.tests, "tests")?;
    Ok(TaskNode {
        id: args::id(&input.id, "id", "INVALID_FIELDS")?.unwrap_or_default().to_string(),
        title,
        status: status.unwrap_or_default(),
        status_manual: input.status_manual.or(status == Some(TaskStatus::Done)),
        priority: args::priority(&input.priority)?.unwrap_or_else(default_priority),
        description: prose(&input.description, "description")?,
        context: prose(&input.context, "context")?,
        success_criteria: list(&input.success_criteria, "success_criteria")?,
        gates: CheckpointSet::fresh(&tests),
        tests,
        dependencies: list(&input.dependencies, "dependencies")?,
        next_steps: list(&input.next_steps, "next_steps")?,
        problems: list(&input.problems, "problems")?,
        risks: list(&input.risks, "risks")?,
        blocked: input.blocked.on(),
        blockers: list(&input.blockers, "blockers")?,
        attachments: evidence::parse_attachments(&input.attachments, now)?,
        ..TaskNode::default()
    })
}
