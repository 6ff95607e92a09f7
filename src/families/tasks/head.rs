//! What lists and indexes need of a stored item, read without the rest of it.
//!
//! Every write of a task computes its index entries from the row before and after; a task of hundreds of steps is
//! not taken apart for that.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::evidence;
use super::model::{
    Attachment, CheckpointKind, CheckpointSet, ItemKind, PlanNode, TaskItem, TaskNode, TaskStatus, TaskStep,
};
use super::rows::{ItemSummary, PREVIEW, clip};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ItemHead {
    pub id: String,
    pub kind: ItemKind,
    title: String,
    pub status: TaskStatus,
    progress: i64,
    blocked: bool,
    exclusive: bool,
    pub parent: Option<String>,
    pub domain: String,
    pub tags: Vec<String>,
    depends_on: Vec<String>,
    criteria_confirmed: bool,
    tests_confirmed: bool,
    criteria_auto_confirmed: bool,
    tests_auto_confirmed: bool,
    security_confirmed: bool,
    perf_confirmed: bool,
    docs_confirmed: bool,
    contract: String,
    contract_versions: Vec<IgnoredAny>,
    plan_doc: String,
    plan_current: i64,
    plan_steps: Vec<IgnoredAny>,
    attachments: Vec<Attached>,
    steps: Vec<StepHead>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StepHead {
    completed: bool,
    attachments: Vec<Attached>,
    plan: PlanHead,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PlanHead {
    attachments: Vec<Attached>,
    tasks: Vec<NodeHead>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NodeHead {
    attachments: Vec<Attached>,
    steps: Vec<StepHead>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Attached {
    uri: String,
}

impl ItemHead {
    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn summary(&self, revision: u64) -> ItemSummary {
        let mut gates = CheckpointSet::default();
        for (gate, confirmed) in [
            (CheckpointKind::Criteria, self.criteria_confirmed),
            (CheckpointKind::Tests, self.tests_confirmed),
            (CheckpointKind::Security, self.security_confirmed),
            (CheckpointKind::Perf, self.perf_confirmed),
            (CheckpointKind::Docs, self.docs_confirmed),
        ] {
            gates.of_mut(gate).confirmed = confirmed;
        }
        gates.set_auto(CheckpointKind::Criteria, self.criteria_auto_confirmed);
        gates.set_auto(CheckpointKind::Tests, self.tests_auto_confirmed);
        ItemSummary {
            id: self.id.clone(),
            kind: self.kind,
            title: self.title.clone(),
            revision,
            status: self.status,
            progress: self.progress,
            blocked: self.blocked,
            exclusive: self.exclusive,
            parent: self.parent.clone(),
            domain: self.domain.clone(),
            tags: self.tags.clone(),
            depends_on: self.depends_on.clone(),
            steps_done: self.steps.iter().filter(|s| s.completed).count(),
            steps_total: self.steps.len(),
            gates,
            contract_preview: clip(self.contract.trim(), PREVIEW),
            contract_versions: self.contract_versions.len(),
            plan_doc_preview: clip(self.plan_doc.trim(), PREVIEW),
            plan_current: self.plan_current,
            plan_total: self.plan_steps.len(),
        }
    }

    /// The artifacts the item refers to, once each.
    pub fn blobs(&self) -> BTreeSet<&str> {
        let mut out: BTreeSet<&str> = artifacts(&self.attachments).collect();
        below(&self.steps, &mut out);
        out
    }
}

fn artifacts(list: &[Attached]) -> impl Iterator<Item = &str> {
    list.iter().filter_map(|attached| evidence::artifact(&attached.uri))
}

fn below<'a>(steps: &'a [StepHead], out: &mut BTreeSet<&'a str>) {
    for step in steps {
        out.extend(artifacts(&step.attachments).chain(artifacts(&step.plan.attachments)));
        for node in &step.plan.tasks {
            out.extend(artifacts(&node.attachments));
            below(&node.steps, out);
        }
    }
}

impl From<&TaskItem> for ItemHead {
    fn from(item: &TaskItem) -> ItemHead {
        let gates = &item.gates;
        ItemHead {
            id: item.id.clone(),
            kind: item.kind,
            title: item.title.clone(),
            status: item.status,
            progress: item.progress,
            blocked: item.blocked,
            exclusive: item.exclusive,
            parent: item.parent.clone(),
            domain: item.domain.clone(),
            tags: item.tags.clone(),
            depends_on: item.depends_on.clone(),
            criteria_confirmed: gates.confirmed(CheckpointKind::Criteria),
            tests_confirmed: gates.confirmed(CheckpointKind::Tests),
            criteria_auto_confirmed: gates.auto(CheckpointKind::Criteria),
            tests_auto_confirmed: gates.auto(CheckpointKind::Tests),
            security_confirmed: gates.confirmed(CheckpointKind::Security),
            perf_confirmed: gates.confirmed(CheckpointKind::Perf),
            docs_confirmed: gates.confirmed(CheckpointKind::Docs),
            contract: item.contract.clone(),
            contract_versions: vec![IgnoredAny; item.contract_versions.len()],
            plan_doc: item.plan_doc.clone(),
            plan_current: item.plan_current,
            plan_steps: vec![IgnoredAny; item.plan_steps.len()],
            attachments: attached(&item.attachments),
            steps: item.steps.iter().map(StepHead::from).collect(),
        }
    }
}

impl From<&TaskStep> for StepHead {
    fn from(step: &TaskStep) -> StepHead {
        StepHead {
            completed: step.completed,
            attachments: attached(&step.attachments),
            plan: PlanHead::from(&step.plan),
        }
    }
}

impl From<&PlanNode> for PlanHead {
    fn from(plan: &PlanNode) -> PlanHead {
        let tasks = plan.tasks.iter().map(NodeHead::from).collect();
        PlanHead { attachments: attached(&plan.attachments), tasks }
    }
}

impl From<&TaskNode> for NodeHead {
    fn from(node: &TaskNode) -> NodeHead {
        let steps = node.steps.iter().map(StepHead::from).collect();
        NodeHead { attachments: attached(&node.attachments), steps }
    }
}

fn attached(list: &[Attachment]) -> Vec<Attached> {
    list.iter().map(|a| Attached { uri: a.uri.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_head_says_of_a_row_what_the_whole_item_says() {
        let uri = |n: u8| json!([{"kind": "artifact", "uri": format!("{}{n}", evidence::SCHEME)}]);
        let item: TaskItem = serde_json::from_value(json!({
            "id": "TASK-001", "title": "T", "status": "ACTIVE", "progress": 50, "tags": ["a"], "parent": "PLAN-001",
            "docs_confirmed": true, "contract": " c ", "contract_versions": [1, 2], "attachments": uri(1),
            "unknown": {"kept": true}, "steps": [
                {"id": "S1", "completed": true, "attachments": uri(2), "plan": {"attachments": uri(3),
                    "tasks": [{"id": "N1", "attachments": uri(4), "steps": [{"id": "S2", "attachments": uri(5)}]}]}},
                {"id": "S3", "completed": false}]
        }))
        .unwrap();
        let stored: ItemHead = crate::core::row::decode(&crate::core::row::encode(&item).unwrap()).unwrap();
        let whole = ItemHead::from(&item);
        assert_eq!(stored.summary(7), whole.summary(7));
        assert_eq!((stored.summary(7).steps_done, stored.summary(7).contract_versions), (1, 2));
        assert_eq!(stored.blobs(), whole.blobs());
        assert_eq!(stored.blobs().len(), 5);
    }
}
