//! delete: a whole plan or task, or one step of a task.

use serde_json::json;

use crate::core::Result;

use super::args::{self, flag};
use super::fail::{Envelope, fail};
use super::model::Object;
use super::run::{Answer, Run, STEP};
use super::{shape, store};

pub fn delete(run: &mut Run, request: &Object) -> Result<Answer> {
    if STEP.given(request) {
        return delete_step(run, request);
    }
    let id = match args::id(request, "task", "INVALID_TASK")? {
        Some(id) => id,
        None => args::id(request, "plan", "INVALID_TASK")?.unwrap_or_default(),
    };
    let Some(found) = run.load(id)? else {
        return Ok(Answer::about(id, json!({"task_id": id, "deleted": false})).no_op());
    };
    let orphans = store::children(run.view(), run.workspace(), id, 5)?;
    run.remove(id)?;
    let mut answer = Answer::about(
        id,
        json!({"task_id": id, "deleted": true, "kind": found.item.kind.as_str(), "title": found.item.title}),
    );
    if !orphans.is_empty() {
        let names: Vec<_> = orphans.iter().map(|s| s.id.as_str()).collect();
        answer.warnings.push(format!("{id} still had tasks, which stay without it: {}.", names.join(", ")));
    }
    Ok(answer)
}

fn delete_step(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let (index, _) = path.split();
    let Some(siblings) = path.siblings_mut(&mut item) else {
        return Err(fail("PATH_NOT_FOUND", format!("{} has nothing at {path}.", item.id))
            .result(json!({"task": item.id, "path": path.to_string()})));
    };
    let removed = siblings.remove(index);
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    Ok(Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(),
            "deleted_step": shape::step(&removed, &path.to_string(), compact, true),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    ))
}
