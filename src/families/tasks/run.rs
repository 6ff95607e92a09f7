//! One request being worked on: the draft it writes into and the answer it builds.
//!
//! A batch runs its operations through the same [`Run`], so that everything lands in one draft and the
//! whole becomes one operation.

use serde_json::{Value, json};

use crate::core::{Ctx, Draft, Error, Result, View};

use super::args;
use super::fail::{Envelope, fail};
use super::model::{Item, ItemKind, Object};
use super::path::{self, Path};
use super::state;
use super::store::{self, ITEMS};
use super::suggest;

/// An item with the revision it is shown with.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub item: Item,
    pub rev: u64,
}

pub struct Run<'c, 'v> {
    pub ctx: &'c Ctx<'v>,
    pub draft: Draft<'v>,
    /// Nothing of what is written now will be kept.
    pub preview: bool,
    /// How deep inside batches we are.
    pub depth: usize,
    /// Ids handed out for writes inside a batch, in order.
    pub nested_ids: Vec<String>,
    /// Items touched, in order, once each.
    pub targets: Vec<String>,
    /// The argument and id the request was pointed at, focus included.
    pub filled: Option<(&'static str, String)>,
}

/// What an intent has to say.
#[derive(Debug, Default)]
pub struct Answer {
    pub result: Object,
    pub warnings: Vec<String>,
    pub suggestions: Vec<Value>,
    pub context: Object,
    pub meta: Object,
    /// A failure that nevertheless keeps what was done before it (a batch that is not atomic).
    pub error: Option<Error>,
    /// Succeeded without changing anything: leaves no operation.
    pub no_op: bool,
    /// Wrote although its intent usually reads (an import).
    pub wrote: bool,
    /// Nothing of it was kept.
    pub preview: bool,
    pub links: Vec<(String, String)>,
}

impl Answer {
    pub fn new(result: Value) -> Self {
        let result = match result {
            Value::Object(map) => map,
            other => Object::from_iter([("value".to_string(), other)]),
        };
        Answer { result, ..Answer::default() }
    }

    /// About one item: its id goes into the context.
    pub fn about(id: &str, result: Value) -> Self {
        let mut answer = Answer::new(result);
        answer.context.insert("task_id".to_string(), json!(id));
        answer
    }

    #[must_use]
    pub fn suggest(mut self, list: Vec<Value>) -> Self {
        self.suggestions = list;
        self
    }

    #[must_use]
    pub fn no_op(mut self) -> Self {
        self.no_op = true;
        self
    }
}

impl<'c, 'v> Run<'c, 'v> {
    pub fn new(ctx: &'c Ctx<'v>) -> Self {
        Run {
            ctx,
            draft: ctx.draft(),
            preview: ctx.call.preview,
            depth: 0,
            nested_ids: Vec::new(),
            targets: Vec::new(),
            filled: None,
        }
    }

    pub fn view(&self) -> &dyn View {
        &self.draft
    }

    pub fn workspace(&self) -> &'c str {
        &self.ctx.session.workspace
    }

    pub fn load(&self, id: &str) -> Result<Option<Loaded>> {
        let key = store::item_key(self.workspace(), id);
        let Some((item, row)) = self.view().get::<Item>(ITEMS, &key)? else { return Ok(None) };
        let rev = if self.preview { self.stored_revision(id)? } else { row.rev };
        Ok(Some(Loaded { item, rev }))
    }

    /// The revision outside this request: what a caller may expect after a preview.
    fn stored_revision(&self, id: &str) -> Result<u64> {
        let key = store::item_key(self.workspace(), id);
        Ok(self.ctx.view.row(ITEMS, &key)?.map_or(0, |row| row.rev))
    }

    /// Brings derived fields up to date, writes the item and returns it as it is now shown.
    pub fn save(&mut self, mut item: Item) -> Result<Loaded> {
        item.updated = state::minute(self.ctx.now);
        self.store(item, 0)
    }

    /// An item from a file keeps its dates and the revision it had there.
    pub fn save_imported(&mut self, item: Item, revision: u64) -> Result<Loaded> {
        self.store(item, revision)
    }

    fn store(&mut self, mut item: Item, min_rev: u64) -> Result<Loaded> {
        state::settle(&mut item, self.ctx.ids);
        let key = store::item_key(self.workspace(), &item.id);
        let rev = self.draft.put_at_least(ITEMS, &key, &item, min_rev)?;
        self.touch(&item.id);
        let rev = if self.preview { self.stored_revision(&item.id)? } else { rev };
        Ok(Loaded { item, rev })
    }

    pub fn touch(&mut self, id: &str) {
        if !self.targets.iter().any(|t| t == id) {
            self.targets.push(id.to_string());
        }
    }

    pub fn remove(&mut self, id: &str) -> Result<()> {
        self.touch(id);
        self.draft.delete(ITEMS, &store::item_key(self.workspace(), id))
    }

    pub fn next_item_id(&mut self, kind: ItemKind) -> Result<String> {
        let counter = counter(self.workspace(), kind);
        Ok(format!("{}-{:03}", kind.prefix(), self.draft.next(&counter)?))
    }

