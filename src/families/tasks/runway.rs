//! The runway: may this be closed right now, what is in the way, and the one action that helps most.
//!
//! Every recipe is executable as it stands and, executed again and again, leads to DONE: whatever can keep
//! a task open has its own way out here.

use serde_json::{Value, json};

use crate::core::{Timestamp, View};

use super::contract;
use super::lint::{self, Issue};
use super::model::{Gate, Object, Status, Step};
use super::patch;
use super::path::Path;
use super::scene::Scene;
use super::state::{self, Obstacle};
use super::suggest::{self, guarded};

const DONE_PLACEHOLDER: &str = "<definition of done>";

pub struct Runway {
    pub open: bool,
    pub issues: Vec<Issue>,
    pub obstacle: Option<Obstacle>,
    pub recipe: Option<Value>,
}

impl Runway {
    pub fn of(scene: &Scene) -> Runway {
        let issues = lint::issues(scene);
        let obstacle = state::obstacle(&scene.item);
        let lint_blocks = issues.iter().any(|i| i.error);
        let open = !lint_blocks && obstacle.is_none();
        let recipe = if open { None } else { recipe(scene, &issues, obstacle.as_ref()) };
        Runway { open, issues, obstacle, recipe }
    }

    pub fn errors(&self) -> Vec<Value> {
        self.issues.iter().filter(|i| i.error).map(Issue::shown).collect()
    }

    pub fn shown(&self) -> Value {
        let errors = self.errors();
        let count = errors.len();
        let top: Vec<_> = errors.into_iter().take(3).collect();
        let validation = self.obstacle.as_ref().map(|o| {
            let mut out = json!({"code": o.code, "message": o.message});
            if let Some((path, id)) = &o.step {
                out["target"] = json!({"kind": "step", "path": path, "step_id": id});
            }
            out
        });
        json!({"open": self.open,
            "blocking": {"lint": {"summary": lint::summary(&self.issues), "errors_count": count,
                "top_errors": top}, "validation": validation},
            "recipe": self.recipe})
    }
}

fn patch_of(scene: &Scene, kind: &str, path: Option<&str>, ops: Value, reason: &str) -> Option<Value> {
    let mut params = json!({"task": scene.item.id, "kind": kind, "ops": ops});
    if let Some(path) = path {
        params["path"] = json!(path);
    }
    suggest::high("patch", reason, guarded(params, &scene.item, scene.rev))
}

/// The action that removes a lint error.
pub fn fix(scene: &Scene, issue: &Issue) -> Option<Value> {
    let path = issue.path();
    let append = |value: &str| json!({"op": "append", "field": "success_criteria", "value": value});
    match issue.code {
        "TASK_SUCCESS_CRITERIA_MISSING" => Some(criteria_fix(scene)).flatten(),
        "STEP_SUCCESS_CRITERIA_MISSING" => patch_of(
            scene,
            "step",
            path,
            json!([append("<success criterion>")]),
            "The step says nothing about when it is done.",
        ),
        "TASK_NODE_TITLE_MISSING" => patch_of(
            scene,
            "task",
            path,
            json!([{"op": "set", "field": "title", "value": "<title>"}]),
            "The task node has no title.",
        ),
        "PLAN_CURRENT_OUT_OF_RANGE" => {
            let clamped = scene.item.plan_current.clamp(0, scene.item.plan_steps.len() as i64);
            let ops = json!([{"op": "set", "field": "plan_current", "value": clamped}]);
            patch_of(scene, "task_detail", None, ops, "The checklist position is out of range.")
        }
        "INVALID_DEPENDENCY_ID" | "INVALID_DEPENDENCIES" | "CIRCULAR_DEPENDENCY" => dependency_fix(scene),
        _ => None,
    }
}

fn criteria_fix(scene: &Scene) -> Option<Value> {
    let done = scene.plan().map(|p| contract::data_list(p, "done")).unwrap_or_default();
    let own = contract::data_list(&scene.item, "done");
    let mut values = if own.is_empty() { done } else { own };
    if values.is_empty() {
        values.push(DONE_PLACEHOLDER.to_string());
    }
    let ops: Vec<_> = values
        .iter()
        .take(20)
        .map(|v| json!({"op": "append", "field": "success_criteria", "value": v}))
        .collect();
    patch_of(scene, "task_detail", None, json!(ops), "The task says nothing about when it is done.")
}

