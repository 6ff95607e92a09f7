//! The one reader of arguments: from what a client sent to the type of its tool.
//!
//! Its rules are data, beside each schema in `proto/tools` (`packd.strict`, `.unknown`, `.coerce`) and in one table of
//! other names (`aliases`). First the map is brought into the schema's own words: other names, values that a host sent as
//! strings. Then everything that is wrong with it is said at once. What is left is read into the tool's own struct, once
//! for each call; no tool reads an argument by its name.

mod aliases;
mod coerce;
mod given;
mod text;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::declared::{Declared, Unknown};
use super::schema::{self, Violation};
use super::{Call, Error, Result};

pub use given::Given;
pub use text::trimmed;

/// Arguments as a tool knows them: a struct that derives `Deserialize`, to which absent and `null` are the same. A type
/// that does not derive it reads what was sent in a way of its own, `null`s included.
pub trait Arguments: Sized + Send + Sync + 'static {
    fn of(sent: &Map<String, Value>) -> Result<Self>;
}

impl<T: DeserializeOwned + Send + Sync + 'static> Arguments for T {
    fn of(sent: &Map<String, Value>) -> Result<T> {
        let sent = sent.iter().filter(|(_, value)| !value.is_null());
        let sent: Map<String, Value> = sent.map(|(name, value)| (name.clone(), value.clone())).collect();
        serde_json::from_value(Value::Object(sent)).map_err(|e| {
            Error::invalid("invalid_arguments", format!("The arguments cannot be read: {e}."))
                .hint("Compare them with the tool's schema.")
        })
    }
}

/// Of a tool that takes none.
#[derive(Debug, serde::Deserialize)]
pub struct NoArguments {}

/// The typed arguments of a call, kept once they were read.
#[derive(Clone, Default)]
pub struct Read(OnceLock<Arc<dyn Any + Send + Sync>>);

impl std::fmt::Debug for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.get().is_some() { "read" } else { "unread" })
    }
}

impl Call {
    /// The arguments as their tool's type.
    pub fn read<A: Arguments>(&self) -> Result<Arc<A>> {
        if let Some(known) = self.typed.0.get().and_then(|known| known.clone().downcast().ok()) {
            return Ok(known);
        }
        let read = A::of(&self.args)?;
        let read = Arc::new(read);
        let _ = self.typed.0.set(read.clone());
        Ok(read)
    }
}

/// Brings what was sent into the words of the schema and says everything that is wrong with it. What is only odd
/// becomes a warning of the call.
pub fn settle(declared: &Declared, call: &mut Call) -> Result<()> {
    aliases::rename(&declared.schema, &mut call.args);
    if declared.rules.absent_null {
        call.args.retain(|_, value| !value.is_null());
    }
    if declared.rules.coerce {
        coerce::unquote(&declared.schema, &mut call.args);
    }
    let args = Value::Object(std::mem::take(&mut call.args));
    let mut faults = schema::check_all(&declared.schema, &args);
    if let Value::Object(args) = args {
        call.args = args;
    }
    faults.retain(|fault| !declared.rules.own.contains(&fault.field));
    let unknown = |fault: &Violation| fault.unknown;
    match declared.rules.unknown() {
        Unknown::Refuse => {}
        Unknown::Warn => {
            call.warnings.extend(schema::ignored(&declared.schema, &call.args));
            faults.retain(|fault| !unknown(fault));
        }
        Unknown::Ignore => faults.retain(|fault| !unknown(fault)),
    }
    if !declared.rules.strict {
        faults.retain(unknown);
    }
    if faults.is_empty() {
        return Ok(());
    }
    let mut error = refusal(&faults);
    if let Some(code) = &declared.rules.invalid {
        error.code = code.clone();
    }
    Err(error)
}

/// One error for everything that is wrong.
pub fn refusal(faults: &[Violation]) -> Error {
    let mut hints: Vec<&str> = Vec::new();
    for fault in faults {
        if !hints.contains(&fault.hint.as_str()) {
            hints.push(&fault.hint);
        }
    }
    let problems: Vec<&str> = faults.iter().map(|fault| fault.problem.as_str()).collect();
    let mut details = json!({"field": faults.first().map(|fault| fault.field.as_str())});
    if faults.len() > 1 {
        details["faults"] = faults
            .iter()
            .map(|fault| json!({"field": fault.field, "problem": fault.problem, "hint": fault.hint}))
            .collect();
    }
    Error::invalid("invalid_arguments", problems.join(" ")).hint(hints.join(" ")).details(details)
}
