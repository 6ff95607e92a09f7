//! `tasks_delete`: a whole plan or task, or one step of a task.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::{FocusUse, Intent};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;
use super::super::{reply, rows};

pub struct Delete;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeleteArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
}

#[derive(Serialize)]
struct Deleted<'a> {
    task_id: &'a str,
    deleted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

#[derive(Serialize)]
struct StepDeleted<'a> {
    task_id: &'a str,
    path: &'a str,
    deleted_step: reply::NodeShown,
    task: reply::ItemShown,
}

impl Intent for Delete {
    type Args = DeleteArgs;
    const TOOL: &'static str = "tasks_delete";
    const FOCUS: FocusUse = FocusUse::Any;
    const WRITES: bool = true;

    fn common(args: &DeleteArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &DeleteArgs, target: &IntentTarget) -> Result<IntentAnswer> {
        let step = Address::of_step(&args.path, &args.step_id);
        if step.is_given() {
            return delete_step(request, &args.common, &step, target);
        }
        let id = match request.written_id(&target.task, "task", "INVALID_TASK")? {
            Some(id) => id,
            None => request.written_id(&target.plan, "plan", "INVALID_TASK")?.unwrap_or_default(),
        };
        let Some(found) = request.load(id)? else {
            let nothing = Deleted { task_id: id, deleted: false, kind: None, title: None };
            let mut answer = IntentAnswer::about(id, &nothing).no_op();
            answer.warnings.push(format!("There is no {id} in this workspace; nothing was deleted."));
            return Ok(answer);
        };
        let orphans = rows::children(request.view(), request.workspace(), id, 5)?;
        request.remove(id)?;
        let (kind, title) = (Some(found.item.kind.as_str()), Some(found.item.title.as_str()));
        let mut answer = IntentAnswer::about(id, &Deleted { task_id: id, deleted: true, kind, title });
        if !orphans.is_empty() {
            let names: Vec<_> = orphans.iter().map(|s| s.id.as_str()).collect();
            answer
                .warnings
                .push(format!("{id} still had tasks, which stay without it: {}.", names.join(", ")));
        }
        Ok(answer)
    }
}

fn delete_step(
    request: &mut IntentRequest,
    common: &Common,
    at: &Address,
    target: &IntentTarget,
) -> Result<IntentAnswer> {
    let (mut item, path) = request.step(target, at)?;
    let removed = path.remove(&mut item)?;
    let saved = request.save(item)?;
    let compact = common.compact();
    let result = StepDeleted {
        task_id: &saved.item.id,
        path: path.as_str(),
        deleted_step: reply::step(&removed, path.as_str(), compact),
        task: reply::item(&saved.item, saved.rev, compact),
    };
    Ok(IntentAnswer::about(&saved.item.id, &result).at(&path).short(compact))
}
