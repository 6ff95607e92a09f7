//! The runway: may this be closed right now, what is in the way, and the one action that helps most.
//!
//! Executed again and again, with its placeholders filled, the action leads to DONE: whatever can keep a task or plan
//! open has its own way out here. Nothing is confirmed that has no evidence: the work comes first, then what it showed,
//! and only then the confirmation, which names that evidence.

use serde::{Deserialize, Serialize};

use crate::core::Result;

use super::contract;
use super::lint::{self, Issue, IssueShown, LintSummary};
use super::model::{Object, TaskStatus, TaskStep};
use super::patch::{self, TasksPatchArgs};
use super::request::IntentRequest;
use super::scene::TaskScene;
use super::state::{self, Obstacle};
use super::step_action::{self, SuggestedOp, SuggestedPatch, patch_of};
use super::suggest::{self, OfItem, OfTask, Recipe, Suggestion, fill};

pub struct Runway {
    pub open: bool,
    pub issues: Vec<Issue>,
    pub obstacle: Option<Obstacle>,
    pub recipe: Option<Suggestion>,
}

#[derive(Serialize)]
pub struct RunwayShown<'a> {
    open: bool,
    blocking: Blocking<'a>,
    recipe: Option<Recipe<'a>>,
}

#[derive(Serialize)]
struct Blocking<'a> {
    lint: BlockingLint<'a>,
    validation: Option<Validation<'a>>,
}

#[derive(Serialize)]
struct BlockingLint<'a> {
    summary: LintSummary,
    errors_count: usize,
    top_errors: Vec<IssueShown<'a>>,
}

#[derive(Serialize)]
struct Validation<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<StepTarget<'a>>,
}

#[derive(Serialize)]
struct StepTarget<'a> {
    kind: &'static str,
    path: &'a str,
    step_id: &'a str,
}

impl Runway {
    pub fn of(scene: &TaskScene) -> Runway {
        let issues = lint::issues(scene);
        let obstacle = obstacle(scene);
        let lint_blocks = issues.iter().any(|i| i.error);
        let open = !lint_blocks && obstacle.is_none();
        let recipe = if open { None } else { recipe(scene, &issues, obstacle.as_ref()) };
        Runway { open, issues, obstacle, recipe }
    }

    pub fn errors(&self) -> Vec<IssueShown<'_>> {
        self.issues.iter().filter(|i| i.error).map(Issue::shown).collect()
    }

    pub fn shown(&self) -> RunwayShown<'_> {
        let mut top_errors = self.errors();
        let errors_count = top_errors.len();
        top_errors.truncate(3);
        let validation = self.obstacle.as_ref().map(|o| Validation {
            code: o.code,
            message: &o.message,
            target: o.step.as_ref().map(|(path, step_id)| StepTarget { kind: "step", path, step_id }),
        });
        let lint = BlockingLint { summary: lint::summary(&self.issues), errors_count, top_errors };
        let recipe = self.recipe.as_ref().map(Suggestion::recipe);
        RunwayShown { open: self.open, blocking: Blocking { lint, validation }, recipe }
    }
}

/// The first reason against closing. A plan also waits for its tasks.
fn obstacle(scene: &TaskScene) -> Option<Obstacle> {
    match &scene.open_task {
        Some(task) if scene.item.status != TaskStatus::Done => {
            let message = format!("{} of {} is still open: {}.", task.id, scene.item.id, task.title);
            Some(Obstacle { code: "PLAN_NOT_COMPLETE", message, step: None })
        }
        _ => state::obstacle(&scene.item),
    }
}

/// The action that removes a lint error.
pub fn fix(scene: &TaskScene, issue: &Issue) -> Option<Suggestion> {
    let path = issue.path();
    match issue.code {
        "TASK_SUCCESS_CRITERIA_MISSING" => criteria_fix(scene),
        "STEP_SUCCESS_CRITERIA_MISSING" => step_criteria_fix(scene, path),
        "TASK_NODE_TITLE_MISSING" => {
            let ops = vec![SuggestedOp::set("title", fill("title of the task node"))];
            patch_of(scene, "task", path, ops, "The task node has no title.")
        }
        "PLAN_CURRENT_OUT_OF_RANGE" => {
            let clamped = scene.item.plan_current.clamp(0, scene.item.plan_steps.len() as i64);
            let ops = vec![SuggestedOp::set("plan_current", clamped)];
            patch_of(scene, "task_detail", None, ops, "The checklist position is out of range.")
        }
        "INVALID_DEPENDENCY_ID" | "INVALID_DEPENDENCIES" | "CIRCULAR_DEPENDENCY" => dependency_fix(scene),
        _ => None,
    }
}

fn step_criteria_fix(scene: &TaskScene, path: Option<&str>) -> Option<Suggestion> {
    let ops = vec![SuggestedOp::append("success_criteria", fill("when this step is done"))];
    patch_of(scene, "step", path, ops, "The step says nothing about when it is done.")
}

fn criteria_fix(scene: &TaskScene) -> Option<Suggestion> {
    let done = scene.plan().map(|p| contract::data_list(p, "done")).unwrap_or_default();
    let own = contract::data_list(&scene.item, "done");
    let mut values = if own.is_empty() { done } else { own };
    if values.is_empty() {
        values.push(fill("definition of done"));
    }
    let ops = values.into_iter().take(20).map(|v| SuggestedOp::append("success_criteria", v)).collect();
    patch_of(scene, "task_detail", None, ops, "The task says nothing about when it is done.")
}

