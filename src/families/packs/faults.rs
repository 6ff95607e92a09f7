//! Everything that is wrong with a long call at once, each by the path of its field.

use serde_json::{Map, Value, json};

use super::errors::invalid;
use crate::core::{Error, Result, schema};

/// Faults spelt out in the message; all of them are in its details.
const SPELT_OUT: usize = 10;

#[derive(Debug, Default)]
pub struct Faults(Vec<(String, String)>);

impl Faults {
    pub fn add(&mut self, at: &str, what: impl Into<String>) {
        self.0.push((at.to_string(), what.into()));
    }

    /// Takes the value, or notes why there is none.
    pub fn take<T>(&mut self, at: &str, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let what = error.message.strip_prefix("invalid data: ").unwrap_or(&error.message).to_string();
                self.add(
                    at,
                    match &error.hint {
                        Some(hint) => format!("{what}. {hint}"),
                        None => what,
                    },
                );
                None
            }
        }
    }

    pub fn none(&self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.error()) }
    }

    fn error(&self) -> Error {
        let mut list: Vec<String> =
            self.0.iter().take(SPELT_OUT).map(|(at, what)| format!("{at}: {what}")).collect();
        if self.0.len() > SPELT_OUT {
            list.push(format!("{} more", self.0.len() - SPELT_OUT));
        }
        let all: Vec<Value> = self.0.iter().map(|(at, what)| json!({"path": at, "problem": what})).collect();
        invalid(list.join("; ")).details(json!({"faults": all}))
    }
}

/// The fields of one object of a call; whatever is wrong with them goes to the faults.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    pub at: String,
}

impl<'a> Fields<'a> {
    /// `None` = not an object, or one with fields that nobody knows.
    pub fn of(value: &'a Value, at: String, known: &[&str], faults: &mut Faults) -> Option<Fields<'a>> {
        let Some(map) = value.as_object() else {
            faults.add(&at, "must be an object");
            return None;
        };
        for name in map.keys().filter(|name| !known.contains(&name.as_str())) {
            let near = schema::closest(name, known).map(|n| format!("did you mean '{n}'?"));
            let told = near.unwrap_or_else(|| format!("known fields are {}", known.join(", ")));
            faults.add(&format!("{at}.{name}"), format!("is not a field; {told}"));
        }
        Some(Fields { map, at })
    }

    pub fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.at)
    }

    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|v| !v.is_null())
    }

    pub fn text(&self, name: &str, faults: &mut Faults) -> Option<String> {
        let value = self.get(name)?;
        let text = value.as_str().map(str::trim);
        match text {
            Some("") => None,
            Some(text) => Some(text.to_string()),
            None => {
                faults.add(&self.path(name), "must be a string");
                None
            }
        }
    }

    pub fn need_text(&self, name: &str, faults: &mut Faults) -> Option<String> {
        let before = faults.0.len();
        let text = self.text(name, faults);
        if text.is_none() && faults.0.len() == before {
            faults.add(&self.path(name), "is required");
        }
        text
    }

    /// The elements of a list, each with its path; none if it is left out.
    pub fn list(&self, name: &str, faults: &mut Faults) -> Vec<(&'a Value, String)> {
        let at = self.path(name);
        match self.get(name) {
            None => Vec::new(),
            Some(value) => elements(value, &at, faults),
        }
    }
}

pub fn elements<'a>(value: &'a Value, at: &str, faults: &mut Faults) -> Vec<(&'a Value, String)> {
    match value.as_array() {
        Some(items) => items.iter().enumerate().map(|(i, v)| (v, format!("{at}[{i}]"))).collect(),
        None => {
            faults.add(at, "must be an array");
            Vec::new()
        }
    }
}
