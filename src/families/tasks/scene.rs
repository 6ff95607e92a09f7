//! One immutable picture of an item and its surroundings; lint, runway, suggestions and radar are pure functions of it,
//! so they can never disagree.

use serde::Serialize;

use crate::core::{Given, Result, View};

use super::args;
use super::deps::Dependencies;
use super::errors::{EnvelopeParts, fail};
use super::focus;
use super::model::{TaskItem, TaskStatus};
use super::request::{IntentRequest, LoadedItem};
use super::rows::{self, BY_PARENT, ITEMS, ItemSummary};
use super::suggest;
use super::target::IntentTarget;

#[derive(Clone)]
pub struct TaskScene {
    pub item: TaskItem,
    pub rev: u64,
    /// The plan above a task.
    pub parent: Option<TaskItem>,
    pub deps: Dependencies,
    /// How many tasks a plan has.
    pub tasks: u64,
    /// The first of them that is not done.
    pub open_task: Option<ItemSummary>,
}

impl TaskScene {
    pub fn of(view: &dyn View, workspace: &str, loaded: LoadedItem) -> Result<TaskScene> {
        let LoadedItem { item, rev } = loaded;
        let parent = match &item.parent {
            Some(id) => view.get::<TaskItem>(ITEMS, &rows::item_key(workspace, id))?.map(|(item, _)| item),
            None => None,
        };
        let deps = Dependencies::of(view, workspace, &item.id, &item.depends_on)?;
        let (mut tasks, mut open_task) = (0, None);
        if item.is_plan() {
            tasks = view.count(BY_PARENT, &rows::group(workspace, &[&item.id]))?;
            open_task = open(view, workspace, &item.id)?;
        }
        Ok(TaskScene { item, rev, parent, deps, tasks, open_task })
    }

    /// The plan whose contract this work is under.
    pub fn plan(&self) -> Option<&TaskItem> {
        if self.item.is_plan() { Some(&self.item) } else { self.parent.as_ref() }
    }

    /// The same surroundings with another version of the item.
    #[must_use]
    pub fn with(&self, item: TaskItem) -> TaskScene {
        TaskScene { item, ..self.clone() }
    }
}

/// The first task of a plan that is not done.
pub fn open(view: &dyn View, workspace: &str, plan: &str) -> Result<Option<ItemSummary>> {
    let tasks = rows::children(view, workspace, plan, usize::MAX)?;
    Ok(tasks.into_iter().find(|task| task.status != TaskStatus::Done))
}

#[derive(Serialize)]
struct Asked<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a String>,
}

/// An id that a reading intent was given, or the only item with that title; what is neither is answered with some that
/// exist.
pub fn read_id(request: &IntentRequest, given: &Given<String>, name: &str) -> Result<Option<String>> {
    match args::id(given, name, "INVALID_ID") {
        Ok(Some(id)) if rows::summary(request.view(), request.workspace(), id)?.is_some() => {
            Ok(Some(id.into()))
        }
        Ok(None) => Ok(None),
        other => match suggest::titled(request, args::text(given))? {
            Some(found) => Ok(Some(found.id)),
            None => other.map(|id| id.map(str::to_string)).map_err(|e| {
                let task = given.get();
                let asked = if name == "plan" {
                    Asked { task: None, plan: task }
                } else {
                    Asked { task, plan: None }
                };
                e.result(asked)
                    .suggest(suggest::pick_a_target(request.view(), request.workspace()).unwrap_or_default())
            }),
        },
    }
}

/// What a reading intent is about: `task`, `plan`, the focus, or the only task there is to work on.
pub fn target(request: &IntentRequest, named: &IntentTarget) -> Result<LoadedItem> {
    let id = match read_id(request, &named.task, "task")? {
        Some(id) => Some(id),
        None => read_id(request, &named.plan, "plan")?,
    };
    let id = match id {
        Some(id) => Some(id),
        None => focus::of(request)?.map(|focused| focused.id),
    };
    let Some(id) = id else {
        return Err(fail("MISSING_ID", "Neither 'task' nor 'plan' was named and nothing is focused.")
            .hint(
                suggest::only_target(request, "task")?
                    .unwrap_or_else(|| "Pass an id, or choose a focus with focus_set.".to_string()),
            )
            .result(Asked { task: None, plan: None })
            .suggest(suggest::pick_a_target(request.view(), request.workspace())?));
    };
    request.load(&id)?.ok_or_else(|| request.not_found(&id))
}

pub fn load(request: &IntentRequest, named: &IntentTarget) -> Result<TaskScene> {
    let loaded = target(request, named)?;
    TaskScene::of(request.view(), request.workspace(), loaded)
}
