//! The task file: YAML front matter between whole `---` lines, then Markdown. Pure encoding and decoding.
//!
//! Lossless both ways: unknown fields and sections are kept, and a text that its section could not carry
//! (say, one with a heading of its own) stands in the front matter as well, where it wins.

use serde_json::{Value, json};

use crate::core::{Error, Result, yaml};

use super::args::{Flag, WholeNumber, is_id};
use super::body::{self, BODY_ONLY, UNKNOWN};
use super::errors::fail;
use super::model::{
    CheckpointKind, CheckpointSet, ItemKind, Object, PRIORITIES, TaskItem, TaskStatus, TaskStep,
};

const SCHEMA_VERSION: u64 = 9;

/// The text of an item's file.
pub fn encode(item: &TaskItem, revision: u64) -> Result<String> {
    let Ok(Value::Object(fields)) = serde_json::to_value(item) else {
        return Err(Error::internal(format!("{} cannot be written as a file.", item.id)));
    };
    let (text, carried) = body::render(item, &fields);
    let unknown = body::parse(&text).unknown;
    let mut front = Object::new();
    front.insert("schema_version".into(), json!(SCHEMA_VERSION));
    front.insert("revision".into(), json!(revision));
    for (key, value) in fields {
        let in_body = BODY_ONLY.contains(&key.as_str()) && carried.contains(&key.as_str());
        let sections = key == UNKNOWN && value.as_array() == Some(&unknown);
        if !in_body && !sections {
            front.insert(key, value);
        }
    }
    let yaml = yaml::write(&Value::Object(front))
        .map_err(|e| Error::internal(format!("{} cannot be written as YAML: {e}.", item.id)))?;
    Ok(format!("---\n{}\n---\n{text}", yaml.trim_end()))
}

/// Front matter and body, split on lines that are `---` and nothing else.
pub fn split(text: &str) -> Option<(String, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let mut front: Vec<&str> = Vec::new();
    for line in lines.by_ref() {
        if line.trim_end() == "---" {
            return Some((front.join("\n"), lines.collect::<Vec<_>>().join("\n")));
        }
        front.push(line);
    }
    None
}

/// The item of a file and the revision it had there. `path` is relative and names domain and id for files
/// that do not say themselves.
pub fn decode(path: &str, text: &str) -> Result<(TaskItem, u64)> {
    let bad = |why: String| fail("INVALID_FIELDS", format!("{path}: {why}"));
    let (front, body_text) = split(text).ok_or_else(|| bad("it has no front matter.".into()))?;
    let front: Value = yaml::read(&front).map_err(|e| bad(format!("its YAML is broken: {e}.")))?;
    let Value::Object(front) = front else { return Err(bad("its front matter is not a mapping.".into())) };
    let revision = front.get("revision").and_then(WholeNumber::of).unwrap_or(0).max(0).unsigned_abs();
    let body = body::parse(&body_text);
    let mut fields = body.fields.clone();
    fields.extend(plain(front));
    for key in ["revision", "schema_version"] {
        fields.shift_remove(key);
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".task").unwrap_or(name);
    fields.entry("id").or_insert_with(|| json!(stem));
    if !folder.is_empty() {
        fields.entry("domain").or_insert_with(|| json!(folder));
    }
    let id = fields["id"].as_str().unwrap_or_default().to_string();
    if !is_id(&id) {
        return Err(bad(format!("'{id}' is not an id.")));
    }
    let kind = fields.get("kind").and_then(Value::as_str).and_then(ItemKind::parse);
    fields.insert("kind".into(), json!(kind.unwrap_or_else(|| ItemKind::of_id(&id)).as_str()));
    if let Some(plan) = fields.shift_remove("plan_id") {
        fields.entry("parent").or_insert(plan);
    }
    if !fields.contains_key("title") {
        fields.insert("title".into(), json!(id));
    }
    if !body.unknown.is_empty() {
        fields.insert(UNKNOWN.into(), json!(body.unknown));
    }
    let listed = fields.contains_key("steps");
    let mut item: TaskItem =
        serde_json::from_value(Value::Object(fields)).map_err(|e| bad(format!("{e}.")))?;
    if !listed {
        item.steps = body.steps;
    }
    if item.assignee.is_empty() {
        item.assignee = "ai".into();
    }
    confirm_missing_tests(&mut item.gates, &item.tests);
    steps_without_tests(&mut item.steps);
    Ok((item, revision))
}

