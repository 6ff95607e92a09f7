//! Arguments in the lenient way the contract asks for: blank counts as absent, flags may be words, and what is wrong is
//! refused with the code of the intent that wanted it.
//!
//! Every tool's arguments are a struct of its own; what all of them take is [`Common`]. Nothing here knows what an
//! argument is for.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::core::json::type_name;
use crate::core::{Error, Given, Result};

use super::errors::fail;
use super::model::{PRIORITIES, TaskStatus};

pub const MAX_TITLE: usize = 500;
pub const MAX_LIST: usize = 200;

/// What every intent takes beside its own arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Common {
    /// The tool's own word, as payloads of the contract have it.
    pub intent: Given<String>,
    pub task: Given<String>,
    pub plan: Given<String>,
    pub dry_run: Flag,
    pub audit: Flag,
    pub compact: Flag,
    pub expected_revision: Given<WholeNumber>,
    pub expected_version: Given<WholeNumber>,
    pub expected_target_id: Given<String>,
    pub expected_target: Given<String>,
    pub expected_kind: Given<String>,
    pub strict_targeting: Flag,
    pub strict_writes: Flag,
}

impl Common {
    /// Short replies are the default; the whole objects are there for whoever asks.
    pub fn compact(&self) -> bool {
        self.compact.or(true)
    }

    /// `expected_revision` or its alias: a whole number from 0, or its text.
    pub fn revision(&self) -> Result<Option<u64>> {
        let given =
            [("expected_revision", &self.expected_revision), ("expected_version", &self.expected_version)];
        let Some((name, given)) = given.into_iter().find(|(_, given)| given.is_sent()) else {
            return Ok(None);
        };
        let parsed = given.get().and_then(|n| u64::try_from(n.0).ok());
        parsed.map(Some).ok_or_else(|| {
            let message = format!("'{name}' is {}; it must be a whole number from 0.", said(given));
            fail("INVALID_EXPECTED_REVISION", message).hint("Send the 'revision' that resume or radar shows.")
        })
    }
}

/// A boolean, a number, or one of the usual words; anything else leaves the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flag {
    #[default]
    Absent,
    Is(bool),
    Unclear,
}

impl Flag {
    pub fn or(self, default: bool) -> bool {
        match self {
            Flag::Is(said) => said,
            Flag::Absent | Flag::Unclear => default,
        }
    }

    pub fn on(self) -> bool {
        self.or(false)
    }

    pub fn is_sent(self) -> bool {
        self != Flag::Absent
    }

    /// What a value of a file or a request means as a flag.
    pub fn of(value: &Value) -> Flag {
        match value {
            Value::Null => Flag::Absent,
            Value::Bool(b) => Flag::Is(*b),
            Value::Number(n) => Flag::Is(n.as_f64() != Some(0.0)),
            Value::String(s) => match s.trim().to_lowercase().as_str() {
                "0" | "false" | "no" | "off" => Flag::Is(false),
                "1" | "true" | "yes" | "on" => Flag::Is(true),
                _ => Flag::Unclear,
            },
            _ => Flag::Unclear,
        }
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        Value::deserialize(from).map(|value| Flag::of(&value))
    }
}

/// A whole number, or its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeNumber(pub i64);

impl WholeNumber {
    pub fn of(value: &Value) -> Option<i64> {
        match value {
            Value::Number(n) => n.as_i64(),
            Value::String(s) => s.trim().parse().ok(),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        WholeNumber::of(&value).map(WholeNumber).ok_or_else(|| serde::de::Error::custom("not a whole number"))
    }
}

/// For arguments with objects inside: there, too, `null` is the same as absent.
pub fn without_nulls<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> std::result::Result<Given<T>, D::Error> {
    let mut value = Value::deserialize(from)?;
    prune(&mut value);
    Ok(Given::deserialize(value).unwrap_or_default())
}

fn prune(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(prune);
        }
        _ => {}
    }
}

/// Why the rules do not apply: without a reason nothing is done by force, and force is meant word for word.
pub fn forced(force: &Given<bool>, reason: &Given<String>, id: &str) -> Result<Option<String>> {
    if let Given::Wrong(value) = force {
        let message = format!("'force' is {value}; it must be true or false.");
        return Err(fail("INVALID_FIELDS", message)
            .hint("Send the boolean true, with 'override_reason', or leave it out."));
    }
    match (force.get() == Some(&true), text(reason)) {
        (false, _) => Ok(None),
        (true, Some(reason)) => Ok(Some(crate::core::redact::text(reason).0)),
        (true, None) => Err(missing_reason(id)),
    }
}

fn missing_reason(id: &str) -> Error {
    use super::errors::EnvelopeParts;
    fail("MISSING_OVERRIDE_REASON", "'force' needs 'override_reason': why the rules do not apply here.")
        .hint("Say in 'override_reason' why this is closed by force.")
        .result(serde_json::json!({"task": id}))
}

/// The value as a message shows it.
pub fn said<T: std::fmt::Debug>(given: &Given<T>) -> String {
    match given {
        Given::Wrong(value) => value.to_string(),
        Given::Is(value) => {
            format!("{value:?}").trim_start_matches("WholeNumber(").trim_end_matches(')').to_string()
        }
        Given::Absent => "null".to_string(),
    }
}

