//! packd's entries in a host's list of hooks; every byte that does not concern them stays as it is.

use jsonc_parser::cst::{CstArray, CstNode, CstObject};
use serde_json::Value;

use super::Hooked;
use crate::families::hosts::json::{input, object, parse};

/// The object that holds the events.
const SECTION: &str = "hooks";

/// Is this entry one of packd's, whatever it says besides?
fn ours(entry: &Value) -> bool {
    let command = |v: &Value| {
        ["command", "bash"]
            .iter()
            .filter_map(|key| v[*key].as_str())
            .any(|line| line.contains("packd-mcp") && line.contains(" hook "))
    };
    command(entry) || entry[SECTION].as_array().into_iter().flatten().any(command)
}

fn value(node: &CstNode) -> Value {
    node.to_serde_value().unwrap_or_default()
}

/// The text with these entries, and no others of packd's.
pub fn put(hooked: &Hooked, text: &str, entries: &[(String, Value)]) -> Result<String, String> {
    let root = parse(text)?;
    let fresh = text.trim().is_empty();
    let top = root.object_value_or_create().ok_or("its top level is not an object")?;
    if fresh {
        for (name, number) in hooked.beside() {
            top.append(name, input(&Value::from(*number)));
        }
    }
    let section = object(&top, SECTION)?;
    for event in names(&section) {
        let keep = entries.iter().any(|(wanted, _)| *wanted == event);
        sweep(&section, &event, keep)?;
    }
    for (event, entry) in entries {
        let list = list(&section, event)?;
        match list.elements().iter().find(|node| ours(&value(node))) {
            Some(found) if value(found) == *entry => {}
            Some(found) => {
                let at = list.elements().iter().position(|node| ours(&value(node))).unwrap_or_default();
                found.clone().remove();
                list.insert(at, input(entry));
            }
            None => {
                list.append(input(entry));
            }
        }
    }
    let out = root.to_string();
    Ok(if fresh { out.trim().to_string() + "\n" } else { out })
}

/// The text without packd's entries, and without what only they had filled.
pub fn remove(text: &str) -> Result<String, String> {
    let root = parse(text)?;
    if let Some(section) = root.object_value().and_then(|top| top.object_value(SECTION)) {
        for event in names(&section) {
            sweep(&section, &event, false)?;
        }
        if section.properties().is_empty()
            && let Some(empty) = root.object_value().and_then(|top| top.get(SECTION))
        {
            empty.remove();
        }
    }
    Ok(root.to_string())
}

/// packd's entries as they stand, by event.
pub fn look(text: &str) -> Result<Vec<(String, Value)>, String> {
    let root = parse(text)?;
    let Some(section) = root.object_value().and_then(|top| top.object_value(SECTION)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for event in names(&section) {
        let list = section.array_value(&event);
        let entries = list.iter().flat_map(|list| list.elements()).map(|node| value(&node));
        found.extend(entries.filter(ours).map(|entry| (event.clone(), entry)));
    }
    Ok(found)
}

fn names(section: &CstObject) -> Vec<String> {
    let name = |property: &jsonc_parser::cst::CstObjectProp| property.name()?.decoded_value().ok();
    section.properties().iter().filter_map(name).collect()
}

fn list(section: &CstObject, event: &str) -> Result<CstArray, String> {
    section.array_value_or_create(event).ok_or_else(|| format!("\"{event}\" in it is not a list"))
}

/// Takes packd's entries out of one list: all of them, or all but the first.
fn sweep(section: &CstObject, event: &str, keep_first: bool) -> Result<(), String> {
    let Some(list) = section.array_value(event) else { return Ok(()) };
    let all = list.elements();
    let mine: Vec<&CstNode> = all.iter().filter(|node| ours(&value(node))).collect();
    let removed = mine.len().saturating_sub(usize::from(keep_first));
    for node in mine.into_iter().skip(usize::from(keep_first)) {
        node.clone().remove();
    }
    if removed > 0
        && list.elements().is_empty()
        && let Some(empty) = section.get(event)
    {
        empty.remove();
    }
    Ok(())
}
