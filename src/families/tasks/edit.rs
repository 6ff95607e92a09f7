//! edit: the notes and meta data of a plan or task; steps are never touched here.

use serde_json::json;

use crate::core::Result;

use super::args::{self, flag, has};
use super::fail::{Envelope, fail};
use super::model::Object;
use super::run::{Answer, Run};
use super::{deps, shape};

const FIELDS: [&str; 6] = ["description", "context", "priority", "tags", "depends_on", "new_domain"];

pub fn edit(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.item(request)?.item;
    let given: Vec<_> = FIELDS.into_iter().filter(|f| has(request, f)).collect();
    if given.is_empty() {
        return Err(fail("NO_FIELDS", "There is nothing to change.")
            .hint(format!("Send at least one of: {}.", FIELDS.join(", ")))
            .result(json!({"task": item.id})));
    }
    if let Some(text) = args::prose(request, "description", "INVALID_FIELDS")? {
        item.description = text;
    }
    if let Some(text) = args::prose(request, "context", "INVALID_FIELDS")? {
        item.context = text;
    }
    if let Some(priority) = args::priority(request)? {
        item.priority = priority;
    }
    if let Some(tags) = args::list(request, "tags", "INVALID_TAGS")? {
        item.tags = tags;
    }
    if let Some(list) = args::list(request, "depends_on", "INVALID_DEPENDS_ON")? {
        item.depends_on = deps::checked(run.view(), run.workspace(), &item.id, list)?;
    }
    if let Some(domain) = args::prose(request, "new_domain", "INVALID_FIELDS")? {
        item.domain = deps::domain(&domain)?;
    }
    let saved = run.save(item)?;
    let mut result = json!({});
    result[saved.item.kind.as_str()] = shape::item(&saved.item, saved.rev, flag(request, "compact", false));
    result["updated_fields"] = json!(given);
    Ok(Answer::about(&saved.item.id, result))
}
