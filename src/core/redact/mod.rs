//! Takes secrets out of text and JSON before anything is stored, logged or exported.
//!
//! What a secret looks like is said by the table `proto/secrets.toml`; this module knows only how to look for it.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::Error;

mod anchors;
mod likely;
mod stream;
mod table;

pub use stream::RedactStream;
#[allow(unused_imports, reason = "tests hold every entry against what is redacted")]
pub use table::{Pattern, patterns};

pub const MARK: &str = "<redacted>";

/// Keys whose value is a secret whatever it looks like.
static SECRET_KEY: LazyLock<Regex> = LazyLock::new(|| {
    // A constant of this file, compiled by its tests.
    Regex::new(
        r"(?i)^(.*[_.-])?(password|passwd|pwd|passphrase|passcode|secrets?|[a-z]*token|(api|access|private|secret|encryption|signing|account|auth)[_-]?key|(proxy-)?authorization|(set-)?cookie|credentials?|client[_-]?secret)$",
    )
    .expect("redaction pattern")
});

/// The text without secrets, and how many were taken out.
pub fn text(input: &str) -> (String, usize) {
    let spans = table::spans(input);
    let found = spans.len();
    (blank(input, spans), found)
}

fn blank(input: &str, spans: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut out = String::with_capacity(input.len());
    let mut from = 0;
    for span in spans {
        out.push_str(&input[from..span.start]);
        out.push_str(MARK);
        from = span.end;
    }
    out.push_str(&input[from..]);
    out
}

/// A line that a program said: without known secrets and without the user part of any address in it.
pub fn line(input: &str) -> String {
    addresses(&text(input).0)
}

/// The user part of an address may be a token that has no shape.
fn addresses(input: &str) -> String {
    let mut out = String::with_capacity(input.len());
    let mut rest = input;
    while let Some(at) = rest.find("://") {
        let (head, tail) = rest.split_at(at + 3);
        out.push_str(head);
        let end = tail.find(|c: char| c.is_whitespace() || "/'\"".contains(c)).unwrap_or(tail.len());
        rest = match tail[..end].rfind('@') {
            Some(user) if &tail[..user] != "git" => {
                out.push_str(MARK);
                &tail[user..]
            }
            _ => tail,
        };
    }
    out.push_str(rest);
    out
}

/// An error as it may be shown and kept. Its details lose what has the shape of a secret, whatever its key:
/// a fresh confirmation token in them is meant for the caller.
pub fn error(error: Error) -> Error {
    Error {
        message: text(&error.message).0,
        hint: error.hint.map(|h| text(&h).0),
        details: error.details.map(|d| Box::new(strings(&d))),
        ..error
    }
}

/// Every string of a JSON value, whatever its key says.
pub fn strings(input: &Value) -> Value {
    match input {
        Value::String(s) => Value::String(text(s).0),
        Value::Array(items) => Value::Array(items.iter().map(strings).collect()),
        Value::Object(map) => Value::Object(arguments(map)),
        other => other.clone(),
    }
}

/// The same for a call's arguments, where an error quotes them.
pub fn arguments(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter().map(|(k, v)| (k.clone(), strings(v))).collect()
}

/// Every string of a JSON value, and every value under a secret's name.
pub fn value(input: &Value) -> Value {
    match input {
        Value::String(s) => Value::String(text(s).0),
        Value::Array(items) => Value::Array(items.iter().map(value).collect()),
        Value::Object(map) => Value::Object(object(map)),
        other => other.clone(),
    }
}

pub fn object(map: &Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, v) in map {
        out.insert(key.clone(), if SECRET_KEY.is_match(key) { hidden(v) } else { value(v) });
    }
    out
}

/// What stands under a secret's name: the shape stays, every text and number in it goes.
fn hidden(input: &Value) -> Value {
    match input {
        Value::String(_) | Value::Number(_) => Value::String(MARK.to_string()),
        Value::Array(items) => Value::Array(items.iter().map(hidden).collect()),
        Value::Object(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), hidden(v))).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_shapes_go_and_ordinary_text_stays() {
        for secret in [
            "ghp_0123456789abcdefghijABCDEFGHIJ",
            "AKIAIOSFODNN7EXAMPLE",
            "xoxb-1234567890-abcdef",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123",
            "sk-proj-abcdefghijklmnop",
        ] {
            let (out, n) = text(&format!("before {secret} after"));
            assert_eq!((out.as_str(), n), ("before <redacted> after", 1), "{secret}");
        }
        assert_eq!(text("password: hunter2, user: bob").0, "password: <redacted>, user: bob");
        assert_eq!(text("https://bob:pw@host/x").0, "https://bob:<redacted>@host/x");
        assert_eq!(text("Authorization: Bearer abc.def").0, "Authorization: Bearer <redacted>");
        assert_eq!(
            line("to https://tok3n@host/x and ssh://git@h/y"),
            "to https://<redacted>@host/x and ssh://git@h/y"
        );
        let plain = "The tokenizer splits words; pass the key to the password dialog.";
        assert_eq!(text(plain), (plain.to_string(), 0));
        let out = value(&json!({"api_key":"x","nested":[{"client_secret":"y"}],"title":"ok"}));
        assert_eq!(out, json!({"api_key":MARK,"nested":[{"client_secret":MARK}],"title":"ok"}));
    }
}