/// Where there are no tests and nobody confirmed any, they count as confirmed.
fn confirm_missing_tests(gates: &mut CheckpointSet, tests: &[String]) {
    if tests.is_empty() && !gates.confirmed(CheckpointKind::Tests) {
        gates.set_auto(CheckpointKind::Tests, true);
    }
}

fn steps_without_tests(steps: &mut [TaskStep]) {
    for step in steps {
        confirm_missing_tests(&mut step.gates, &step.tests);
        for node in &mut step.plan.tasks {
            confirm_missing_tests(&mut node.gates, &node.tests);
            steps_without_tests(&mut node.steps);
        }
    }
}

const LISTS: [&str; 16] = [
    "tags",
    "blockers",
    "success_criteria",
    "tests",
    "depends_on",
    "plan_steps",
    "dependencies",
    "next_steps",
    "problems",
    "risks",
    "history",
    "required_checkpoints",
    "progress_notes",
    "steps",
    "tasks",
    "attachments",
];
const TEXTS: [&str; 26] = [
    "id",
    "title",
    "domain",
    "phase",
    "component",
    "parent",
    "plan_id",
    "created",
    "updated",
    "assignee",
    "description",
    "context",
    "contract",
    "plan_doc",
    "created_at",
    "started_at",
    "completed_at",
    "block_reason",
    "verification_outcome",
    "doc",
    "spec",
    "outcome",
    "preview",
    "digest",
    "observed_at",
    "uri",
];
const FLAGS: [&str; 4] = ["completed", "blocked", "status_manual", "criteria_confirmed"];
const NUMBERS: [&str; 4] = ["progress", "plan_current", "current", "size"];

/// The mapping with known fields in the types they must have; what is null counts as absent.
fn plain(map: Object) -> Object {
    let progress = map.get("progress").and_then(WholeNumber::of).unwrap_or(0);
    let blocked = map.get("blocked").is_some_and(|v| Flag::of(v).on());
    let mut out = Object::new();
    for (key, value) in map {
        let name = key.as_str();
        let is_list = LISTS.contains(&name) || name.ends_with("_notes") || name.ends_with("_evidence_refs");
        let value = match value {
            Value::Null => continue,
            Value::Array(items) if is_list => Value::Array(items.into_iter().filter_map(entry).collect()),
            other if is_list => Value::Array(entry(other).into_iter().collect()),
            other if TEXTS.contains(&name) => text(other),
            other if FLAGS.contains(&name) || name.ends_with("_confirmed") => {
                json!(Flag::of(&other).on())
            }
            other if NUMBERS.contains(&name) => json!(WholeNumber::of(&other).unwrap_or(0).max(0)),
            other if name == "status" => json!(status(&other, progress, blocked).as_str()),
            other if name == "priority" => json!(priority(&other)),
            Value::Object(inner) if name == "plan" => Value::Object(plain(inner)),
            other => other,
        };
        out.insert(key, value);
    }
    out
}

fn text(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        other => json!(other.to_string()),
    }
}

/// An entry of a known list: a text, or a node of the tree.
fn entry(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(map) => Some(Value::Object(plain(map))),
        Value::Array(_) => Some(json!(value.to_string())),
        other => Some(text(other)),
    }
}

fn status(value: &Value, progress: i64, blocked: bool) -> TaskStatus {
    let named = value.as_str().and_then(TaskStatus::parse);
    named.unwrap_or(match (blocked, progress) {
        (true, _) => TaskStatus::Todo,
        (_, 100..) => TaskStatus::Done,
        (_, 1..) => TaskStatus::Active,
        _ => TaskStatus::Todo,
    })
}

fn priority(value: &Value) -> String {
    let name = value.as_str().unwrap_or_default().trim().to_uppercase();
    if PRIORITIES.contains(&name.as_str()) { name } else { super::model::default_priority() }
}
