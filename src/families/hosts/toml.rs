//! One entry in a TOML file; comments, order and every other table stay as they are.

use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

use super::entry::{EntryFound, HOME_VARIABLE, NAME, ServerEntry};

pub fn put(text: &str, section: &str, entry: &ServerEntry) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let servers = document.entry(section).or_insert(Item::Table(implicit));
    let servers = servers.as_table_like_mut().ok_or_else(|| format!("'{section}' in it is not a table"))?;
    if servers.get(NAME).is_none() {
        servers.insert(NAME, Item::Table(Table::new()));
    }
    let found = servers.get_mut(NAME).and_then(Item::as_table_like_mut);
    adjust(found.ok_or_else(|| format!("'{section}.{NAME}' in it is not a table"))?, entry)?;
    Ok(document.to_string())
}

pub fn remove(text: &str, section: &str) -> Result<String, String> {
    let mut document = parse(text)?;
    if let Some(servers) = document.get_mut(section).and_then(Item::as_table_like_mut) {
        servers.remove(NAME);
    }
    Ok(document.to_string())
}

pub fn look(text: &str, section: &str) -> Result<Option<EntryFound>, String> {
    let document = parse(text)?;
    let entry = document.get(section).and_then(|s| s.get(NAME)).and_then(Item::as_table_like);
    Ok(entry.map(|entry| {
        let args: Vec<_> = entry
            .get("args")
            .and_then(Item::as_array)
            .into_iter()
            .flatten()
            .filter_map(|a| a.as_str())
            .collect();
        let home = entry.get("env").and_then(|env| env.get(HOME_VARIABLE)).and_then(Item::as_str);
        let command = entry.get("command").and_then(Item::as_str);
        EntryFound::of(&json!({"command": command, "args": args, "env": {HOME_VARIABLE: home}}))
    }))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|e| e.to_string().trim_end().replace('\n', " "))
}

fn adjust(found: &mut dyn TableLike, entry: &ServerEntry) -> Result<(), String> {
    for (name, value) in entry.fields().iter().filter(|(name, _)| *name != "env") {
        set(found, name, input(value));
    }
    match &entry.home {
        Some(home) => {
            if found.get("env").is_none() {
                found.insert("env", Item::Value(InlineTable::new().into()));
            }
            let env = found.get_mut("env").and_then(Item::as_table_like_mut).ok_or("'env' is not a table")?;
            set(env, HOME_VARIABLE, home.as_str().into());
        }
        None => {
            let Some(env) = found.get_mut("env").and_then(Item::as_table_like_mut) else { return Ok(()) };
            if env.remove(HOME_VARIABLE).is_some() && env.is_empty() {
                found.remove("env");
            }
        }
    }
    Ok(())
}

/// Replaces a value that differs, keeping the comment behind it.
fn set(table: &mut dyn TableLike, name: &str, value: toml_edit::Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(found) => {
            if plain(found) != plain(&value) {
                let decor = found.decor().clone();
                *found = value;
                *found.decor_mut() = decor;
            }
        }
        None => {
            table.insert(name, Item::Value(value));
        }
    }
}

/// A value without its white space and comments, to compare by.
fn plain(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(s) => json!(s.value()),
        toml_edit::Value::Array(a) => a.iter().map(plain).collect(),
        other => json!(other.to_string()),
    }
}

/// Entries hold texts and lists of texts.
fn input(value: &Value) -> toml_edit::Value {
    match value {
        Value::Array(items) => items.iter().map(input).collect::<Array>().into(),
        Value::String(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}
