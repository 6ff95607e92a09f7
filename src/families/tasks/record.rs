//! What the operation log keeps of a request: who it was about, where, and its answer by key facts.

use serde::Serialize;
use serde_json::{Value, json};

use crate::core::outcome::Record;

use super::answer::IntentAnswer;
use super::model::Object;
use super::request::IntentRequest;

#[derive(Serialize)]
struct Kept<'a> {
    intent: &'a str,
    task_id: Option<&'a str>,
    filled: Object,
    result: KeptResult,
}

#[derive(Serialize)]
struct KeptResult {
    success: bool,
    result: Object,
}

pub fn of(request: &IntentRequest, intent: &str, answer: &IntentAnswer) -> Record {
    let mut targets = request.targets.clone();
    let main = request.filled.as_ref().map(|(_, id)| id.clone());
    let main = main.or_else(|| answer.context.task_id.clone()).or_else(|| targets.first().cloned());
    if let Some(id) = main.as_ref().filter(|id| !targets.contains(id)) {
        targets.push(id.clone());
    }
    let mut paths = request.paths.clone();
    if let Some(path) = answer.path.as_ref().filter(|p| !paths.contains(p)) {
        paths.push(path.clone());
    }
    let place = answer.path.as_ref().map(|p| format!(" {p}")).unwrap_or_default();
    let what = targets.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let kept = Kept {
        intent,
        task_id: main.as_deref(),
        filled: request.filled.iter().map(|(key, id)| ((*key).to_string(), json!(id))).collect(),
        result: KeptResult { success: answer.error.is_none(), result: lean(&answer.result) },
    };
    Record {
        id: Some(request.record_id.clone()),
        summary: format!("{intent} {what}{place}").trim().to_string(),
        data: json!(kept),
        targets,
        paths,
        aliases: request.nested_ids.clone(),
        ..Record::default()
    }
}

/// Entries of a list that a record keeps.
const MOST: usize = 200;
/// Members that hold whole items or nodes.
const WHOLE: [&str; 11] = [
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
const FACTS: [&str; 8] = ["id", "kind", "title", "revision", "status", "progress", "path", "completed"];

/// Items and nodes by their key facts only: their content is in the operation's images already, and so is what changed.
fn lean(map: &Object) -> Object {
    let entry = |(key, value): (&String, &Value)| {
        let shown = match value {
            Value::Object(inner) if WHOLE.contains(&key.as_str()) => {
                let kept = inner.iter().filter(|(k, _)| FACTS.contains(&k.as_str()));
                Value::Object(kept.map(|(k, v)| (k.clone(), v.clone())).collect())
            }
            other => leaner(other),
        };
        (key.clone(), shown)
    };
    map.iter().filter(|(key, _)| !key.starts_with("changed")).map(entry).collect()
}

fn leaner(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(lean(map)),
        // A long list (an import) is in the images, too.
        Value::Array(list) => Value::Array(list.iter().take(MOST).map(leaner).collect()),
        other => other.clone(),
    }
}
