//! How a request points at a step or a task node: by path or by id, under the names and with the codes of its intent.
//!
//! What comes out is a path that was found in the item: whoever has one need not ask again.

use serde::Serialize;

use crate::core::{Error, Given, Result};

use super::args::{self, said};
use super::errors::{EnvelopeParts, fail};
use super::model::TaskItem;
use super::path::{self, NodePath, Path, StepPath};
use super::suggest;

/// A path and a node id as they were sent, and what to say where they do not fit.
#[derive(Clone, Copy)]
pub struct Address<'a> {
    /// The path under the first of its names that was sent.
    pub path: &'a Given<String>,
    pub id: &'a Given<String>,
    pub codes: Codes,
}

/// The names and codes of one intent.
#[derive(Clone, Copy)]
pub struct Codes {
    pub path_name: &'static str,
    pub id_name: &'static str,
    pub invalid_path: &'static str,
    pub invalid_id: &'static str,
    pub unknown_id: &'static str,
    pub absent: &'static str,
}

pub const STEP: Codes = Codes {
    path_name: "path",
    id_name: "step_id",
    invalid_path: "INVALID_PATH",
    invalid_id: "INVALID_STEP_ID",
    unknown_id: "STEP_ID_NOT_FOUND",
    absent: "PATH_NOT_FOUND",
};

pub const NODE: Codes = Codes {
    id_name: "task_node_id",
    invalid_id: "INVALID_TASK_NODE_ID",
    unknown_id: "TASK_NODE_ID_NOT_FOUND",
    ..STEP
};

#[derive(Serialize)]
struct Misplaced<'a> {
    task: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// Of a step under the usual names.
    pub fn of_step(path: &'a Given<String>, id: &'a Given<String>) -> Self {
        Address { path, id, codes: STEP }
    }

    /// Of a task node under the usual names.
    pub fn of_node(path: &'a Given<String>, id: &'a Given<String>) -> Self {
        Address { path, id, codes: NODE }
    }

    pub fn is_given(&self) -> bool {
        self.path.is_sent() || self.id.is_sent()
    }

    pub fn step(&self, item: &TaskItem) -> Result<StepPath> {
        let found = self.resolve(item, "a step (s:0, s:0.t:1.s:2)", Path::is_step, path::find_step)?;
        StepPath::of(&found, item).ok_or_else(|| self.nothing(item, &found))
    }

    pub fn node(&self, item: &TaskItem) -> Result<NodePath> {
        let found = self.resolve(item, "a task node (s:0.t:1)", |p| !p.is_step(), path::find_node)?;
        NodePath::of(&found, item).ok_or_else(|| self.nothing(item, &found))
    }

    /// The node meant; an id wins over a path.
    fn resolve(
        &self,
        item: &TaskItem,
        wanted: &str,
        fits: fn(&Path) -> bool,
        find: fn(&TaskItem, &str) -> Option<Path>,
    ) -> Result<Path> {
        if self.id.is_sent() && self.id.get().is_none_or(|id| !id.is_empty()) {
            let shown = said(self.id);
            let id = args::id(self.id, self.codes.id_name, self.codes.invalid_id)
                .map_err(|e| misplaced(&e.code, e.message, item, &shown))?;
            let message = || format!("No node of {} has the id {shown}.", item.id);
            return id
                .and_then(|id| find(item, id))
                .ok_or_else(|| misplaced(self.codes.unknown_id, message(), item, &shown));
        }
        let found = self.path.get().and_then(|text| Path::parse(text.trim())).filter(fits);
        found.ok_or_else(|| {
            let message = match self.path.is_sent() {
                false => format!("'{}' is required: the path of {wanted}.", self.codes.path_name),
                true => format!("{} is not the path of {wanted}.", said(self.path)),
            };
            misplaced(self.codes.invalid_path, message, item, &said(self.path))
        })
    }

    fn nothing(&self, item: &TaskItem, path: &Path) -> Error {
        let message = format!("{} has nothing at {path}.", item.id);
        misplaced(self.codes.absent, message, item, &path.to_string())
    }
}

fn misplaced(code: &str, message: String, item: &TaskItem, given: &str) -> Error {
    let path = Some(given.trim_matches('"')).filter(|given| *given != "null");
    fail(code, message)
        .hint(paths(item))
        .result(Misplaced { task: &item.id, path })
        .suggest(suggest::look_at(&item.id))
}

/// Paths of an item that an answer lists.
const LISTED: usize = 8;

/// Which paths there are, so that nobody has to ask.
fn paths(item: &TaskItem) -> String {
    let all = item.walk();
    let some: Vec<&str> = all.iter().take(LISTED).map(|(path, _)| path.as_str()).collect();
    match (all.len(), some.join(", ")) {
        (0, _) => format!("{} has no steps yet; tasks_decompose adds some.", item.id),
        (n, some) if n > LISTED => format!("Its {n} steps: {some} …"),
        (_, some) => format!("Its steps: {some}."),
    }
}
