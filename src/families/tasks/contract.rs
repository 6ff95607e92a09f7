//! contract and plan: what a plan promises and the checklist it is worked through with.

use serde_json::{Value, json};

use crate::core::{Error, Result, Timestamp};

use super::args::{self, flag, has};
use super::fail::{Envelope, fail};
use super::model::{Item, Object};
use super::run::{Answer, Loaded, Run};
use super::shape;
use super::verify::event;

/// The lists of a structured contract; `goal` is its only text.
pub const DATA_LISTS: [&str; 6] = ["constraints", "assumptions", "non_goals", "done", "risks", "checks"];

pub fn parse_data(value: &Value) -> Result<Object> {
    let bad = |message: String| -> Error {
        fail("INVALID_CONTRACT_DATA", message)
            .hint("Keys: goal (text); constraints, assumptions, non_goals, done, risks, checks (lists).")
    };
    let Some(map) = value.as_object() else {
        return Err(bad("'contract_data' must be an object.".into()));
    };
    let mut out = Object::new();
    for (key, value) in map {
        match key.as_str() {
            "goal" => match value {
                Value::String(_) => {
                    out.insert(key.clone(), value.clone());
                }
                Value::Null => {}
                _ => return Err(bad("contract_data.goal must be a string.".into())),
            },
            list if DATA_LISTS.contains(&list) => {
                let what = format!("contract_data.{list}");
                let items =
                    args::strings(value, &what, "INVALID_CONTRACT_DATA").map_err(|e| bad(e.message))?;
                out.insert(key.clone(), json!(items));
            }
            _ => return Err(bad(format!("contract_data has no key '{key}'."))),
        }
    }
    Ok(out)
}

/// A list of the structured contract.
pub fn data_list(item: &Item, key: &str) -> Vec<String> {
    let list = item.contract_data.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_string)).collect()
}

pub fn goal(item: &Item) -> &str {
    item.contract_data.get("goal").and_then(Value::as_str).unwrap_or_default().trim()
}

/// Keeps a version when text, criteria or data differ from before (`None` = there was no contract).
pub fn version_if_changed(item: &mut Item, before: Option<&Item>, note: &str, now: Timestamp) -> bool {
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
    let last = item.contract_versions.last().and_then(|v| v["version"].as_u64());
    let version = last.unwrap_or(item.contract_versions.len() as u64) + 1;
    item.contract_versions.push(json!({"version": version, "timestamp": now.offset(),
        "text": item.contract, "done_criteria": item.success_criteria, "data": item.contract_data}));
    event(item, now, "contract_updated", "", json!({"version": version, "note": note}));
    true
}

/// The plan an intent was pointed at.
fn target(run: &Run, request: &Object) -> Result<Loaded> {
    let id = match args::id(request, "plan", "INVALID_PLAN")? {
        Some(id) => Some(id),
        None => args::id(request, "task", "INVALID_PLAN")?,
    };
    let Some(id) = id else {
        return Err(fail("MISSING_PLAN", "'plan' is required.").hint("Name a PLAN id in 'plan'."));
    };
    let loaded = run.load(id)?.ok_or_else(|| run.not_found(id))?;
    if !loaded.item.is_plan() {
        return Err(fail("NOT_A_PLAN", format!("{id} is a task; this needs a plan."))
            .hint("Name a PLAN id.")
            .result(json!({"plan": id})));
    }
    Ok(loaded)
}

fn reply(run: &mut Run, request: &Object, before: &Loaded, item: Item) -> Result<Answer> {
    let compact = flag(request, "compact", false);
    let show = |loaded: &Loaded| {
        let shown = shape::item(&loaded.item, loaded.rev, compact);
        Answer::about(&loaded.item.id, json!({"plan": shown}))
    };
    if item == before.item {
        return Ok(show(before).no_op());
    }
    Ok(show(&run.save(item)?))
}

pub fn contract(run: &mut Run, request: &Object) -> Result<Answer> {
    let before = target(run, request)?;
    let mut item = before.item.clone();
    if flag(request, "clear", false) {
        item.contract = String::new();
        item.contract_data = Object::new();
    }
    if let Some(text) = args::prose(request, "current", "INVALID_FIELDS")? {
        item.contract = text;
    }
    if let Some(value) = request.get("contract_data").filter(|v| !v.is_null()) {
        item.contract_data = parse_data(value)?;
    }
    version_if_changed(&mut item, Some(&before.item), "contract", run.ctx.now);
    reply(run, request, &before, item)
}

pub fn plan(run: &mut Run, request: &Object) -> Result<Answer> {
    let before = target(run, request)?;
    let mut item = before.item.clone();
    if let Some(doc) = args::prose(request, "doc", "INVALID_FIELDS")? {
        item.plan_doc = doc;
    }
    if let Some(steps) = args::list(request, "steps", "INVALID_STEPS")? {
        item.plan_steps = steps;
    }
    if has(request, "current") {
        item.plan_current = args::integer(&request["current"]).ok_or_else(|| {
            let message = format!("'current' is {}; it must be a whole number.", request["current"]);
            fail("INVALID_CURRENT", message).hint("Send the index of the checklist entry to work on.")
        })?;
    }
    if flag(request, "advance", false) {
        item.plan_current += 1;
    }
    item.plan_current = item.plan_current.clamp(0, item.plan_steps.len() as i64);
    if item.plan_current != before.item.plan_current || item.plan_steps != before.item.plan_steps {
        item.status_manual = false;
    }
    reply(run, request, &before, item)
}
