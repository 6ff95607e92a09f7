//! From an answer to an outcome: the reply, and what the operation log keeps of it.

use serde_json::{Value, json};

use crate::core::outcome::{AUDIT_ID, Record};
use crate::core::{Outcome, Reply};

use super::args::flag;
use super::envelope;
use super::model::Object;
use super::run::{Answer, Run};
use super::store::FOCUS;

pub fn outcome(run: Run, intent: &str, mut answer: Answer) -> Outcome {
    let ctx = run.ctx;
    let request = &ctx.call.args;
    let audit = flag(request, "audit", false) && (answer.preview || answer.no_op);
    if audit {
        answer.meta.insert("audit_operation_id".into(), json!(AUDIT_ID));
    }
    let record = record(&run, intent, request, &answer);
    let mut reply = Reply::json(envelope::of(intent, &answer, ctx.now));
    reply.is_error = answer.error.is_some();
    reply.links = answer.links;
    let mut outcome = run.draft.into_outcome();
    // Focus is a pointer of the session, not something to undo.
    outcome.quiet = !outcome.changes.is_empty() && outcome.changes.iter().all(|c| c.table == FOCUS.0);
    outcome.audit = audit;
    outcome.record = record;
    outcome.reply = reply;
    outcome
}

fn record(run: &Run, intent: &str, request: &Object, answer: &Answer) -> Record {
    let mut targets = run.targets.clone();
    let main = run.filled.as_ref().map(|(_, id)| id.clone());
    let named = answer.context.get("task_id").and_then(Value::as_str).map(str::to_string);
    let main = main.or(named).or_else(|| targets.first().cloned());
    if let Some(id) = main.as_ref().filter(|id| !targets.contains(id)) {
        targets.push(id.clone());
    }
    let mut paths = Vec::new();
    find_paths(&Value::Object(request.clone()), 0, &mut paths);
    let path = answer.result.get("path").and_then(Value::as_str);
    if let Some(path) = path.filter(|p| !paths.iter().any(|have| have == p)) {
        paths.push(path.to_string());
    }
    let place = path.map(|p| format!(" {p}")).unwrap_or_default();
    let what = targets.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let filled: Object = run.filled.iter().map(|(key, id)| ((*key).to_string(), json!(id))).collect();
    let result = json!({"success": answer.error.is_none(), "result": lean(&json!(answer.result))});
    Record {
        id: None,
        summary: format!("{intent} {what}{place}").trim().to_string(),
        targets,
        paths,
        data: json!({"intent": intent, "task_id": main, "filled": filled,
            "result": result}),
        irreversible: None,
        aliases: run.nested_ids.clone(),
    }
}

/// Every path a request mentions, for the `paths` filter.
fn find_paths(value: &Value, depth: usize, out: &mut Vec<String>) {
    if depth > 5 {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("path", Value::String(path)) => out.push(path.clone()),
                    ("paths", Value::Array(list)) => {
                        out.extend(list.iter().filter_map(|v| v.as_str().map(str::to_string)));
                    }
                    _ => find_paths(value, depth + 1, out),
                }
            }
        }
        Value::Array(list) => list.iter().take(50).for_each(|v| find_paths(v, depth + 1, out)),
        _ => {}
    }
}

/// Entries of a list that a record keeps.
const MOST: usize = 200;

/// Items and nodes by their key facts only: their content is in the operation's images already.
fn lean(value: &Value) -> Value {
    const SHORT: [&str; 11] = [
        "task",
        "plan",
        "step",
        "task_node",
        "deleted_step",
        "deleted_task",
        "current",
        "computed",
        "after",
        "tasks",
        "plans",
    ];
    const KEEP: [&str; 8] = ["id", "kind", "title", "revision", "status", "progress", "path", "completed"];
    match value {
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| {
                let shown = match value {
                    Value::Object(inner) if SHORT.contains(&key.as_str()) => {
                        let kept = inner.iter().filter(|(k, _)| KEEP.contains(&k.as_str()));
                        Value::Object(kept.map(|(k, v)| (k.clone(), v.clone())).collect())
                    }
                    other => lean(other),
                };
                (key.clone(), shown)
            };
            Value::Object(map.iter().map(entry).collect())
        }
        // A long list (an import) is in the images, too.
        Value::Array(list) => Value::Array(list.iter().take(MOST).map(lean).collect()),
        other => other.clone(),
    }
}
