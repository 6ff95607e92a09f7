//! What a plan promises, in text and as structured data, with every version of it; and what its two intents share.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Error, Given, Result, Timestamp};

use super::answer::{IntentAnswer, object};
use super::args::{self, Common, OneOrMany};
use super::checkpoints::event;
use super::errors::{EnvelopeParts, fail};
use super::model::{Object, TaskItem};
use super::reply::KeyedItem;
use super::request::{IntentRequest, LoadedItem};
use super::target::IntentTarget;

/// The lists of a structured contract; `goal` is its only text.
pub const DATA_LISTS: [&str; 6] = ["constraints", "assumptions", "non_goals", "done", "risks", "checks"];

/// The structured contract of a request; `None` when it brings none.
pub fn data(given: &Given<Object>) -> Result<Option<Object>> {
    let bad = |message: String| -> Error {
        fail("INVALID_CONTRACT_DATA", message)
            .hint("Keys: goal (text); constraints, assumptions, non_goals, done, risks, checks (lists).")
    };
    let map = match given {
        Given::Absent => return Ok(None),
        Given::Is(map) => map,
        Given::Wrong(_) => return Err(bad("'contract_data' must be an object.".into())),
    };
    let mut out = Object::new();
    for (key, value) in map {
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            ("goal", Value::String(_)) => drop(out.insert(key.clone(), value.clone())),
            ("goal", _) => return Err(bad("contract_data.goal must be a string.".into())),
            (list, value) if DATA_LISTS.contains(&list) => {
                let what = format!("contract_data.{list}");
                let given = match OneOrMany::deserialize(value) {
                    Ok(words) => Given::Is(words),
                    Err(_) => Given::Wrong(value.clone()),
                };
                let items =
                    args::words(&given, &what, "INVALID_CONTRACT_DATA").map_err(|e| bad(e.message))?;
                out.insert(key.clone(), items.unwrap_or_default().into());
            }
            _ => return Err(bad(format!("contract_data has no key '{key}'."))),
        }
    }
    Ok(Some(out))
}

/// A list of the structured contract.
pub fn data_list(item: &TaskItem, key: &str) -> Vec<String> {
    let list = item.contract_data.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_string)).collect()
}

pub fn goal(item: &TaskItem) -> &str {
    item.contract_data.get("goal").and_then(Value::as_str).unwrap_or_default().trim()
}

#[derive(Serialize)]
struct Version<'a> {
    version: u64,
    timestamp: String,
    text: &'a str,
    done_criteria: &'a [String],
    data: &'a Object,
}

#[derive(Serialize)]
struct Updated<'a> {
    version: u64,
    note: &'a str,
}

/// Keeps a version when text, criteria or data differ from before (`None` = there was no contract).
pub fn version_if_changed(
    item: &mut TaskItem,
    before: Option<&TaskItem>,
    note: &str,
    now: Timestamp,
) -> bool {
    let same = match before {
        Some(b) => {
            b.contract == item.contract
                && b.success_criteria == item.success_criteria
                && b.contract_data == item.contract_data
        }
        None => item.contract.is_empty() && item.success_criteria.is_empty() && item.contract_data.is_empty(),
    };
    if same {
        return false;
    }
    let last = item.contract_versions.last().and_then(|v| v.get("version")?.as_u64());
    let version = last.unwrap_or(item.contract_versions.len() as u64) + 1;
    let kept = Version {
        version,
        timestamp: now.offset(),
        text: &item.contract,
        done_criteria: &item.success_criteria,
        data: &item.contract_data,
    };
    let kept = Value::Object(object(&kept));
    item.contract_versions.push(kept);
    event(item, now, "contract_updated", "", &Updated { version, note });
    true
}

#[derive(Serialize)]
struct AboutPlan<'a> {
    plan: &'a str,
}

/// The plan an intent was pointed at.
pub fn target(request: &IntentRequest, target: &IntentTarget) -> Result<LoadedItem> {
    let id = match request.written_id(&target.plan, "plan", "INVALID_PLAN")? {
        Some(id) => Some(id),
        None => request.written_id(&target.task, "task", "INVALID_PLAN")?,
    };
    let Some(id) = id else {
        return Err(fail("MISSING_PLAN", "'plan' is required.").hint("Name a PLAN id in 'plan'."));
    };
    let loaded = request.load(id)?.ok_or_else(|| request.not_found(id))?;
    if !loaded.item.is_plan() {
        return Err(fail("NOT_A_PLAN", format!("{id} is a task; this needs a plan."))
            .hint("Name a PLAN id.")
            .result(AboutPlan { plan: id }));
    }
    Ok(loaded)
}

/// Saves a plan if it changed, and shows it.
pub fn saved(
    request: &mut IntentRequest,
    common: &Common,
    before: &LoadedItem,
    item: TaskItem,
) -> Result<IntentAnswer> {
    let compact = common.compact();
    let show = |loaded: &LoadedItem| {
        let shown = KeyedItem::new(&loaded.item, loaded.rev, compact);
        IntentAnswer::about(&loaded.item.id, &shown).short(compact)
    };
    if item == before.item {
        return Ok(show(before).no_op());
    }
    Ok(show(&request.save(item)?))
}
