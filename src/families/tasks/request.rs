//! One request being worked on: the draft it writes into, what it touched and what it found.
//!
//! A batch runs its operations through the same [`IntentRequest`], so that everything lands in one draft and the whole
//! becomes one operation.

use serde::Serialize;

use crate::core::{Ctx, Draft, Error, Given, Result, View};

use super::address::Address;
use super::args;
use super::auto::SeenOutside;
use super::errors::{EnvelopeParts, fail};
use super::focus;
use super::model::{ItemKind, TaskItem, TaskStatus};
use super::path::StepPath;
use super::rows::{self, ITEMS};
use super::scene;
use super::state;
use super::suggest;
use super::target::IntentTarget;

/// An item with the revision it is shown with.
#[derive(Debug, Clone)]
pub struct LoadedItem {
    pub item: TaskItem,
    pub rev: u64,
}

pub struct IntentRequest<'c, 'v> {
    pub ctx: &'c Ctx<'v>,
    pub draft: Draft<'v>,
    /// What was seen outside before it was decided.
    pub seen: &'c SeenOutside,
    /// The id of the operation (or audit record) that it will leave.
    pub record_id: String,
    /// Nothing of what is written now will be kept.
    pub preview: bool,
    /// How deep inside batches we are.
    pub depth: usize,
    /// Operations of batches so far, those in other batches included.
    pub unfolded: usize,
    /// Ids handed out for writes inside a batch, in order.
    pub nested_ids: Vec<String>,
    /// Items touched, in order, once each.
    pub targets: Vec<String>,
    /// Nodes meant, in order, once each.
    pub paths: Vec<String>,
    /// The argument and id the request was pointed at, focus included.
    pub filled: Option<(&'static str, String)>,
}

/// What a failure says about the item it is about.
#[derive(Serialize)]
pub struct AboutTask<'a> {
    pub task: &'a str,
}

impl<'c, 'v> IntentRequest<'c, 'v> {
    pub fn new(ctx: &'c Ctx<'v>, seen: &'c SeenOutside) -> Self {
        IntentRequest {
            ctx,
            draft: ctx.draft(),
            seen,
            record_id: ctx.record_id(),
            preview: ctx.call.preview,
            depth: 0,
            unfolded: 0,
            nested_ids: Vec::new(),
            targets: Vec::new(),
            paths: Vec::new(),
            filled: None,
        }
    }

    pub fn view(&self) -> &dyn View {
        &self.draft
    }

