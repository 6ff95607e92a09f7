//! Plans, tasks and the tree below a task, exactly as they are stored.
//!
//! Field names are those of the task file's front matter, so a row and a file are the same thing in two
//! encodings; what this version does not know is kept in `extra` and written back. The revision is not
//! here: it belongs to the row.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use super::gates::{CheckpointKind, CheckpointSet};

pub type Object = Map<String, Value>;

pub(super) fn no(b: &bool) -> bool {
    !*b
}

fn zero(n: &i64) -> bool {
    *n == 0
}

fn zero_size(n: &u64) -> bool {
    *n == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    Plan,
    #[default]
    Task,
}

impl ItemKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ItemKind::Plan => "plan",
            ItemKind::Task => "task",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [ItemKind::Plan, ItemKind::Task].into_iter().find(|k| k.as_str() == text)
    }

    pub fn prefix(self) -> &'static str {
        match self {
            ItemKind::Plan => "PLAN",
            ItemKind::Task => "TASK",
        }
    }

    /// The kind an id claims to be of.
    pub fn of_id(id: &str) -> Self {
        if id.starts_with("PLAN-") { ItemKind::Plan } else { ItemKind::Task }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TaskStatus {
    #[default]
    Todo,
    Active,
    Done,
}

impl TaskStatus {
    pub const ALL: [TaskStatus; 3] = [TaskStatus::Done, TaskStatus::Active, TaskStatus::Todo];

    pub fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Todo => "TODO",
            TaskStatus::Active => "ACTIVE",
            TaskStatus::Done => "DONE",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let upper = text.trim().to_uppercase();
        TaskStatus::ALL.into_iter().find(|s| s.as_str() == upper)
    }
}

pub const PRIORITIES: [&str; 3] = ["LOW", "MEDIUM", "HIGH"];

pub fn default_priority() -> String {
    "MEDIUM".to_string()
}

/// Something that was run or looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvidenceCheck {
    pub kind: String,
    pub spec: String,
    pub outcome: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub observed_at: String,
    pub digest: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub preview: String,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub details: Object,
    #[serde(flatten)]
    pub extra: Object,
}

/// A file, an address or a stored artifact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attachment {
    pub kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uri: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub external_uri: String,
    #[serde(skip_serializing_if = "zero_size")]
    pub size: u64,
    pub digest: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub observed_at: String,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub meta: Object,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskStep {
    pub id: String,
    pub title: String,
    pub completed: bool,
    pub success_criteria: Vec<String>,
    pub tests: Vec<String>,
    pub blockers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_checkpoints: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub progress_notes: Vec<String>,
    #[serde(skip_serializing_if = "no")]
    pub blocked: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub block_reason: String,
    #[serde(skip_serializing_if = "PlanNode::is_blank")]
    pub plan: PlanNode,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verification_checks: Vec<EvidenceCheck>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub verification_outcome: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    #[serde(flatten)]
    pub gates: CheckpointSet,
    #[serde(flatten)]
    pub extra: Object,
}

/// The plan a step owns; it has no id of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanNode {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blockers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    #[serde(skip_serializing_if = "zero")]
    pub current: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskNode>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    #[serde(flatten)]
    pub gates: CheckpointSet,
    #[serde(flatten)]
    pub extra: Object,
}

impl PlanNode {
    /// Holds nothing anybody wrote (the automatic tests flag does not count).
    pub fn is_blank(&self) -> bool {
        let mut bare = self.clone_without_tasks();
        bare.gates.set_auto(CheckpointKind::Tests, false);
        self.tasks.is_empty() && bare == PlanNode::default()
    }

    fn clone_without_tasks(&self) -> PlanNode {
        PlanNode {
            title: self.title.clone(),
            doc: self.doc.clone(),
            success_criteria: self.success_criteria.clone(),
            tests: self.tests.clone(),
            blockers: self.blockers.clone(),
            steps: self.steps.clone(),
            current: self.current,
            tasks: Vec::new(),
            attachments: self.attachments.clone(),
            gates: self.gates.clone(),
            extra: self.extra.clone(),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskNode {
    pub id: String,
    pub title: String,
    pub status: TaskStatus,
    #[serde(skip_serializing_if = "no")]
    pub status_manual: bool,
    #[serde(default = "default_priority")]
    pub priority: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    #[serde(skip_serializing_if = "no")]
    pub blocked: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blockers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TaskStep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    #[serde(flatten)]
    pub gates: CheckpointSet,
    #[serde(flatten)]
    pub extra: Object,
}

/// A plan or a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskItem {
    pub id: String,
    pub kind: ItemKind,
    pub title: String,
    pub status: TaskStatus,
    #[serde(skip_serializing_if = "no")]
    pub status_manual: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub domain: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub phase: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub component: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(default = "default_priority")]
    pub priority: String,
    pub created: String,
    pub updated: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    pub assignee: String,
    pub progress: i64,
    #[serde(skip_serializing_if = "no")]
    pub blocked: bool,
    /// Of a plan: only whoever holds a task of it may change that task.
    #[serde(skip_serializing_if = "no")]
    pub exclusive: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blockers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub contract: String,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub contract_data: Object,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contract_versions: Vec<Value>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub plan_doc: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan_steps: Vec<String>,
    #[serde(skip_serializing_if = "zero")]
    pub plan_current: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TaskStep>,
    #[serde(flatten)]
    pub gates: CheckpointSet,
    /// Front-matter fields of an imported file that packd does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl TaskItem {
    pub fn is_plan(&self) -> bool {
        self.kind == ItemKind::Plan
    }

    /// Steps of the whole tree in pre-order: a step, then the steps below its task nodes, then its sibling.
    pub fn walk(&self) -> Vec<(String, &TaskStep)> {
        let mut out = Vec::new();
        walk_steps(&self.steps, "", &mut out);
        out
    }

    /// Task nodes of the whole tree in pre-order.
    pub fn walk_nodes(&self) -> Vec<(String, &TaskNode)> {
        let steps = self.walk();
        let nodes = steps.into_iter().flat_map(|(path, step)| {
            let tasks = step.plan.tasks.iter().enumerate();
            tasks.map(move |(i, node)| (format!("{path}.t:{i}"), node)).collect::<Vec<_>>()
        });
        nodes.collect()
    }
}

/// The steps of one list and everything below them, with their typed paths.
pub fn walk_steps<'a>(steps: &'a [TaskStep], prefix: &str, out: &mut Vec<(String, &'a TaskStep)>) {
    for (i, step) in steps.iter().enumerate() {
        let path = if prefix.is_empty() { format!("s:{i}") } else { format!("{prefix}.s:{i}") };
        out.push((path.clone(), step));
        for (t, node) in step.plan.tasks.iter().enumerate() {
            walk_steps(&node.steps, &format!("{path}.t:{t}"), out);
        }
    }
}
