//! The fields a patch may touch and how each operation changes them. Works on plain JSON objects; the
//! caller turns an item, step or node into one and back.

use serde_json::{Value, json};

use serde::{Deserialize, Serialize};

use crate::core::json::type_name;
use crate::core::{Error, Given, Result, schema};

use super::args::{self, OneOrMany, WholeNumber, said};
use super::contract::DATA_LISTS;
use super::errors::{EnvelopeParts, fail};
use super::model::{CheckpointKind, Object, PRIORITIES, TaskStatus};

/// One operation as it is sent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct PatchOp {
    op: Given<String>,
    field: Given<String>,
    value: Given<Value>,
}

impl PatchOp {
    /// The field it names, if it names one.
    pub fn field(&self) -> Option<&str> {
        args::text(&self.field)
    }
}

#[derive(Serialize)]
struct Refused {
    field: Value,
    op: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemPart {
    Detail,
    Step,
    Node,
}

impl ItemPart {
    pub fn as_str(self) -> &'static str {
        match self {
            ItemPart::Detail => "task_detail",
            ItemPart::Step => "step",
            ItemPart::Node => "task",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    Title,
    Bool,
    Int,
    Priority,
    Status,
    List,
    Gates,
}

impl Type {
    pub fn as_str(self) -> &'static str {
        match self {
            Type::Text | Type::Title | Type::Priority | Type::Status => "str",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::List | Type::Gates => "str_list",
        }
    }

    fn is_list(self) -> bool {
        matches!(self, Type::List | Type::Gates)
    }

    fn empty(self) -> Value {
        match self {
            Type::Text | Type::Title => json!(""),
            Type::Bool => json!(false),
            Type::Int => json!(0),
            Type::Priority => json!("MEDIUM"),
            Type::Status => json!("TODO"),
            Type::List | Type::Gates => json!([]),
        }
    }
}

pub const PLAN_ONLY: [&str; 4] = ["plan_doc", "plan_steps", "plan_current", "exclusive"];

pub fn field_type(part: ItemPart, field: &str) -> Option<Type> {
    let found = match (part, field) {
        (_, "title") => Type::Title,
        (ItemPart::Detail | ItemPart::Node, "description" | "context") => Type::Text,
        (ItemPart::Detail, "contract" | "plan_doc" | "contract_data.goal") => Type::Text,
        (ItemPart::Detail, "plan_current") => Type::Int,
        (ItemPart::Detail | ItemPart::Node, "priority") => Type::Priority,
        (ItemPart::Detail | ItemPart::Node, "blocked") => Type::Bool,
        (ItemPart::Detail, "exclusive") => Type::Bool,
        (ItemPart::Node, "status") => Type::Status,
        (ItemPart::Node, "status_manual") => Type::Bool,
        (_, "blockers" | "success_criteria" | "tests") => Type::List,
        (ItemPart::Detail | ItemPart::Node, "dependencies" | "next_steps" | "problems" | "risks") => {
            Type::List
        }
        (ItemPart::Detail, "tags" | "depends_on" | "plan_steps") => Type::List,
        (ItemPart::Detail, field) => {
            let key = field.strip_prefix("contract_data.")?;
            return DATA_LISTS.contains(&key).then_some(Type::List);
        }
        (ItemPart::Step, "required_checkpoints") => Type::Gates,
        _ => return None,
    };
    Some(found)
}

/// One field before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Patched {
    pub field: String,
    pub kind: Type,
    pub before: Value,
    pub after: Value,
}

/// Every name that some part has, for whoever sends another.
const NAMES: [&str; 23] = [
    "title",
    "description",
    "context",
    "contract",
    "plan_doc",
    "plan_steps",
    "plan_current",
    "contract_data.goal",
    "priority",
    "status",
    "status_manual",
    "blocked",
    "blockers",
    "exclusive",
    "success_criteria",
    "tests",
    "dependencies",
    "depends_on",
    "next_steps",
    "problems",
    "risks",
    "tags",
    "required_checkpoints",
];

/// What to send instead of a field that a part does not have.
fn instead(part: ItemPart, name: &str) -> String {
    if matches!(part, ItemPart::Detail) && name == "status" {
        return "tasks_complete sets the status of a plan or task.".to_string();
    }
    let known: Vec<&str> = NAMES.into_iter().filter(|name| field_type(part, name).is_some()).collect();
    let near = schema::meant(name, &known).map(|near| format!("Did you mean '{near}'? "));
    format!("{}Its fields: {}.", near.unwrap_or_default(), known.join(", "))
}

fn sent(given: &Given<String>) -> Value {
    match given {
        Given::Absent => Value::Null,
        Given::Is(text) => text.clone().into(),
        Given::Wrong(value) => value.clone(),
    }
}