/// Takes out the dependencies that cannot stand: unknown, malformed, itself, or closing a circle.
fn dependency_fix(scene: &Scene) -> Option<Value> {
    let item = &scene.item;
    let closing = scene.deps.cycle.as_ref().and_then(|c| c.get(1));
    let bad: Vec<_> = item
        .depends_on
        .iter()
        .filter(|d| scene.deps.missing.contains(d) || **d == item.id || Some(*d) == closing)
        .collect();
    let ops = json!([{"op": "remove", "field": "depends_on", "value": bad}]);
    patch_of(scene, "task_detail", None, ops, "These dependencies cannot be met.")
}

fn recipe(scene: &Scene, issues: &[Issue], obstacle: Option<&Obstacle>) -> Option<Value> {
    if let Some(fix) = issues.iter().filter(|i| i.error).find_map(|i| fix(scene, i)) {
        return Some(fix);
    }
    let obstacle = obstacle?;
    if scene.item.is_plan() {
        let params = guarded(json!({"plan": scene.item.id, "advance": true}), &scene.item, scene.rev);
        return suggest::high("plan", "Moves on to the next checklist entry.", params);
    }
    match (&obstacle.step, obstacle.code) {
        (Some((path, _)), "TASK_NOT_COMPLETE") => {
            let current = current_step(scene).unwrap_or_else(|| path.clone());
            step_action(scene, &current)
        }
        (Some((path, _)), "STEP_SUCCESS_CRITERIA_MISSING") => patch_of(
            scene,
            "step",
            Some(path),
            json!([{"op": "append", "field": "success_criteria", "value": "<success criterion>"}]),
            "The step says nothing about when it is done.",
        ),
        (Some((path, _)), _) => step_action(scene, path),
        (None, "TASK_SUCCESS_CRITERIA_MISSING") => criteria_fix(scene),
        (None, _) => patch_of(
            scene,
            "task_detail",
            None,
            json!([{"op": "set", "field": "blocked", "value": false}]),
            "The task is marked as blocked.",
        ),
    }
}

/// The step to work on: the first open one that is ready, else the first open one.
pub fn current_step(scene: &Scene) -> Option<String> {
    let open: Vec<_> = scene.item.walk().into_iter().filter(|(_, s)| !s.completed).collect();
    let ready = open.iter().find(|(_, s)| s.ready());
    ready.or(open.first()).map(|(path, _)| path.clone())
}

fn confirmations(gates: &[Gate]) -> Value {
    let all = gates.iter().map(|g| (g.as_str().to_string(), json!({"confirmed": true})));
    Value::Object(Object::from_iter(all))
}

/// What brings one step forward.
fn step_action(scene: &Scene, path: &str) -> Option<Value> {
    let item = &scene.item;
    let step = Path::parse(path)?.step(item)?;
    let needs = step.needs();
    let at = |mut params: Value| {
        params["task"] = json!(item.id);
        params["path"] = json!(path);
        guarded(params, item, scene.rev)
    };
    if needs.iter().any(|n| n == "plan_tasks") {
        return node_action(scene, path, step);
    }
    if step.blocked {
        let params = at(json!({"blocked": false, "reason": ""}));
        return suggest::high("block", "The step is blocked; go on once the reason is gone.", params);
    }
    let unknown = needs.iter().any(|n| Gate::parse(n).is_none());
    if unknown {
        let known: Vec<_> = step.required().into_iter().filter(|r| Gate::parse(r).is_some()).collect();
        let ops = json!([{"op": "set", "field": "required_checkpoints", "value": known}]);
        return patch_of(
            scene,
            "step",
            Some(path),
            ops,
            "The step requires a checkpoint that does not exist.",
        );
    }
    let mut gates = step.missing_gates();
    if step.completed {
        let params = at(json!({"step_id": step.id, "checkpoints": confirmations(&gates)}));
        return suggest::high("verify", "The step was closed without these confirmations.", params);
    }
    if gates.is_empty() {
        gates = default_gates(step);
    }
    let params = at(json!({"step_id": step.id, "note": "", "checkpoints": confirmations(&gates)}));
    suggest::high("close_step", "Confirms the open checkpoints and closes the step.", params)
}

