//! complete and close_task: the explicit end of a plan or task. Closing is refused while the runway is
//! closed; patches and the closing itself are one operation.

use serde_json::{Value, json};

use crate::core::{Result, redact};

use super::args::{self, flag, text};
use super::close::missing_reason;
use super::fail::{Envelope, fail};
use super::model::{Item, Object, Status, Step};
use super::patch::{self, Applied};
use super::pipeline;
use super::run::{Answer, Loaded, Run};
use super::runway::{self, Runway};
use super::scene::Scene;
use super::verify::event;
use super::{lint, shape, state, suggest};

fn reopen_all(steps: &mut [Step]) {
    for step in steps {
        step.reopen();
        for node in &mut step.plan.tasks {
            reopen_all(&mut node.steps);
        }
    }
}

/// Refuses DONE while lint or validation object.
fn may_close(run: &Run, loaded: &Loaded) -> Result<()> {
    let scene = Scene::of(run.view(), run.workspace(), loaded.clone())?;
    let runway = Runway::of(&scene);
    let id = &scene.item.id;
    let fixes: Vec<_> = runway.recipe.clone().into_iter().collect();
    let errors = runway.errors();
    if !errors.is_empty() {
        let message = format!("{id} has {} lint errors; they must be fixed before it is DONE.", errors.len());
        return Err(fail("LINT_ERRORS_BLOCKING", message)
            .hint("Fix them (see lint), or use force=true.")
            .result(json!({"task": id, "lint": lint::summary(&runway.issues), "blocking_errors": errors}))
            .suggest(fixes));
    }
    if let Some(obstacle) = &runway.obstacle {
        let code = if scene.item.is_plan() { "VALIDATION" } else { obstacle.code };
        let target = obstacle.step.as_ref().map(|(path, id)| json!({"path": path, "step_id": id}));
        return Err(fail(code, obstacle.message.clone())
            .hint("Finish what is open (see radar), or use force=true.")
            .result(json!({"task": id, "validation": obstacle.code, "target": target}))
            .suggest(fixes));
    }
    Ok(())
}

/// The item with a status that sticks: where the rules would make another one of it, it counts as manual.
fn with_status(item: &mut Item, status: Status, force: bool) {
    let whole = state::progress(item) == 100;
    if status != Status::Done && (whole || force) && !item.is_plan() {
        reopen_all(&mut item.steps);
    }
    if (item.is_plan() && item.plan_steps.is_empty()) || (!item.is_plan() && item.steps.is_empty()) {
        item.progress = match (status, item.status) {
            (Status::Done, _) => 100,
            (_, Status::Done) => 0,
            _ => item.progress,
        };
    }
    item.status = status;
    item.status_manual = false;
    item.progress = state::progress(item);
    item.status_manual = state::settled_status(item) != status;
    item.status = status;
}

pub fn complete(run: &mut Run, request: &Object) -> Result<Answer> {
    let loaded = run.item(request)?;
    let status = args::status(request, "status")?.unwrap_or(Status::Done);
    let force = flag(request, "force", false);
    let allowed = if status == Status::Done { may_close(run, &loaded) } else { Ok(()) };
    if !force {
        allowed.clone()?;
    }
    let mut item = loaded.item;
    with_status(&mut item, status, force);
    if allowed.is_err() {
        let reason = redact::text(text(request, "override_reason").unwrap_or_default()).0;
        let data = json!({"action": "complete", "reason": reason});
        event(&mut item, run.ctx.now, "override", "", data);
    }
    let saved = run.save(item)?;
    let mut result = json!({});
    result[saved.item.kind.as_str()] = shape::item(&saved.item, saved.rev, flag(request, "compact", false));
    Ok(Answer::about(&saved.item.id, result))
}

