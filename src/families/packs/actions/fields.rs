//! The arguments of `input` and `output` as they come: every field typed, lenient where the contract is lenient.
//!
//! Strings are trimmed and blank or wrongly typed ones count as absent; paging numbers of a wrong type are ignored;
//! whatever an action requires and does not get is reported together. What an action makes of its fields is its own
//! business.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::core::{Error, Given, Result};

use super::super::errors::invalid;
use super::super::model::PackStatus;
use super::wanted::SentSection;

/// Everything a call can say. `null` is something that was sent: some fields are refused by their mere presence.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Fields {
    pub action: Given<String>,
    pub id: Given<String>,
    pub name: Given<String>,
    pub expected_revision: Given<u64>,
    pub ttl_minutes: Given<u64>,
    pub extend_minutes: Given<u64>,
    pub title: Given<String>,
    pub brief: Given<String>,
    pub tags: Given<Vec<Value>>,
    pub status: Given<String>,
    pub section_key: Given<String>,
    pub section_title: Given<String>,
    pub section_description: Given<String>,
    pub section_order: Given<u64>,
    pub ref_key: Given<String>,
    pub path: Given<String>,
    pub line_start: Given<u64>,
    pub line_end: Given<u64>,
    pub symbol: Given<String>,
    #[serde(rename = "match")]
    pub matching: Given<String>,
    pub reviewed: Given<bool>,
    pub full: Given<bool>,
    pub ref_title: Given<String>,
    pub ref_why: Given<String>,
    pub group: Given<String>,
    pub diagram_key: Given<String>,
    pub mermaid: Given<String>,
    pub diagram_why: Given<String>,
    pub query: Given<String>,
    pub limit: Given<u64>,
    pub offset: Given<u64>,
    pub sections: Given<Vec<Given<SentSection>>>,
    pub ops: Given<Vec<Given<SentOp>>>,
    pub document: Given<String>,
    /// Names that look right where another is meant, and one that never was supported.
    pub description: Given<Value>,
    pub why: Given<Value>,
    pub format: Given<Value>,
}

/// One of several edits of a call: the fields of a call of its own, and those that nobody knows.
#[derive(Debug, Default, Deserialize)]
pub struct SentOp {
    #[serde(flatten)]
    pub fields: Box<Fields>,
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Fields {
    pub fn of(sent: &Map<String, Value>) -> Result<Fields> {
        // Every field takes whatever was sent, so this cannot fail; if it does, the reason is told all the same.
        Fields::deserialize(&Value::Object(sent.clone())).map_err(invalid)
    }

    /// The pack a call is about: `id`, else `name`; each may hold either.
    pub fn identifier(&self) -> Option<String> {
        self.id.trimmed().or_else(|| self.name.trimmed()).map(str::to_string)
    }

    pub fn need_identifier(&self) -> Result<String> {
        let mut lacks = Lacks::default();
        let pack = lacks.identifier(self);
        lacks.none().map(|()| pack)
    }

    pub fn status(&self) -> Result<Option<PackStatus>> {
        self.status.trimmed().map(PackStatus::parse).transpose()
    }

    /// `tags`, if the key is there; then it must be an array of non-blank strings.
    pub fn tags(&self) -> Result<Option<Vec<String>>> {
        let items = match &self.tags {
            Given::Absent => return Ok(None),
            Given::Is(items) => items,
            Given::Wrong(_) => return Err(invalid("'tags' must be an array of strings")),
        };
        let tag = |item: &Value| {
            let text = item.as_str().map(str::trim).filter(|t| !t.is_empty());
            text.map(str::to_string).ok_or_else(|| invalid("'tags' must contain only non-empty strings"))
        };
        items.iter().map(tag).collect::<Result<_>>().map(Some)
    }

    pub fn is_reviewed(&self) -> bool {
        self.reviewed.get() == Some(&true)
    }
}

/// Trimmed text that may be left out.
pub fn text(given: &Given<String>) -> Option<String> {
    given.trimmed().map(str::to_string)
}

/// A count or position; anything that is none is ignored.
pub fn size(given: &Given<u64>) -> Option<usize> {
    given.get().map(|n| usize::try_from(*n).unwrap_or(usize::MAX))
}

/// What is said of those that were ignored.
pub fn odd_sizes(fields: &Fields) -> Vec<String> {
    let odd = |(name, given): (&str, &Given<u64>)| match given {
        Given::Wrong(sent) if !sent.is_null() => {
            Some(format!("'{name}' must be an integer, not {sent}, and was ignored."))
        }
        _ => None,
    };
    [("limit", &fields.limit), ("offset", &fields.offset)].into_iter().filter_map(odd).collect()
}

/// An integer that may be left out, but not be anything else.
pub fn strict_number(field: &str, given: &Given<u64>) -> Result<Option<u64>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(number) => Ok(Some(*number)),
        Given::Wrong(_) => Err(invalid(format!("'{field}' must be an integer"))),
    }
}

/// What an action requires and did not get. The first is the error, as the contract wants it; its hint names the rest.
#[derive(Debug, Default)]
pub struct Lacks {
    first: Option<Error>,
    also: Vec<String>,
}

impl Lacks {
    fn add(&mut self, what: String, name: &str) {
        match self.first {
            None => self.first = Some(invalid(what)),
            Some(_) => self.also.push(name.to_string()),
        }
    }

    pub fn identifier(&mut self, fields: &Fields) -> String {
        fields.identifier().unwrap_or_else(|| {
            self.add("id or name required".to_string(), "id");
            String::new()
        })
    }

    pub fn text(&mut self, field: &str, given: &Given<String>) -> String {
        text(given).unwrap_or_else(|| {
            self.add(format!("'{field}' is required"), field);
            String::new()
        })
    }

    pub fn number(&mut self, field: &str, given: &Given<u64>) -> u64 {
        let problem = match given {
            Given::Is(number) => return *number,
            Given::Absent | Given::Wrong(Value::Null) => format!("'{field}' is required"),
            Given::Wrong(sent) => {
                format!("'{field}' must be an integer, not {sent}; an integer '{field}' is required")
            }
        };
        self.add(problem, &format!("{field} (an integer)"));
        0
    }

    /// Takes what else is read from the arguments, or the reason why it cannot be.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.first.get_or_insert(error)).ok()
    }

    pub fn none(self) -> Result<()> {
        match self.first {
            None => Ok(()),
            Some(error) if self.also.is_empty() => Err(error),
            Some(error) => Err(error.hint(format!("Also needed: {}.", self.also.join(", ")))),
        }
    }
}