    pub fn workspace(&self) -> &'c str {
        &self.ctx.session.workspace
    }

    pub fn load(&self, id: &str) -> Result<Option<LoadedItem>> {
        let key = rows::item_key(self.workspace(), id);
        let Some((item, row)) = self.view().get::<TaskItem>(ITEMS, &key)? else { return Ok(None) };
        let rev = if self.preview { self.stored_revision(id)? } else { row.rev };
        Ok(Some(LoadedItem { item, rev }))
    }

    /// The revision outside this request: what a caller may expect after a preview.
    fn stored_revision(&self, id: &str) -> Result<u64> {
        let key = rows::item_key(self.workspace(), id);
        Ok(self.ctx.view.row(ITEMS, &key)?.map_or(0, |row| row.rev))
    }

    /// Brings derived fields up to date, writes the item and returns it as it is now shown.
    pub fn save(&mut self, mut item: TaskItem) -> Result<LoadedItem> {
        item.updated = state::minute(self.ctx.now);
        self.store(item, 0)
    }

    /// An item from a file keeps its dates and the revision it had there.
    pub fn save_imported(&mut self, item: TaskItem, revision: u64) -> Result<LoadedItem> {
        self.store(item, revision)
    }

    fn store(&mut self, mut item: TaskItem, min_rev: u64) -> Result<LoadedItem> {
        state::settle(&mut item, self.ctx.ids);
        if item.is_plan() && item.status == TaskStatus::Done && self.has_open_task(&item.id)? {
            reopen(&mut item);
        }
        let key = rows::item_key(self.workspace(), &item.id);
        let rev = self.draft.put_at_least(ITEMS, &key, &item, min_rev)?;
        self.touch(&item.id);
        if let Some(plan) =
            item.parent.as_ref().filter(|_| !item.is_plan() && item.status != TaskStatus::Done)
        {
            self.reopen_plan(plan)?;
        }
        let rev = if self.preview { self.stored_revision(&item.id)? } else { rev };
        Ok(LoadedItem { item, rev })
    }

    fn has_open_task(&self, plan: &str) -> Result<bool> {
        Ok(scene::open(self.view(), self.workspace(), plan)?.is_some())
    }

    /// A plan that was done is not while one of its tasks is open.
    fn reopen_plan(&mut self, id: &str) -> Result<()> {
        let done =
            rows::summary(self.view(), self.workspace(), id)?.is_some_and(|s| s.status == TaskStatus::Done);
        let Some(mut plan) = self.load(id)?.filter(|_| done) else { return Ok(()) };
        reopen(&mut plan.item);
        plan.item.updated = state::minute(self.ctx.now);
        self.draft.put(ITEMS, &rows::item_key(self.workspace(), id), &plan.item)?;
        self.touch(id);
        Ok(())
    }

    pub fn touch(&mut self, id: &str) {
        if !self.targets.iter().any(|t| t == id) {
            self.targets.push(id.to_string());
        }
    }

    /// This node is meant: the log's `paths` filter finds the operation by it.
    pub fn mean(&mut self, path: &str) {
        if !self.paths.iter().any(|p| p == path) {
            self.paths.push(path.to_string());
        }
    }

    pub fn remove(&mut self, id: &str) -> Result<()> {
        self.touch(id);
        self.draft.delete(ITEMS, &rows::item_key(self.workspace(), id))
    }

    pub fn next_item_id(&mut self, kind: ItemKind) -> Result<String> {
        let counter = counter(self.workspace(), kind);
        Ok(format!("{}-{:03}", kind.prefix(), self.draft.next(&counter)?))
    }

    pub fn not_found(&self, id: &str) -> Error {
        let suggestions = suggest::pick_a_target(self.view(), self.workspace()).unwrap_or_default();
        let meant = rows::summary(self.view(), self.workspace(), &focus::normalized(id)).ok().flatten();
        let hint = match meant {
            Some(found) => format!("Did you mean {}: {}?", found.id, found.title),
            None => suggest::only_target(self, if id.starts_with("PLAN") { "plan" } else { "task" })
                .ok()
                .flatten()
                .unwrap_or_else(|| "List what there is with context(include_all=true).".to_string()),
        };
        fail("NOT_FOUND", format!("There is no {id} in this workspace."))
            .hint(hint)
            .result(AboutTask { task: id })
            .suggest(suggestions)
    }

    /// The plan or task an intent was pointed at (`task`, else `plan`).
    pub fn item(&self, target: &IntentTarget) -> Result<LoadedItem> {
        let id = match self.written_id(&target.task, "task", "INVALID_TASK")? {
            Some(id) => Some(id),
            None => self.written_id(&target.plan, "plan", "INVALID_TASK")?,
        };
        let Some(id) = id else {
            return Err(fail("MISSING_TASK", "'task' is required.").hint("Name a TASK or PLAN id in 'task'."));
        };
        self.load(id)?.ok_or_else(|| self.not_found(id))
    }

    /// The id of a write: never guessed from a title, but a title is answered with the id to send.
    pub fn written_id<'a>(
        &self,
        given: &'a Given<String>,
        name: &str,
        code: &str,
    ) -> Result<Option<&'a str>> {
        args::id(given, name, code).map_err(|e| match suggest::titled(self, args::text(given)) {
            Ok(Some(summary)) => e.hint(format!("Send {name}=\"{}\": {}.", summary.id, summary.title)),
            _ => e,
        })
    }

    /// As [`item`](Self::item), but it must be a task.
    pub fn task(&self, target: &IntentTarget) -> Result<LoadedItem> {
        let loaded = self.item(target)?;
        if loaded.item.is_plan() {
            return Err(fail("NOT_A_TASK", format!("{} is a plan; this needs a task.", loaded.item.id))
                .hint("Name a TASK id.")
                .result(AboutTask { task: &loaded.item.id }));
        }
        Ok(loaded)
    }

    /// The task and the step of it that a request means.
    pub fn step(&mut self, target: &IntentTarget, address: &Address) -> Result<(TaskItem, StepPath)> {
        let item = self.task(target)?.item;
        let path = address.step(&item)?;
        self.mean(path.as_str());
        Ok((item, path))
    }
}

/// Active, and by more than its progress: that may be anything from 0 to 100.
fn reopen(plan: &mut TaskItem) {
    plan.status = TaskStatus::Active;
    plan.status_manual = true;
}

pub fn counter(workspace: &str, kind: ItemKind) -> String {
    format!("tasks/{workspace}/{}", kind.prefix())
}