/// The patches of a close_task request, as patch requests on the task.
fn patches(request: &Object, id: &str) -> Result<Vec<Object>> {
    let Some(value) = request.get("patches").filter(|v| !v.is_null()) else { return Ok(Vec::new()) };
    let Some(list) = value.as_array() else {
        return Err(fail("INVALID_PATCHES", "'patches' must be a list.")
            .hint("Each patch is {kind?, path?, ops}, as in the patch intent."));
    };
    if list.len() > args::MAX_LIST {
        let message = format!("{} patches; at most {}.", list.len(), args::MAX_LIST);
        return Err(fail("TOO_MANY_PATCHES", message));
    }
    let one = |(i, value): (usize, &Value)| match value.as_object() {
        Some(map) => {
            let mut map = map.clone();
            map.insert("task".into(), json!(id));
            Ok(map)
        }
        None => Err(fail("INVALID_PATCH", format!("patches[{i}] must be an object."))
            .result(json!({"patch_index": i}))),
    };
    list.iter().enumerate().map(one).collect()
}

/// What closing would look like: patches applied in memory, the runway after them, and the diff.
struct Rehearsal {
    scene: Scene,
    runway: Runway,
    diff: Value,
}

fn rehearse(run: &Run, before: &Loaded, patches: &[Object], force: bool) -> Result<Rehearsal> {
    let mut item = before.item.clone();
    let mut applied: Vec<Applied> = Vec::new();
    for (i, patch) in patches.iter().enumerate() {
        let done = patch::apply(run.view(), run.workspace(), &mut item, patch, run.ctx.now);
        applied.push(done.map_err(|e| {
            let mut result = super::fail::detail(&e, "result");
            result["patch_index"] = json!(i);
            e.result(result)
        })?);
    }
    state::settle(&mut item, run.ctx.ids);
    let scene = Scene::of(run.view(), run.workspace(), Loaded { item, rev: before.rev })?;
    let runway = Runway::of(&scene);
    let results: Vec<_> = applied.iter().enumerate().map(|(i, a)| a.summary(i)).collect();
    let may = runway.open || force;
    let mut closed = scene.item.clone();
    with_status(&mut closed, Status::Done, force);
    let complete = may.then(|| {
        json!({"status": {"from": before.item.status.as_str(), "to": "DONE"},
            "progress": {"from": before.item.progress, "to": closed.progress}})
    });
    let apply = may.then(|| batch_of(before, patches, force));
    let mode = may.then_some(if runway.open { "direct" } else { "forced" });
    let fields: Vec<_> = applied.iter().flat_map(|a| a.changes.clone()).collect();
    let changed = patch::diff(&before.item, &scene.item, &fields);
    let diff = json!({"patches": results, "patch_results": results, "state": changed["state"],
        "fields": changed["fields"], "complete": complete, "apply": apply, "apply_mode": mode});
    Ok(Rehearsal { scene, runway, diff })
}

/// The batch that does the same thing.
fn batch_of(before: &Loaded, patches: &[Object], force: bool) -> Value {
    let mut operations: Vec<Value> = Vec::new();
    for patch in patches {
        let mut patch = Value::Object(patch.clone());
        patch["intent"] = json!("patch");
        operations.push(patch);
    }
    operations.push(json!({"intent": "complete", "status": "DONE", "force": force}));
    json!({"atomic": true, "task": before.item.id, "expected_target_id": before.item.id,
        "expected_kind": "task", "strict_targeting": true, "expected_revision": before.rev,
        "operations": operations})
}

