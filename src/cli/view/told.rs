//! A refusal in words for people, whichever family's shape it came in.

use serde_json::Value;

use super::people;

/// What went wrong, and what to do about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    pub message: String,
    pub hint: Option<String>,
    /// The family's own name for it.
    pub code: Option<String>,
}

/// As the family said it: families differ in where they put a message.
pub fn of(text: &str, structured: &Value) -> Told {
    let found = |paths: &[&str]| {
        paths.iter().find_map(|p| structured.pointer(p).and_then(Value::as_str)).map(str::to_string)
    };
    let message = found(&["/message", "/error/message", "/errors/0/message"]);
    let hint = found(&["/hint", "/error/hint", "/error/recovery", "/errors/0/details/hint"]);
    // A family without structured errors says the message in its first line and what to do in the others.
    // The call that an agent would make next is not for people.
    let text = text.split_once("\nNext: {").map_or(text, |(words, _)| words);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let hint =
        hint.or_else(|| Some(rest.trim().replace('\n', " ")).filter(|r| message.is_none() && !r.is_empty()));
    Told {
        message: message.unwrap_or_else(|| first.to_string()),
        hint,
        code: found(&["/code", "/error/code", "/errors/0/code"]),
    }
}

impl Told {
    /// The same with commands instead of tools.
    #[must_use]
    pub fn plain(self) -> Told {
        Told {
            message: people::plain(&self.message),
            hint: self.hint.map(|hint| people::plain(&hint)),
            code: self.code,
        }
    }

    /// Does it only ask for the passphrase?
    pub fn wants_passphrase(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.to_ascii_lowercase().ends_with("needs_passphrase"))
    }
}
