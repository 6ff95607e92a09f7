//! What closing a task would look like: patches applied in memory, the runway after them, and the difference. It is
//! shown as a preview and decides whether the task may be closed; nothing is changed here.

use serde::Serialize;

use crate::core::Result;

use super::answer::object;
use super::errors::{EnvelopeParts, detail};
use super::finishing::with_status;
use super::lint::{self, IssueShown, LintSummary};
use super::model::{Object, TaskStatus};
use super::patch::{self, Applied, FieldDiff, PatchResult, StateDiff, TasksPatchArgs};
use super::request::{IntentRequest, LoadedItem};
use super::runway::Runway;
use super::scene::TaskScene;
use super::state;

pub struct Rehearsal {
    pub scene: TaskScene,
    pub runway: Runway,
    pub diff: ClosingDiff,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct ClosingDiff {
    pub patches: Vec<PatchResult>,
    pub patch_results: Vec<PatchResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<StateDiff>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<FieldDiff>>,
    pub complete: Option<Completion>,
    apply: Option<BatchOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apply_mode: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Completion {
    status: FromTo<TaskStatus>,
    progress: FromTo<i64>,
}

#[derive(Debug, Clone, Serialize)]
struct FromTo<T> {
    from: T,
    to: T,
}

/// The batch that does the same thing.
#[derive(Debug, Clone, Serialize)]
struct BatchOf {
    atomic: bool,
    task: String,
    expected_target_id: String,
    expected_kind: &'static str,
    strict_targeting: bool,
    expected_revision: u64,
    operations: Vec<Object>,
}

#[derive(Serialize)]
struct Completing<'a> {
    intent: &'static str,
    status: &'static str,
    force: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    override_reason: Option<&'a str>,
}

#[derive(Serialize)]
pub struct LintShown<'a> {
    summary: LintSummary,
    blocking_errors: Vec<IssueShown<'a>>,
}

/// Which patch of a request is meant.
#[derive(Serialize)]
pub struct PatchIndex {
    pub patch_index: usize,
}

impl Rehearsal {
    pub fn of(
        request: &IntentRequest,
        before: &LoadedItem,
        patches: &[(Object, TasksPatchArgs)],
        force: Option<&str>,
    ) -> Result<Rehearsal> {
        let mut item = before.item.clone();
        let mut applied: Vec<Applied> = Vec::new();
        for (i, (_, patch)) in patches.iter().enumerate() {
            let done = patch::apply(request.view(), request.workspace(), &mut item, patch, request.ctx.now);
            applied.push(done.map_err(|e| {
                let mut result = detail(&e, "result").as_object().cloned().unwrap_or_default();
                result.extend(object(&PatchIndex { patch_index: i }));
                e.result(result)
            })?);
        }
        state::settle(&mut item, request.ctx.ids);
        let scene = TaskScene::of(request.view(), request.workspace(), LoadedItem { item, rev: before.rev })?;
        let runway = Runway::of(&scene);
        let results: Vec<_> = applied.iter().enumerate().map(|(i, a)| a.summary(i)).collect();
        let may = runway.open || force.is_some();
        let mut closed = scene.item.clone();
        with_status(&mut closed, TaskStatus::Done, force.is_some());
        let complete = may.then_some(Completion {
            status: FromTo { from: before.item.status, to: TaskStatus::Done },
            progress: FromTo { from: before.item.progress, to: closed.progress },
        });
        let fields: Vec<_> = applied.iter().flat_map(|a| a.changes.clone()).collect();
        let changed = patch::diff(&before.item, &scene.item, &fields);
        let diff = ClosingDiff {
            patches: results.clone(),
            patch_results: results,
            state: Some(changed.state),
            fields: Some(changed.fields),
            complete,
            apply: may.then(|| batch_of(before, patches, force)),
            apply_mode: may.then_some(if runway.open { "direct" } else { "forced" }),
        };
        Ok(Rehearsal { scene, runway, diff })
    }

    pub fn lint(&self) -> LintShown<'_> {
        let blocking_errors = self.runway.errors().into_iter().take(5).collect();
        LintShown { summary: lint::summary(&self.runway.issues), blocking_errors }
    }
}

fn batch_of(before: &LoadedItem, patches: &[(Object, TasksPatchArgs)], force: Option<&str>) -> BatchOf {
    let mut operations: Vec<Object> = Vec::new();
    for (patch, _) in patches {
        let mut patch = patch.clone();
        patch.insert("intent".into(), "patch".into());
        operations.push(patch);
    }
    let last =
        Completing { intent: "complete", status: "DONE", force: force.is_some(), override_reason: force };
    operations.push(object(&last));
    BatchOf {
        atomic: true,
        task: before.item.id.clone(),
        expected_target_id: before.item.id.clone(),
        expected_kind: "task",
        strict_targeting: true,
        expected_revision: before.rev,
        operations,
    }
}
