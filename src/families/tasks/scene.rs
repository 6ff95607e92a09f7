//! One immutable picture of an item and its surroundings; lint, runway, suggestions and radar are pure
//! functions of it, so they can never disagree.

use serde_json::json;

use crate::core::{Result, View};

use super::deps::Dependencies;
use super::fail::{Envelope, fail};
use super::focus;
use super::model::{Item, Object};
use super::run::{Loaded, Run};
use super::store::{self, BY_PARENT, ITEMS};
use super::suggest;

#[derive(Clone)]
pub struct Scene {
    pub item: Item,
    pub rev: u64,
    /// The plan above a task.
    pub parent: Option<Item>,
    pub deps: Dependencies,
    /// How many tasks a plan has.
    pub tasks: u64,
}

impl Scene {
    pub fn of(view: &dyn View, workspace: &str, loaded: Loaded) -> Result<Scene> {
        let Loaded { item, rev } = loaded;
        let parent = match &item.parent {
            Some(id) => view.get::<Item>(ITEMS, &store::item_key(workspace, id))?.map(|(item, _)| item),
            None => None,
        };
        let deps = Dependencies::of(view, workspace, &item.id, &item.depends_on)?;
        let tasks =
            if item.is_plan() { view.count(BY_PARENT, &store::group(workspace, &[&item.id]))? } else { 0 };
        Ok(Scene { item, rev, parent, deps, tasks })
    }

    /// The plan whose contract this work is under.
    pub fn plan(&self) -> Option<&Item> {
        if self.item.is_plan() { Some(&self.item) } else { self.parent.as_ref() }
    }

    /// The same surroundings with another version of the item.
    #[must_use]
    pub fn with(&self, item: Item) -> Scene {
        Scene { item, ..self.clone() }
    }
}

/// What a reading intent is about: `task`, `plan`, or the focus.
pub fn target(run: &Run, request: &Object) -> Result<Loaded> {
    let named = match run.id(request, "task")? {
        Some(id) => Some(id),
        None => run.id(request, "plan")?,
    };
    let id = match named {
        Some(id) => id.to_string(),
        None => match focus::of(run)? {
            Some(focused) => focused.id,
            None => {
                return Err(fail(
                    "MISSING_ID",
                    "Neither 'task' nor 'plan' was named and nothing is focused.",
                )
                .hint("Pass an id, or choose a focus with focus_set.")
                .result(json!({}))
                .suggest(suggest::pick_a_target(run.view(), run.workspace())?));
            }
        },
    };
    run.load(&id)?.ok_or_else(|| run.not_found(&id))
}

pub fn load(run: &Run, request: &Object) -> Result<Scene> {
    let loaded = target(run, request)?;
    Scene::of(run.view(), run.workspace(), loaded)
}
