//! Steps, task nodes and tasks as entries of a work list: what is done, what is at hand, what waits.

use serde::Serialize;

use super::model::{CheckpointKind, CheckpointSet, TaskNode, TaskStatus, TaskStep};
use super::rows::ItemSummary;
use super::state::percent;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Queue {
    Completed,
    InProgress,
    Pending,
}

/// One entry. Its status stands under both names that the versions of the contract have for it.
#[derive(Debug, Clone, Serialize)]
pub struct WorkItem {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<String>,
    id: String,
    title: String,
    status: Queue,
    pub queue_status: Queue,
    progress: i64,
    children_done: usize,
    children_total: usize,
    criteria_confirmed: bool,
    tests_confirmed: bool,
    criteria_auto_confirmed: bool,
    tests_auto_confirmed: bool,
    blocked: bool,
}

impl WorkItem {
    fn new(kind: &'static str, id: &str, title: &str, gates: &CheckpointSet) -> WorkItem {
        WorkItem {
            kind,
            path: None,
            task_id: None,
            id: id.to_string(),
            title: title.to_string(),
            status: Queue::Pending,
            queue_status: Queue::Pending,
            progress: 0,
            children_done: 0,
            children_total: 0,
            criteria_confirmed: gates.confirmed(CheckpointKind::Criteria),
            tests_confirmed: gates.confirmed(CheckpointKind::Tests),
            criteria_auto_confirmed: gates.auto(CheckpointKind::Criteria),
            tests_auto_confirmed: gates.auto(CheckpointKind::Tests),
            blocked: false,
        }
    }

    pub fn set(&mut self, status: Queue) {
        self.status = status;
        self.queue_status = status;
    }

    pub fn of_step(step: &TaskStep, path: &str) -> WorkItem {
        let children = &step.plan.tasks;
        let done = children.iter().filter(|t| t.is_done()).count();
        let part = percent(done, children.len());
        let (status, progress) = match (step.completed, step.ready()) {
            (true, _) => (Queue::Completed, 100),
            (_, true) if children.is_empty() => (Queue::InProgress, 100),
            (_, true) => (Queue::InProgress, part),
            _ => (Queue::Pending, part),
        };
        let new = WorkItem::new("step", &step.id, &step.title, &step.gates);
        WorkItem {
            path: Some(path.to_string()),
            status,
            queue_status: status,
            progress,
            children_done: done,
            children_total: children.len(),
            blocked: step.blocked,
            ..new
        }
    }

    pub fn of_node(node: &TaskNode, path: &str) -> WorkItem {
        let status = match node.status {
            _ if node.is_done() => Queue::Completed,
            TaskStatus::Done if !node.blocked => Queue::Completed,
            TaskStatus::Active => Queue::InProgress,
            _ => Queue::Pending,
        };
        let new = WorkItem::new("task", &node.id, &node.title, &node.gates);
        WorkItem {
            path: Some(path.to_string()),
            status,
            queue_status: status,
            progress: node.progress(),
            children_done: node.steps.iter().filter(|s| s.completed).count(),
            children_total: node.steps.len(),
            blocked: node.blocked,
            ..new
        }
    }

    pub fn of_task(task: &ItemSummary) -> WorkItem {
        let status = match task.status {
            _ if task.progress >= 100 && !task.blocked => Queue::Completed,
            TaskStatus::Active => Queue::InProgress,
            TaskStatus::Done => Queue::Completed,
            TaskStatus::Todo => Queue::Pending,
        };
        let new = WorkItem::new("task", &task.id, &task.title, &task.gates);
        WorkItem {
            task_id: Some(task.id.clone()),
            status,
            queue_status: status,
            progress: task.progress,
            children_done: task.steps_done,
            children_total: task.steps_total,
            blocked: task.blocked,
            ..new
        }
    }
}

/// Keeps the first entry in progress, or promotes the first pending one.
pub fn one_in_progress(items: &mut [WorkItem]) {
    let mut seen = false;
    for item in items.iter_mut().filter(|i| i.status == Queue::InProgress) {
        if seen {
            item.set(Queue::Pending);
        }
        seen = true;
    }
    if let (false, Some(item)) = (seen, items.iter_mut().find(|i| i.status == Queue::Pending)) {
        item.set(Queue::InProgress);
    }
}