/// A non-blank string, trimmed; anything else counts as absent.
pub fn text(given: &Given<String>) -> Option<&str> {
    given.get().map(|s| s.trim()).filter(|s| !s.is_empty())
}

/// Is this the text of an id a request may carry?
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// An id; `None` when absent, `code` when it is none.
pub fn id<'a>(given: &'a Given<String>, name: &str, code: &str) -> Result<Option<&'a str>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(s) if s.trim().is_empty() => Ok(None),
        Given::Is(s) if is_id(s.trim()) => Ok(Some(s.trim())),
        other => Err(fail(code, format!("'{name}' is {}, which is not an id.", said(other)))
            .hint("Ids look like TASK-001, PLAN-001, STEP-0A1B2C3D or NODE-0A1B2C3D.")),
    }
}

/// A list of strings, trimmed, blanks dropped; `None` when absent. A bare string is no list: it would replace a whole
/// one by a single entry.
pub fn list(given: &Given<Vec<String>>, name: &str, code: &str) -> Result<Option<Vec<String>>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(items) if items.len() > MAX_LIST => {
            Err(fail(code, format!("'{name}' has {} entries; at most {MAX_LIST}.", items.len())))
        }
        Given::Is(items) => Ok(Some(trimmed(items))),
        Given::Wrong(value) => Err(not_strings(value, name, code)),
    }
}

pub fn trimmed(items: &[String]) -> Vec<String> {
    items.iter().map(|s| s.trim()).filter(|s| !s.is_empty()).map(str::to_string).collect()
}

fn not_strings(value: &Value, name: &str, code: &str) -> Error {
    match value {
        Value::Array(items) => {
            let odd = items.iter().find(|item| !item.is_string()).map_or("null", type_name);
            fail(code, format!("'{name}' must hold strings only, but has {odd}."))
        }
        Value::String(one) => fail(code, format!("'{name}' must be a list of strings, but is a string."))
            .hint(format!("Send {}.", serde_json::json!([one]))),
        other => fail(code, format!("'{name}' must be a list of strings, but is {}.", type_name(other))),
    }
}

/// As [`list`], for filters and patches, which the contract lets be one bare word.
pub fn words(given: &Given<OneOrMany>, name: &str, code: &str) -> Result<Option<Vec<String>>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(OneOrMany::One(word)) => Ok(Some(trimmed(std::slice::from_ref(word)))),
        Given::Is(OneOrMany::Many(items)) if items.len() > MAX_LIST => {
            Err(fail(code, format!("'{name}' has {} entries; at most {MAX_LIST}.", items.len())))
        }
        Given::Is(OneOrMany::Many(items)) => Ok(Some(trimmed(items))),
        Given::Wrong(value) => Err(not_strings(value, name, code)),
    }
}

/// One word or a list of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A free text, kept as it is; `None` when absent.
pub fn prose(given: &Given<String>, name: &str, code: &str) -> Result<Option<String>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(s) => Ok(Some(s.clone())),
        Given::Wrong(other) => {
            Err(fail(code, format!("'{name}' must be a string, but is {}.", type_name(other))))
        }
    }
}

/// A title: there, not blank, not too long.
pub fn title(given: &Given<String>) -> Result<String> {
    match given {
        Given::Absent => Err(fail("MISSING_TITLE", "'title' is required.").hint("Add 'title' (string).")),
        Given::Is(s) if s.trim().is_empty() => Err(fail("MISSING_TITLE", "'title' must not be blank.")),
        Given::Is(s) if s.trim().chars().count() > MAX_TITLE => {
            Err(fail("INVALID_TITLE", format!("A title has at most {MAX_TITLE} characters.")))
        }
        Given::Is(s) => Ok(s.trim().to_string()),
        Given::Wrong(other) => {
            Err(fail("INVALID_TITLE", format!("'title' must be a string, but is {}.", type_name(other))))
        }
    }
}

/// A whole number in a range; `None` when absent.
pub fn number(
    given: &Given<WholeNumber>,
    name: &str,
    low: i64,
    high: i64,
    code: &str,
) -> Result<Option<i64>> {
    match given {
        Given::Absent => Ok(None),
        Given::Is(n) if (low..=high).contains(&n.0) => Ok(Some(n.0)),
        other => {
            let message =
                format!("'{name}' is {}; it must be a whole number from {low} to {high}.", said(other));
            Err(fail(code, message))
        }
    }
}

/// LOW, MEDIUM or HIGH in any case; `None` when absent.
pub fn priority(given: &Given<String>) -> Result<Option<String>> {
    if !given.is_sent() {
        return Ok(None);
    }
    let name = given.get().map(|s| s.trim().to_uppercase()).unwrap_or_default();
    if PRIORITIES.contains(&name.as_str()) {
        return Ok(Some(name));
    }
    let message = format!("'priority' is {}; it must be LOW, MEDIUM or HIGH.", said(given));
    Err(fail("INVALID_PRIORITY", message))
}

/// TODO, ACTIVE or DONE in any case; `None` when absent.
pub fn status(given: &Given<String>) -> Result<Option<TaskStatus>> {
    if !given.is_sent() {
        return Ok(None);
    }
    let message = || format!("'status' is {}; it must be TODO, ACTIVE or DONE.", said(given));
    given.get().and_then(|s| TaskStatus::parse(s)).map(Some).ok_or_else(|| fail("INVALID_STATUS", message()))
}