pub fn close_task(run: &mut Run, request: &Object) -> Result<Answer> {
    let before = run.task(request)?;
    let id = before.item.id.clone();
    let patches = patches(request, &id)?;
    let force = flag(request, "force", false);
    if force && text(request, "override_reason").is_none() {
        return Err(missing_reason(&id));
    }
    if before.item.status == Status::Done && patches.is_empty() {
        let scene = Scene::of(run.view(), run.workspace(), before.clone())?;
        let runway = Runway::of(&scene).shown();
        let result = json!({"task_id": id, "already_done": true, "dry_run": true, "apply": false,
            "runway": runway, "diff": {"patches": [], "patch_results": [], "complete": null, "apply": null}});
        return Ok(Answer::about(&id, result).no_op());
    }
    let plan = rehearse(run, &before, &patches, force)?;
    let errors: Vec<_> = plan.runway.errors().into_iter().take(5).collect();
    let lint = json!({"summary": lint::summary(&plan.runway.issues), "blocking_errors": errors});
    if run.preview {
        let next = runway::next(&plan.scene, &plan.runway, run.view(), run.workspace(), run.ctx.now);
        let result = json!({"task_id": id, "dry_run": true, "apply": false, "would_execute": plan.runway.open || force,
            "runway": plan.runway.shown(), "diff": plan.diff, "lint": lint});
        let suggestions =
            if patches.is_empty() { vec![next] } else { apply_suggestion(&before, request, &plan) };
        return Ok(Answer::about(&id, result).suggest(suggestions));
    }
    if !plan.runway.open && !force {
        let next = runway::next(&plan.scene, &plan.runway, run.view(), run.workspace(), run.ctx.now);
        return Err(fail(
            "RUNWAY_CLOSED",
            format!("{id} cannot be closed yet: {}", blocked_by(&plan.runway)),
        )
        .hint("Do what runway.recipe says, then close the task again.")
        .result(json!({"task": id, "task_id": id, "runway": plan.runway.shown(), "diff": plan.diff,
                "lint": lint}))
        .suggest(vec![next]));
    }
    let (batch, task) = apply(run, request, &patches, force)?;
    let result = json!({"task_id": id, "dry_run": false, "apply": true, "diff": plan.diff, "batch": batch,
        "task": task});
    Ok(Answer::about(&id, result))
}

fn blocked_by(runway: &Runway) -> String {
    let lint = runway.issues.iter().find(|i| i.error).map(|i| i.message.clone());
    let validation = runway.obstacle.as_ref().map(|o| o.message.clone());
    lint.or(validation).unwrap_or_default()
}

/// The same call with apply=true, once a preview shows an open runway.
fn apply_suggestion(before: &Loaded, request: &Object, plan: &Rehearsal) -> Vec<Value> {
    if !plan.runway.open {
        return plan.runway.recipe.clone().into_iter().collect();
    }
    let params = json!({"task": before.item.id, "apply": true, "patches": request["patches"]});
    let params = suggest::guarded(params, &before.item, before.rev);
    suggest::list([suggest::high("close_task", "Applies the patches and closes the task.", params)])
}

/// Patches, then DONE, as operations of one batch.
fn apply(run: &mut Run, request: &Object, patches: &[Object], force: bool) -> Result<(Value, Value)> {
    let mut requests: Vec<(&str, Object)> = patches.iter().map(|p| ("patch", p.clone())).collect();
    let mut last = Object::new();
    last.insert("task".into(), request["task"].clone());
    last.insert("status".into(), json!("DONE"));
    last.insert("force".into(), json!(force));
    if let Some(reason) = request.get("override_reason") {
        last.insert("override_reason".into(), reason.clone());
    }
    last.insert("compact".into(), json!(flag(request, "compact", false)));
    requests.push(("complete", last));
    let first = run.nested_ids.len();
    let mut results = Vec::new();
    let mut task = Value::Null;
    run.depth += 1;
    for (intent, request) in &requests {
        let done = pipeline::execute(run, intent, request);
        let answer = done.inspect_err(|_| run.depth -= 1)?;
        task = answer.result.get("task").cloned().unwrap_or_default();
        results.push(super::envelope::of(intent, &answer, run.ctx.now));
    }
    run.depth -= 1;
    let ids = run.nested_ids[first..].to_vec();
    let batch = json!({"total": requests.len(), "completed": requests.len(), "results": results,
        "latest_id": crate::core::outcome::OP_ID, "operation_ids": ids});
    Ok((batch, task))
}
