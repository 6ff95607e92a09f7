//! Everything that is wrong with a long call at once, each by the path of its field.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::errors::invalid;
use crate::core::{Error, Given, Result, schema};

/// Faults spelt out in the message; all of them are in its details.
const SPELT_OUT: usize = 10;

#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

#[derive(Debug, Serialize)]
struct Fault {
    path: String,
    problem: String,
}

impl Faults {
    pub fn add(&mut self, at: &str, what: impl Into<String>) {
        self.0.push(Fault { path: at.to_string(), problem: what.into() });
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

    /// Text that may be left out.
    pub fn text(&mut self, at: &str, given: &Given<String>) -> Option<String> {
        if let Given::Wrong(value) = given
            && !value.is_null()
        {
            self.add(at, "must be a string");
        }
        given.trimmed().map(str::to_string)
    }

    pub fn need_text(&mut self, at: &str, given: &Given<String>) -> Option<String> {
        let before = self.0.len();
        let text = self.text(at, given);
        if text.is_none() && self.0.len() == before {
            self.add(at, "is required");
        }
        text
    }

    /// Hands out the objects of a list, each with its path; none if the list is left out.
    pub fn each<T>(
        &mut self,
        at: &str,
        given: &Given<Vec<Given<T>>>,
        mut take: impl FnMut(&mut Faults, &T, String),
    ) {
        let items = match given {
            Given::Is(items) => items,
            Given::Absent | Given::Wrong(Value::Null) => return,
            Given::Wrong(_) => return self.add(at, "must be an array"),
        };
        for (i, item) in items.iter().enumerate() {
            let at = format!("{at}[{i}]");
            match item {
                Given::Is(item) => take(self, item, at),
                _ => self.add(&at, "must be an object"),
            }
        }
    }

    /// Fields that nobody knows.
    pub fn unknown(&mut self, at: &str, unknown: &Map<String, Value>, known: &[&str]) {
        for name in unknown.keys() {
            let near = schema::closest(name, known).map(|n| format!("did you mean '{n}'?"));
            let told = near.unwrap_or_else(|| format!("known fields are {}", known.join(", ")));
            self.add(&format!("{at}.{name}"), format!("is not a field; {told}"));
        }
    }

    pub fn none(&self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.error()) }
    }

    fn error(&self) -> Error {
        let mut list: Vec<String> =
            self.0.iter().take(SPELT_OUT).map(|f| format!("{}: {}", f.path, f.problem)).collect();
        if self.0.len() > SPELT_OUT {
            list.push(format!("{} more", self.0.len() - SPELT_OUT));
        }
        invalid(list.join("; ")).details(json!({"faults": self.0}))
    }
}