/// Applies one operation to an object; the field is one the part may have.
pub fn apply(object: &mut Object, part: ItemPart, op: &PatchOp) -> Result<()> {
    let refuse = |code: &str, message: String| -> Error {
        fail(code, message)
            .hint("An op is {op: set|unset|append|remove, field, value}.")
            .result(Refused { field: sent(&op.field), op: sent(&op.op) })
    };
    let action = op.op.get().map(|v| v.trim().to_lowercase()).unwrap_or_default();
    if !["set", "unset", "append", "remove"].contains(&action.as_str()) {
        return Err(refuse("INVALID_OP", format!("{} is not an operation.", said(&op.op))));
    }
    let name = match &op.field {
        Given::Wrong(field) => return Err(refuse("INVALID_FIELD", format!("{field} is not a field name."))),
        _ => op.field().ok_or_else(|| refuse("MISSING_FIELD", "An operation names no 'field'.".into()))?,
    };
    let Some(kind) = field_type(part, name) else {
        let code = if name.starts_with("contract_data") { "INVALID_FIELD" } else { "FORBIDDEN_FIELD" };
        let error = refuse(code, format!("'{name}' cannot be patched on a {}.", part.as_str()));
        return Err(error.hint(instead(part, name)));
    };
    let nothing = Value::Null;
    let value = op.value.get().unwrap_or(&nothing);
    if action != "unset" && value.is_null() {
        return Err(refuse("MISSING_VALUE", format!("{action} of '{name}' needs a 'value'.")));
    }
    let current = read(object, name, kind);
    let next = if kind.is_list() {
        list_after(&action, &current, value, name).map_err(|m| refuse("INVALID_VALUE", m))?
    } else {
        match action.as_str() {
            "unset" => kind.empty(),
            "set" => scalar(kind, value, name).map_err(|m| refuse("INVALID_VALUE", m))?,
            _ => return Err(refuse("INVALID_OP", format!("'{name}' is not a list; only set and unset."))),
        }
    };
    if kind == Type::Gates {
        check_gates(&next).map_err(|m| refuse("INVALID_VALUE", m))?;
    }
    if kind == Type::Title && next.as_str().is_some_and(|t| t.trim().is_empty()) {
        return Err(refuse("INVALID_VALUE", "A title must not be blank.".into()));
    }
    write(object, name, next);
    Ok(())
}

/// The present value of a field; its empty value if it has none.
pub fn read(object: &Object, field: &str, kind: Type) -> Value {
    let found = match field.strip_prefix("contract_data.") {
        Some(key) => object.get("contract_data").and_then(|d| d.get(key)),
        None => object.get(field),
    };
    found.cloned().unwrap_or_else(|| kind.empty())
}

fn write(object: &mut Object, field: &str, value: Value) {
    match field.strip_prefix("contract_data.") {
        Some(key) => {
            let data = object.entry("contract_data").or_insert_with(|| json!({}));
            if let Some(map) = data.as_object_mut() {
                map.insert(key.to_string(), value);
            }
        }
        None => {
            object.insert(field.to_string(), value);
        }
    }
}

type Checked = std::result::Result<Value, String>;

fn list_after(action: &str, current: &Value, value: &Value, name: &str) -> Checked {
    let have: Vec<String> = current.as_array().into_iter().flatten().filter_map(text_of).collect();
    if action == "unset" {
        return Ok(json!([]));
    }
    if action == "set" && !value.is_array() {
        return Err(format!("set of '{name}' needs a list, but got {}.", type_name(value)));
    }
    let given = match OneOrMany::deserialize(value) {
        Ok(words) => Given::Is(words),
        Err(_) => Given::Wrong(value.clone()),
    };
    let given = args::words(&given, name, "INVALID_VALUE").map_err(|e| e.message)?.unwrap_or_default();
    match action {
        "set" => Ok(json!(given)),
        "append" => {
            let mut out: Vec<String> = Vec::new();
            for entry in have.into_iter().chain(given) {
                if !out.contains(&entry) {
                    out.push(entry);
                }
            }
            Ok(json!(out))
        }
        _ => Ok(json!(have.into_iter().filter(|entry| !given.contains(entry)).collect::<Vec<_>>())),
    }
}

fn text_of(value: &Value) -> Option<String> {
    value.as_str().map(str::to_string)
}

fn scalar(kind: Type, value: &Value, name: &str) -> Checked {
    let wrong = |wanted: &str| format!("'{name}' must be {wanted}, but is {value}.");
    match (kind, value) {
        (Type::Text, Value::String(_)) | (Type::Bool, Value::Bool(_)) => Ok(value.clone()),
        (Type::Title, Value::String(s)) if s.trim().chars().count() <= args::MAX_TITLE => Ok(json!(s.trim())),
        (Type::Title, _) => Err(wrong("a string of at most 500 characters")),
        (Type::Text, _) => Err(wrong("a string")),
        (Type::Bool, _) => Err(wrong("true or false")),
        (Type::Int, _) => WholeNumber::of(value).map(|n| json!(n)).ok_or_else(|| wrong("a whole number")),
        (Type::Priority, _) => {
            let name = text_of(value).map(|s| s.trim().to_uppercase()).unwrap_or_default();
            PRIORITIES
                .contains(&name.as_str())
                .then(|| json!(name))
                .ok_or_else(|| wrong("LOW, MEDIUM or HIGH"))
        }
        (Type::Status, _) => value
            .as_str()
            .and_then(TaskStatus::parse)
            .map(|s| json!(s.as_str()))
            .ok_or_else(|| wrong("TODO, ACTIVE or DONE")),
        (Type::List | Type::Gates, _) => Err(wrong("a list")),
    }
}

/// A name that is no checkpoint could never be met, so it is refused here.
fn check_gates(list: &Value) -> std::result::Result<(), String> {
    for name in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
        if CheckpointKind::parse(&name.to_lowercase()).is_none() {
            return Err(format!("'{name}' is not a checkpoint: use criteria, tests, security, perf, docs."));
        }
    }
    Ok(())
}