    pub fn not_found(&self, id: &str) -> Error {
        let suggestions = suggest::pick_a_target(self.view(), self.workspace()).unwrap_or_default();
        fail("NOT_FOUND", format!("There is no {id} in this workspace."))
            .hint("List what there is with context(include_all=true).")
            .result(json!({"task": id}))
            .suggest(suggestions)
    }

    /// An id that a reading intent was given; one that is none is answered with some that are.
    pub fn id<'a>(&self, request: &'a Object, key: &str) -> Result<Option<&'a str>> {
        args::id(request, key, "INVALID_ID").map_err(|e| {
            let given = request.get(key).cloned().unwrap_or_default();
            let suggestions = suggest::pick_a_target(self.view(), self.workspace()).unwrap_or_default();
            e.result(json!({key: given})).suggest(suggestions)
        })
    }

    /// The plan or task an intent was pointed at (`task`, else `plan`).
    pub fn item(&self, request: &Object) -> Result<Loaded> {
        let id = match args::id(request, "task", "INVALID_TASK")? {
            Some(id) => Some(id),
            None => args::id(request, "plan", "INVALID_TASK")?,
        };
        let Some(id) = id else {
            return Err(fail("MISSING_TASK", "'task' is required.").hint("Name a TASK or PLAN id in 'task'."));
        };
        self.load(id)?.ok_or_else(|| self.not_found(id))
    }

    /// As [`item`](Self::item), and it must be a task.
    pub fn task(&self, request: &Object) -> Result<Loaded> {
        let loaded = self.item(request)?;
        if loaded.item.is_plan() {
            return Err(fail("NOT_A_TASK", format!("{} is a plan; this needs a task.", loaded.item.id))
                .hint("Name a TASK id, or create a task below this plan.")
                .result(json!({"task": loaded.item.id})));
        }
        Ok(loaded)
    }
}

pub fn counter(workspace: &str, kind: ItemKind) -> String {
    format!("tasks/{workspace}/{}", kind.prefix())
}

fn path_error(code: &str, message: String, item: &Item, given: &Value) -> Error {
    fail(code, message)
        .hint("Paths look like s:0 or s:0.t:1.s:2; radar and mirror show the ones that exist.")
        .result(json!({"task": item.id, "path": given}))
        .suggest(suggest::look_at(&item.id))
}

/// The names under which an intent takes a path and a node id, and the codes it answers with.
pub struct PathArgs<'a> {
    pub path: &'a [&'a str],
    pub id: &'a [&'a str],
    pub step: bool,
    pub invalid_path: &'a str,
    pub invalid_id: &'a str,
    pub unknown_id: &'a str,
    pub absent: &'a str,
}

pub const STEP: PathArgs = PathArgs {
    path: &["path"],
    id: &["step_id"],
    step: true,
    invalid_path: "INVALID_PATH",
    invalid_id: "INVALID_STEP_ID",
    unknown_id: "STEP_ID_NOT_FOUND",
    absent: "PATH_NOT_FOUND",
};

pub const NODE: PathArgs = PathArgs {
    path: &["path"],
    id: &["task_node_id"],
    step: false,
    invalid_path: "INVALID_PATH",
    invalid_id: "INVALID_TASK_NODE_ID",
    unknown_id: "TASK_NODE_ID_NOT_FOUND",
    absent: "PATH_NOT_FOUND",
};

impl PathArgs<'_> {
    pub fn given(&self, request: &Object) -> bool {
        self.path.iter().chain(self.id).any(|name| args::has(request, name))
    }

    /// The node meant; an id wins over a path.
    pub fn resolve(&self, request: &Object, item: &Item) -> Result<Path> {
        for name in self.id {
            let Some(value) = request.get(*name).filter(|v| !v.is_null() && v.as_str() != Some("")) else {
                continue;
            };
            let id = args::id(request, name, self.invalid_id)
                .map_err(|e| path_error(&e.code, e.message, item, value))?;
            let found = id.and_then(|id| match self.step {
                true => path::find_step(item, id),
                false => path::find_node(item, id),
            });
            let message = || format!("No node of {} has the id {value}.", item.id);
            return found.ok_or_else(|| path_error(self.unknown_id, message(), item, value));
        }
        let given = self.path.iter().find_map(|name| request.get(*name)).unwrap_or(&Value::Null);
        let wanted = if self.step { "a step (s:0, s:0.t:1.s:2)" } else { "a task node (s:0.t:1)" };
        let path = given.as_str().and_then(|text| Path::parse(text.trim()));
        let Some(path) = path.filter(|p| p.is_step() == self.step) else {
            let message = if given.is_null() {
                format!("'{}' is required: the path of {wanted}.", self.path[0])
            } else {
                format!("{given} is not the path of {wanted}.")
            };
            return Err(path_error(self.invalid_path, message, item, given));
        };
        let exists = if self.step { path.step(item).is_some() } else { path.node(item).is_some() };
        if !exists {
            let message = format!("{} has nothing at {path}.", item.id);
            return Err(path_error(self.absent, message, item, given));
        }
        Ok(path)
    }
}
