//! What follows from a tree: progress, readiness, needs, statuses, and whether a task may be closed.
//!
//! Nothing here is stored knowledge; every function is a rule of the contract over plain data.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::{Ids, Result, Timestamp, row};

use super::model::{
    CheckpointKind, EvidenceCheck, ItemKind, TaskItem, TaskNode, TaskStatus, TaskStep, walk_steps,
};

/// With these an outcome begins that is none.
const FAILED: [&str; 4] = ["fail", "failed", "failing", "failure"];

/// `YYYY-MM-DD HH:MM`, the precision of every date inside an item.
pub fn minute(now: Timestamp) -> String {
    let text = now.zulu();
    format!("{} {}", &text[..10], &text[11..16])
}

/// Whole percents, rounded down; nothing of nothing is nothing.
pub fn percent(done: usize, total: usize) -> i64 {
    (done * 100).checked_div(total).unwrap_or(0) as i64
}

/// Completed and all steps of a list, nested ones included.
pub fn tally(steps: &[TaskStep]) -> (usize, usize) {
    let mut all = Vec::new();
    walk_steps(steps, "", &mut all);
    (all.iter().filter(|(_, s)| s.completed).count(), all.len())
}

pub fn progress(item: &TaskItem) -> i64 {
    match item.kind {
        ItemKind::Plan if item.plan_steps.is_empty() => item.progress,
        ItemKind::Plan => {
            let total = item.plan_steps.len();
            percent(item.plan_current.clamp(0, total as i64) as usize, total)
        }
        ItemKind::Task if item.steps.is_empty() => item.progress,
        ItemKind::Task => {
            let (done, total) = tally(&item.steps);
            percent(done, total)
        }
    }
}

pub fn checklist_open(item: &TaskItem) -> bool {
    item.plan_current < item.plan_steps.len() as i64
}

impl TaskNode {
    pub fn progress(&self) -> i64 {
        let (done, total) = tally(&self.steps);
        percent(done, total)
    }

    /// A node without steps is done only when somebody said so.
    pub fn is_done(&self) -> bool {
        match (self.blocked, self.status_manual) {
            (true, _) => false,
            (false, true) => self.status == TaskStatus::Done,
            (false, false) => self.progress() == 100,
        }
    }
}

impl TaskStep {
    /// Lower-cased, without repetition; criteria and tests when the step names none.
    pub fn required(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let named = self.required_checkpoints.iter().map(|n| n.trim().to_lowercase());
        let named: Vec<_> = named.filter(|n| !n.is_empty() && seen.insert(n.clone())).collect();
        if named.is_empty() { vec!["criteria".into(), "tests".into()] } else { named }
    }

    fn open_nodes(&self) -> bool {
        self.plan.tasks.iter().any(|t| !t.is_done())
    }

    /// What stands between this step and completion, in the contract's order. A required name that is no
    /// checkpoint stays in the list for ever: it can never be met.
    pub fn needs(&self) -> Vec<String> {
        let required = self.required();
        let mut needs = Vec::new();
        if self.blocked {
            needs.push("blocked".to_string());
        }
        for gate in CheckpointKind::ALL {
            if required.iter().any(|r| r == gate.as_str()) && !self.gates.ok(gate) {
                needs.push(gate.as_str().to_string());
            }
        }
        needs.extend(required.into_iter().filter(|r| CheckpointKind::parse(r).is_none()));
        if self.open_nodes() {
            needs.push("plan_tasks".to_string());
        }
        needs
    }

    pub fn ready(&self) -> bool {
        self.needs().is_empty()
    }

    pub fn missing_gates(&self) -> Vec<CheckpointKind> {
        self.needs().iter().filter_map(|n| CheckpointKind::parse(n)).collect()
    }

    pub fn computed_status(&self) -> &'static str {
        let touched = |g| self.gates.confirmed(g) || !self.gates.of(g).notes.is_empty();
        if self.completed {
            "completed"
        } else if self.blocked {
            "blocked"
        } else if !self.progress_notes.is_empty()
            || self.started_at.is_some()
            || CheckpointKind::ALL.into_iter().any(touched)
        {
            "in_progress"
        } else {
            "pending"
        }
    }

    pub fn start(&mut self, now: Timestamp) {
        self.started_at.get_or_insert_with(|| minute(now));
    }

    pub fn set_completed(&mut self, completed: bool, now: Timestamp) {
        if completed {
            self.start(now);
        }
        self.completed = completed;
        self.completed_at = completed.then(|| minute(now));
    }

    /// Something about what this step must achieve changed: it is open again.
    pub fn reopen(&mut self) {
        self.completed = false;
        self.completed_at = None;
    }

    /// Somebody looked and said what they found. The state of git and of CI collects itself and shows nothing of that.
    pub fn has_shown_something(&self) -> bool {
        let own = |check: &EvidenceCheck| !["git", "ci"].contains(&check.kind.as_str());
        !self.verification_outcome.is_empty()
            || !self.attachments.is_empty()
            || self.verification_checks.iter().any(own)
    }

    /// What was shown last speaks against the step: somebody said so, or a command failed and has not succeeded since.
    pub fn last_shown_failed(&self) -> bool {
        let first = self.verification_outcome.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty());
        let said = first.is_some_and(|word| FAILED.contains(&word.to_lowercase().as_str()));
        let mut newest = BTreeMap::new();
        for output in self.attachments.iter().filter(|a| a.kind == "cmd_output") {
            newest.insert(output.command(), output.failed());
        }
        said || newest.into_values().any(|failed| failed)
    }

    /// The ids of everything that stands behind it, oldest first.
    pub fn evidence(&self) -> Vec<String> {
        let checks = self.verification_checks.iter().map(|c| c.digest.clone());
        checks.chain(self.attachments.iter().map(|a| a.digest.clone())).collect()
    }

    pub fn has_evidence(&self) -> bool {
        !(self.verification_outcome.is_empty()
            && self.verification_checks.is_empty()
            && self.attachments.is_empty())
    }
}

