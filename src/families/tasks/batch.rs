//! batch: several intents in order, in one draft, as one operation; atomic or up to the first failure.

use serde_json::{Value, json};

use crate::core::outcome::OP_ID;
use crate::core::{Error, Result};

use super::args::{self, MAX_LIST, flag, has};
use super::envelope;
use super::fail::{Envelope, fail};
use super::history;
use super::model::Object;
use super::path::Path;
use super::pipeline;
use super::run::{Answer, Run};

const MAX_DEPTH: usize = 8;
/// Intents that take no default target.
const UNTARGETED: [&str; 4] = ["context", "storage", "history", "templates_list"];

/// The operations with defaults filled in and `paths` unfolded.
fn unfold(request: &Object) -> Result<Vec<Object>> {
    let Some(value) = request.get("operations").filter(|v| !v.is_null()) else {
        return Err(fail("MISSING_OPERATIONS", "'operations' is required: what to do, in order."));
    };
    let Some(list) = value.as_array() else {
        return Err(fail("INVALID_OPERATIONS", "'operations' must be a list."));
    };
    if list.is_empty() {
        return Err(fail("MISSING_OPERATIONS", "'operations' must not be empty."));
    }
    let mut out = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let Some(map) = value.as_object() else {
            return Err(fail("INVALID_OPERATIONS", format!("operations[{i}] must be an object."))
                .result(json!({"operation_index": i})));
        };
        let mut op = map.clone();
        let intent = op.get("intent").and_then(Value::as_str).unwrap_or_default().to_string();
        let named = has(&op, "task") || has(&op, "plan");
        if !named && has(request, "task") && !UNTARGETED.contains(&intent.as_str()) {
            op.insert("task".into(), request["task"].clone());
        }
        let guards =
            ["expected_target_id", "expected_target", "expected_kind", "strict_targeting", "strict_writes"];
        for key in guards {
            if has(request, key) && !has(&op, key) {
                op.insert(key.into(), request[key].clone());
            }
        }
        // For history and delta `paths` is a filter of their own.
        let filter = ["history", "delta"].contains(&intent.as_str());
        match op.get("paths").filter(|v| !v.is_null() && !filter).cloned() {
            None => out.push(op),
            Some(paths) => {
                let paths = args::strings(&paths, "paths", "INVALID_PATH")?;
                op.shift_remove("paths");
                for path in paths {
                    if Path::parse(&path).is_none() {
                        return Err(fail("INVALID_PATH", format!("'{path}' is not a path."))
                            .result(json!({"operation_index": i, "path": path})));
                    }
                    let mut one = op.clone();
                    one.insert("path".into(), json!(path));
                    out.push(one);
                }
            }
        }
        if out.len() > MAX_LIST {
            let message = format!("The batch unfolds to more than {MAX_LIST} operations.");
            return Err(fail("TOO_MANY_OPERATIONS_AFTER_EXPANSION", message).result(json!({"max": MAX_LIST})));
        }
    }
    Ok(out)
}

fn one(run: &mut Run, op: &Object) -> Result<(String, Answer)> {
    let Some(intent) = args::text(op, "intent") else {
        return Err(fail("MISSING_INTENT", "An operation does not say its 'intent'."));
    };
    pipeline::execute(run, intent, op).map(|answer| (intent.to_string(), answer))
}

pub fn batch(run: &mut Run, request: &Object) -> Result<Answer> {
    if run.depth >= MAX_DEPTH {
        return Err(fail("INVALID_OPERATIONS", "Batches are nested too deep."));
    }
    if let Some(expected) = pipeline::expected_revision(request)? {
        let Some(id) = args::id(request, "task", "INVALID_TASK")? else {
            return Err(fail("MISSING_TASK_FOR_EXPECTED_REVISION", "'expected_revision' needs 'task'.")
                .hint("Name the task the revision belongs to."));
        };
        if !run.preview {
            pipeline::check_revision(run, id, expected)?;
        }
    }
    let atomic = flag(request, "atomic", false);
    let operations = unfold(request)?;
    let total = operations.len();
    let first = run.nested_ids.len();
    let whole = (run.draft.snapshot(), run.targets.clone());
    let mut results = Vec::new();
    let mut failure: Option<Error> = None;
    run.depth += 1;
    for op in &operations {
        let before = (run.draft.snapshot(), run.targets.clone(), run.nested_ids.len());
        match one(run, op) {
            Ok((intent, answer)) => {
                let failed = answer.error.clone();
                results.push(envelope::of(&intent, &answer, run.ctx.now));
                if let Some(error) = failed {
                    failure = Some(error);
                    break;
                }
            }
            Err(error) => {
                run.draft.restore(before.0);
                run.targets = before.1;
                run.nested_ids.truncate(before.2);
                let intent = args::text(op, "intent").unwrap_or_default();
                results.push(envelope::of_error(intent, &error, run.ctx.now));
                failure = Some(error);
                break;
            }
        }
    }
    run.depth -= 1;
    let completed = results.iter().filter(|r| r["success"] == json!(true)).count();
    if failure.is_some() && atomic {
        run.draft.restore(whole.0);
        run.targets = whole.1;
        run.nested_ids.truncate(first);
    }
    let ids = run.nested_ids[first..].to_vec();
    let mut result = json!({"total": total, "completed": completed, "results": results});
    result["latest_id"] = match ids.is_empty() || run.preview {
        true => json!(history::latest_id(run)?),
        false => json!(OP_ID),
    };
    result["operation_ids"] = json!(ids);
    let Some(error) = failure else {
        let mut answer = Answer::new(result);
        if !ids.is_empty() && run.depth == 0 {
            answer.meta.insert("operation_id".into(), json!(OP_ID));
        }
        return Ok(answer);
    };
    result["rolled_back"] = json!(atomic);
    if atomic || ids.is_empty() {
        return Err(error.result(result));
    }
    let suggestions = super::fail::detail(&error, "suggestions").as_array().cloned().unwrap_or_default();
    let mut answer = Answer::new(result).suggest(suggestions);
    answer.meta.insert("operation_id".into(), json!(OP_ID));
    answer.error = Some(error);
    Ok(answer)
}
