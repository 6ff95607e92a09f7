//! One entry in a JSON file with comments; every byte that does not concern it stays as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::entry::{EntryFound, HOME_VARIABLE, NAME, ServerEntry};

/// Comments and trailing commas are what hosts accept; what else the parser would let pass, they do not.
const ACCEPTED: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub fn put(text: &str, section: &str, entry: &ServerEntry) -> Result<String, String> {
    let root = parse(text)?;
    let top = root.object_value_or_create().ok_or("its top level is not an object")?;
    let servers = object(&top, section)?;
    match servers.get(NAME) {
        None => {
            servers.append(NAME, input(&Value::Object(entry.fields())));
        }
        Some(_) => adjust(&object(&servers, NAME)?, entry)?,
    }
    let mut out = root.to_string();
    if text.trim().is_empty() {
        out = out.trim().to_string() + "\n";
    }
    Ok(out)
}

pub fn remove(text: &str, section: &str) -> Result<String, String> {
    let root = parse(text)?;
    let entry = root.object_value().and_then(|top| top.object_value(section)).and_then(|s| s.get(NAME));
    if let Some(entry) = entry {
        entry.remove();
    }
    Ok(root.to_string())
}

pub fn look(text: &str, section: &str) -> Result<Option<EntryFound>, String> {
    let root = parse(text)?;
    let entry = root.object_value().and_then(|top| top.object_value(section)).and_then(|s| s.get(NAME));
    let value = entry.and_then(|e| e.value()).and_then(|v| v.to_serde_value());
    Ok(value.map(|v| EntryFound::of(&v)))
}

pub(super) fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ACCEPTED).map_err(|e| e.to_string())
}

/// The object under a name, made where it is missing; anything else under that name is not ours to replace.
pub(super) fn object(parent: &CstObject, name: &str) -> Result<CstObject, String> {
    parent.object_value_or_create(name).ok_or_else(|| format!("\"{name}\" in it is not an object"))
}

/// Sets what is packd's in an entry that is already there; fields a person added stay.
fn adjust(found: &CstObject, entry: &ServerEntry) -> Result<(), String> {
    for (name, value) in entry.fields().iter().filter(|(name, _)| *name != "env") {
        set(found, name, value);
    }
    match &entry.home {
        Some(home) => set(&object(found, "env")?, HOME_VARIABLE, &Value::String(home.clone())),
        None => {
            let Some(env) = found.object_value("env") else { return Ok(()) };
            if let Some(variable) = env.get(HOME_VARIABLE) {
                variable.remove();
                if env.properties().is_empty()
                    && let Some(empty) = found.get("env")
                {
                    empty.remove();
                }
            }
        }
    }
    Ok(())
}

fn set(object: &CstObject, name: &str, value: &Value) {
    match object.get(name) {
        None => {
            object.append(name, input(value));
        }
        Some(found) => {
            if found.value().and_then(|v| v.to_serde_value()).as_ref() != Some(value) {
                found.set_value(input(value));
            }
        }
    }
}

pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(b) => CstInputValue::Bool(*b),
        Value::Number(n) => CstInputValue::Number(n.to_string()),
        Value::String(s) => CstInputValue::String(s.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(map.iter().map(|(k, v)| (k.clone(), input(v))).collect()),
    }
}
