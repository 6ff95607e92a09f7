//! `tasks_edit`: the notes and meta data of a plan or task; steps are never touched here.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, Flag};
use super::super::deps;
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::{FocusUse, Intent};
use super::super::reply::KeyedItem;
use super::super::request::{AboutTask, IntentRequest};
use super::super::target::IntentTarget;

pub struct TasksEdit;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksEditArgs {
    #[serde(flatten)]
    common: Common,
    description: Given<String>,
    context: Given<String>,
    priority: Given<String>,
    tags: Given<Vec<String>>,
    depends_on: Given<Vec<String>>,
    new_domain: Given<String>,
    /// Not a field of this intent: it is here to be told where it is one.
    title: Flag,
    status: Flag,
}

#[derive(Serialize)]
struct Edited {
    #[serde(flatten)]
    item: KeyedItem,
    updated_fields: Vec<&'static str>,
}

impl Intent for TasksEdit {
    type Args = TasksEditArgs;
    const TOOL: &'static str = "tasks_edit";
    const FOCUS: FocusUse = FocusUse::Any;
    const WRITES: bool = true;

    fn common(args: &TasksEditArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksEditArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let mut item = request.item(target)?.item;
        elsewhere(args, &item.id)?;
        let sent = [
            ("description", args.description.is_sent()),
            ("context", args.context.is_sent()),
            ("priority", args.priority.is_sent()),
            ("tags", args.tags.is_sent()),
            ("depends_on", args.depends_on.is_sent()),
            ("new_domain", args.new_domain.is_sent()),
        ];
        let updated_fields: Vec<_> =
            sent.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect();
        if updated_fields.is_empty() {
            let fields: Vec<_> = sent.iter().map(|(name, _)| *name).collect();
            return Err(fail("NO_FIELDS", "There is nothing to change.")
                .hint(format!("Send at least one of: {}. Other fields: tasks_patch.", fields.join(", ")))
                .result(AboutTask { task: &item.id }));
        }
        if let Some(text) = args::prose(&args.description, "description", "INVALID_FIELDS")? {
            item.description = text;
        }
        if let Some(text) = args::prose(&args.context, "context", "INVALID_FIELDS")? {
            item.context = text;
        }
        if let Some(priority) = args::priority(&args.priority)? {
            item.priority = priority;
        }
        if let Some(tags) = args::list(&args.tags, "tags", "INVALID_TAGS")? {
            item.tags = tags;
        }
        if let Some(list) = args::list(&args.depends_on, "depends_on", "INVALID_DEPENDS_ON")? {
            item.depends_on = deps::checked(request.view(), request.workspace(), &item.id, list)?;
        }
        if let Some(domain) = args::prose(&args.new_domain, "new_domain", "INVALID_FIELDS")? {
            item.domain = deps::domain(&domain)?;
        }
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let result = Edited { item: KeyedItem::new(&saved.item, saved.rev, compact), updated_fields };
        Ok(IntentAnswer::about(&saved.item.id, &result).short(compact))
    }
}

/// Fields that belong to other intents are answered with those.
fn elsewhere(args: &TasksEditArgs, id: &str) -> Result<()> {
    let (field, hint) = match (args.title.is_sent(), args.status.is_sent()) {
        (true, _) => (
            "title",
            format!(
                "Use tasks_patch with {{\"task\":\"{id}\",\"ops\":[{{\"op\":\"set\",\"field\":\"title\",\"value\":\"…\"}}]}}."
            ),
        ),
        (_, true) => ("status", "Use tasks_complete with 'status', or tasks_close_task.".to_string()),
        _ => return Ok(()),
    };
    let message = format!("'{field}' is not a field of edit.");
    Err(fail("INVALID_FIELDS", message).hint(hint).result(AboutTask { task: id }))
}
