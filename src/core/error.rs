//! The one error every layer speaks: kind, code, message, hint.
//!
//! A family renders it in its own error shape; this type knows no wire format.

use serde_json::Value;

/// An error that says more is cut: half of what a reply may be, because some shapes say a thing twice.
const ROOM: usize = 8 * 1024;
/// What is left of each text of such an error, at either end: what was quoted, and what was said about it.
const END: usize = 200;
/// And of each list.
const ITEMS: usize = 20;

pub type Result<T> = std::result::Result<T, Error>;

/// What sort of failure it was: decides how a caller should react, not how it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request itself is wrong; repeating it cannot help.
    Invalid,
    NotFound,
    /// Somebody else changed what this request was based on.
    Conflict,
    /// The target is in a state that does not allow this.
    State,
    /// Policy or a gate said no.
    Denied,
    /// A file, a row or a process failed.
    Io,
    /// Data of another schema version.
    Migration,
    /// A defect in packd.
    Internal,
}

/// `code` is the stable word clients match on, in the family's own vocabulary.
#[derive(Debug, Clone)]
pub struct Error {
    pub kind: Kind,
    pub code: String,
    pub message: String,
    pub hint: Option<String>,
    /// Family-specific payload, carried unchanged to the family's `render_error`.
    pub details: Option<Box<Value>>,
    /// The audit stream has this refusal already.
    pub noted: bool,
}

impl Error {
    pub fn new(kind: Kind, code: impl Into<String>, message: impl Into<String>) -> Self {
        Error { kind, code: code.into(), message: message.into(), hint: None, details: None, noted: false }
    }

    pub fn invalid(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, code, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, "not_found", message)
    }

    pub fn io(message: impl Into<String>) -> Self {
        Self::new(Kind::Io, "io_error", message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, "internal", message)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn noted(mut self) -> Self {
        self.noted = true;
        self
    }

    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// The same at a bearable size: whoever sends a megabyte where a name belongs does not get it back.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let details = self.details.as_ref().map_or(0, |details| details.to_string().len());
        if self.message.len() + self.hint.as_ref().map_or(0, String::len) + details <= ROOM {
            return self;
        }
        self.message = ends(&self.message);
        self.hint = self.hint.map(|hint| ends(&hint));
        if let Some(details) = &mut self.details {
            cut(details);
        }
        self
    }
}

/// A long text without its middle.
fn ends(text: &str) -> String {
    let length = text.chars().count();
    if length <= 3 * END {
        return text.to_string();
    }
    let (head, tail) = (text.chars().take(END), text.chars().skip(length - END));
    let left_out = format!("… ({} characters) …", length - 2 * END);
    head.chain(left_out.chars()).chain(tail).collect()
}

fn cut(value: &mut Value) {
    match value {
        Value::String(text) => *text = ends(text),
        Value::Array(items) => {
            items.truncate(ITEMS);
            items.iter_mut().for_each(cut);
        }
        Value::Object(map) => {
            map.retain(|name, _| name.len() <= END);
            map.values_mut().for_each(cut);
        }
        _ => {}
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_quotes_only_the_ends_of_what_is_too_long() {
        let long = "y".repeat(100_000);
        let error = Error::invalid("x", format!("'{long}' is not one of: a, b."))
            .details(json!({"sent": [long, "short"], long: 1, "n": 7}))
            .bounded();
        assert!(error.message.starts_with("'yyy") && error.message.ends_with("y' is not one of: a, b."));
        assert!(error.message.len() < 500, "{}", error.message.len());
        let details = error.details.unwrap();
        assert!(details.to_string().len() < 600, "{details}");
        assert_eq!((&details["sent"][1], &details["n"]), (&json!("short"), &json!(7)));
        let fine =
            Error::invalid("x", "m".repeat(5_000)).details(json!({"diff": "d".repeat(2_000)})).bounded();
        assert_eq!(fine.message.len(), 5_000, "what fits is left alone");
    }
}
