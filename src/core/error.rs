//! The one error every layer speaks: kind, code, message, hint.
//!
//! A family renders it in its own error shape; this type knows no wire format.

use serde_json::Value;

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