/// Takes out the dependencies that cannot stand: unknown, malformed, itself, or closing a circle.
fn dependency_fix(scene: &TaskScene) -> Option<Suggestion> {
    let item = &scene.item;
    let closing = scene.deps.cycle.as_ref().and_then(|c| c.get(1));
    let cannot = |d: &&String| scene.deps.missing.contains(d) || **d == item.id || Some(*d) == closing;
    let bad: Vec<String> = item.depends_on.iter().filter(cannot).cloned().collect();
    let ops = vec![SuggestedOp::remove("depends_on", bad)];
    patch_of(scene, "task_detail", None, ops, "These dependencies cannot be met.")
}

#[derive(Serialize)]
struct Advance<'a> {
    plan: &'a str,
    advance: bool,
}

fn recipe(scene: &TaskScene, issues: &[Issue], obstacle: Option<&Obstacle>) -> Option<Suggestion> {
    if let Some(fix) = issues.iter().filter(|i| i.error).find_map(|i| fix(scene, i)) {
        return Some(fix);
    }
    let obstacle = obstacle?;
    let item = &scene.item;
    if item.is_plan() {
        if let Some(task) = &scene.open_task {
            return Suggestion::high("radar", "The plan's first open task.", &OfTask { task: &task.id });
        }
        let params = Advance { plan: &item.id, advance: true };
        return Suggestion::guarded(
            "plan",
            "Moves on to the next checklist entry.",
            &params,
            item,
            scene.rev,
        );
    }
    match (&obstacle.step, obstacle.code) {
        (Some((path, _)), "TASK_NOT_COMPLETE") => {
            let current = current_step(scene).unwrap_or_else(|| path.clone());
            step_action::of(scene, &current)
        }
        (Some((path, _)), "STEP_SUCCESS_CRITERIA_MISSING") => step_criteria_fix(scene, Some(path)),
        (Some((path, _)), _) => step_action::of(scene, path),
        (None, "TASK_SUCCESS_CRITERIA_MISSING") => criteria_fix(scene),
        (None, _) => {
            let ops = vec![SuggestedOp::set("blocked", false)];
            patch_of(scene, "task_detail", None, ops, "The task is marked as blocked.")
        }
    }
}

/// The step to work on: the first open one that is ready, else the first open one.
pub fn current_step(scene: &TaskScene) -> Option<String> {
    let open: Vec<_> =
        scene.item.walk().into_iter().filter(|(_, s): &(String, &TaskStep)| !s.completed).collect();
    let ready = open.iter().find(|(_, s)| s.ready());
    ready.or(open.first()).map(|(path, _)| path.clone())
}

#[derive(Serialize)]
struct CloseTask<'a> {
    task: &'a str,
    apply: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patches: Vec<Object>,
}

#[derive(Serialize)]
struct NewTask<'a> {
    kind: &'static str,
    parent: &'a str,
    title: String,
}

#[derive(Serialize)]
struct Complete<'a> {
    task: &'a str,
    status: &'static str,
}

/// The one best next action for an item.
pub fn next(request: &IntentRequest, scene: &TaskScene) -> Result<Option<Suggestion>> {
    Ok(next_of(request, scene, &Runway::of(scene)))
}

/// The same where the runway is known.
pub fn next_of(request: &IntentRequest, scene: &TaskScene, runway: &Runway) -> Option<Suggestion> {
    let found =
        if scene.item.is_plan() { plan_next(scene, runway) } else { task_next(request, scene, runway) };
    found.or_else(suggest::everything)
}

fn plan_next(scene: &TaskScene, runway: &Runway) -> Option<Suggestion> {
    let item = &scene.item;
    match &runway.recipe {
        Some(recipe) => Some(recipe.clone()),
        None if item.status == TaskStatus::Done => None,
        None if scene.tasks == 0 && item.plan_steps.is_empty() => {
            let task = NewTask { kind: "task", parent: &item.id, title: fill("title of the first task") };
            Suggestion::high("create", "The plan has no tasks yet.", &task)
        }
        None => {
            let params = Complete { task: &item.id, status: "DONE" };
            Suggestion::guarded("complete", "Every task is done: close the plan.", &params, item, scene.rev)
        }
    }
}

fn task_next(request: &IntentRequest, scene: &TaskScene, runway: &Runway) -> Option<Suggestion> {
    let item = &scene.item;
    let close = |patches: Vec<Object>| {
        let params = CloseTask { task: &item.id, apply: true, patches };
        Suggestion::guarded("close_task", "Everything is done: close the task.", &params, item, scene.rev)
    };
    if item.status == TaskStatus::Done {
        let plan = scene.parent.as_ref().filter(|plan| plan.status != TaskStatus::Done)?;
        let params = OfItem::new(plan.kind, &plan.id);
        return Suggestion::high("radar", "The task is done; its plan shows what is next.", &params);
    }
    match &runway.recipe {
        Some(recipe) => match one_shot(request, scene, recipe) {
            Some(patch) => close(vec![patch]),
            None => Some(recipe.clone()),
        },
        None => close(Vec::new()),
    }
}

/// The recipe as a patch of close_task, if every step is complete and it opens the runway.
fn one_shot(request: &IntentRequest, scene: &TaskScene, recipe: &Suggestion) -> Option<Object> {
    if recipe.action != "patch" || scene.item.walk().iter().any(|(_, s)| !s.completed) {
        return None;
    }
    let patch = TasksPatchArgs::deserialize(serde_json::Value::Object(recipe.params.clone())).ok()?;
    let mut item = scene.item.clone();
    patch::apply(request.view(), request.workspace(), &mut item, &patch, request.ctx.now).ok()?;
    if !Runway::of(&scene.with(item)).open {
        return None;
    }
    let kept = SuggestedPatch::MEMBERS;
    Some(
        recipe
            .params
            .iter()
            .filter(|(k, _)| kept.contains(&k.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
    )
}