/// Brings everything derived in an item up to date; runs once before every save.
pub fn settle(item: &mut TaskItem, ids: &dyn Ids) {
    reissue_ids(item, ids);
    item.progress = progress(item);
    item.status = settled_status(item);
}

/// A stored item with what follows from its fields computed again.
pub fn resettled(value: Vec<u8>) -> Result<Vec<u8>> {
    let Ok(mut item) = row::decode::<TaskItem>(&value) else { return Ok(value) };
    let stored = (item.progress, item.status);
    item.progress = progress(&item);
    item.status = settled_status(&item);
    if stored == (item.progress, item.status) { Ok(value) } else { row::encode(&item) }
}

/// The status that the rules make of the present one. Only an explicit request closes a task, and what a
/// person said by force (`status_manual`) is never overruled.
pub fn settled_status(item: &TaskItem) -> TaskStatus {
    if item.status_manual {
        return item.status;
    }
    if item.blocked {
        return TaskStatus::Todo;
    }
    match (item.kind, item.status) {
        (ItemKind::Plan, _) => match item.progress {
            100.. => TaskStatus::Done,
            1.. => TaskStatus::Active,
            _ => TaskStatus::Todo,
        },
        (ItemKind::Task, TaskStatus::Done) => {
            let open = !item.steps.is_empty() && item.progress < 100;
            if open || item.success_criteria.is_empty() { TaskStatus::Active } else { TaskStatus::Done }
        }
        (ItemKind::Task, TaskStatus::Todo) if item.progress > 0 => TaskStatus::Active,
        (ItemKind::Task, status) => status,
    }
}

pub fn new_id(prefix: &str, ids: &dyn Ids) -> String {
    format!("{prefix}-{:08X}", ids.random() as u32)
}

/// Node ids are unique inside one tree; blank and repeated ones are issued anew. A plan that a step came to
/// own on the way counts its missing tests as confirmed, like everything new.
fn reissue_ids(item: &mut TaskItem, ids: &dyn Ids) {
    fn steps(list: &mut [TaskStep], seen: &mut BTreeSet<String>, ids: &dyn Ids) {
        for step in list {
            claim(&mut step.id, "STEP", seen, ids);
            let plan = &mut step.plan;
            if !plan.is_blank() && plan.tests.is_empty() && !plan.gates.confirmed(CheckpointKind::Tests) {
                plan.gates.set_auto(CheckpointKind::Tests, true);
            }
            for node in &mut step.plan.tasks {
                claim(&mut node.id, "NODE", seen, ids);
                steps(&mut node.steps, seen, ids);
            }
        }
    }
    fn claim(id: &mut String, prefix: &str, seen: &mut BTreeSet<String>, ids: &dyn Ids) {
        while id.trim().is_empty() || seen.contains(id.as_str()) {
            *id = new_id(prefix, ids);
        }
        seen.insert(id.clone());
    }
    steps(&mut item.steps, &mut BTreeSet::new(), ids);
}

/// Why a task may not be closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    pub code: &'static str,
    pub message: String,
    /// The step in the way: path and id.
    pub step: Option<(String, String)>,
}

/// The first reason against closing, in the contract's order; `None` = it may be closed.
///
/// A step whose tests were confirmed automatically (it has none) counts as tested: what may be closed
/// step by step must not keep the task open.
pub fn obstacle(item: &TaskItem) -> Option<Obstacle> {
    let plain = |code, message: String| Some(Obstacle { code, message, step: None });
    if item.is_plan() {
        let left = item.plan_steps.len() as i64 - item.plan_current;
        return if item.status != TaskStatus::Done && checklist_open(item) {
            plain("PLAN_NOT_COMPLETE", format!("{left} checklist entries of {} are still open.", item.id))
        } else {
            None
        };
    }
    let steps = item.walk();
    let at = |code, message: String, (path, step): &(String, &TaskStep)| {
        Some(Obstacle { code, message, step: Some((path.clone(), step.id.clone())) })
    };
    if let Some(open) = steps.iter().find(|(_, s)| !s.completed) {
        let left = steps.iter().filter(|(_, s)| !s.completed).count();
        return at("TASK_NOT_COMPLETE", format!("{left} of {} steps are still open.", steps.len()), open);
    }
    if item.success_criteria.is_empty() {
        return plain("TASK_SUCCESS_CRITERIA_MISSING", format!("{} has no success criteria.", item.id));
    }
    for found in &steps {
        let (path, step) = found;
        if step.success_criteria.is_empty() {
            return at("STEP_SUCCESS_CRITERIA_MISSING", format!("{path} has no success criteria."), found);
        }
        let needs = step.needs();
        if step.tests.is_empty() && needs.iter().any(|n| n == "tests") {
            return at("STEP_TESTS_MISSING", format!("{path} has no tests."), found);
        }
        if !needs.is_empty() {
            return at("STEP_NOT_READY", format!("{path} still needs: {}.", needs.join(", ")), found);
        }
    }
    if item.blocked {
        return plain("VALIDATION", format!("{} is marked as blocked.", item.id));
    }
    None
}