fn default_gates(step: &Step) -> Vec<Gate> {
    let mut gates = Vec::new();
    if !step.success_criteria.is_empty() {
        gates.push(Gate::Criteria);
    }
    if !step.tests.is_empty() || step.gates.tests_auto_confirmed {
        gates.push(Gate::Tests);
    }
    gates
}

/// What brings the first unfinished task node of a step forward.
fn node_action(scene: &Scene, path: &str, step: &Step) -> Option<Value> {
    let (index, node) = step.plan.tasks.iter().enumerate().find(|(_, n)| !n.is_done())?;
    let path = format!("{path}.t:{index}");
    if node.blocked {
        let ops = json!([{"op": "set", "field": "blocked", "value": false}]);
        return patch_of(scene, "task", Some(&path), ops, "The task node is marked as blocked.");
    }
    let mut below = Vec::new();
    super::model::walk_steps(&node.steps, &path, &mut below);
    let open = below.iter().filter(|(_, s)| !s.completed);
    let open: Vec<_> = open.collect();
    if let Some((path, _)) = open.iter().find(|(_, s)| s.ready()).or(open.first()) {
        return step_action(scene, path);
    }
    let params = json!({"task": scene.item.id, "path": path, "status": "DONE"});
    let params = guarded(params, &scene.item, scene.rev);
    suggest::high("task_define", "Nothing is open below this task node; say whether it is done.", params)
}

/// The one best next action for an item: never none.
pub fn next(scene: &Scene, runway: &Runway, view: &dyn View, workspace: &str, now: Timestamp) -> Value {
    let item = &scene.item;
    let close = |patches: Option<Value>| {
        let mut params = json!({"task": item.id, "apply": true});
        if let Some(patches) = patches {
            params["patches"] = patches;
        }
        let params = guarded(params, item, scene.rev);
        suggest::high("close_task", "Everything is done: close the task.", params)
    };
    let found = match (&runway.recipe, item.is_plan()) {
        (_, false) if item.status == Status::Done => None,
        (Some(recipe), false) => match one_shot(scene, recipe, view, workspace, now) {
            Some(patch) => close(Some(json!([patch]))),
            None => Some(recipe.clone()),
        },
        (Some(recipe), true) => Some(recipe.clone()),
        (None, false) => close(None),
        (None, true) if scene.tasks == 0 && item.status != Status::Done => suggest::high(
            "create",
            "The plan has no tasks yet.",
            json!({"kind": "task", "parent": item.id, "title": "New task"}),
        ),
        (None, true) => None,
    };
    let fallback = || match item.is_plan() {
        true => suggest::normal(
            "context",
            "Shows all plans and tasks.",
            json!({"include_all": true, "compact": true}),
        ),
        false => {
            suggest::normal("radar", "Nothing is left to do here.", json!({"task": item.id, "limit": 3}))
        }
    };
    found.or_else(fallback).unwrap_or(Value::Null)
}

/// The recipe as a patch of close_task, if every step is complete and it opens the runway.
fn one_shot(
    scene: &Scene,
    recipe: &Value,
    view: &dyn View,
    workspace: &str,
    now: Timestamp,
) -> Option<Value> {
    if recipe["action"] != "patch" || scene.item.walk().iter().any(|(_, s)| !s.completed) {
        return None;
    }
    let params = recipe["params"].as_object()?;
    let mut item = scene.item.clone();
    patch::apply(view, workspace, &mut item, params, now).ok()?;
    if !Runway::of(&scene.with(item)).open {
        return None;
    }
    let keep = ["kind", "path", "step_id", "task_node_id", "ops"];
    Some(Value::Object(
        params
            .iter()
            .filter(|(k, _)| keep.contains(&k.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
    ))
}
