//! Takes secrets out of text and JSON before anything is stored.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

pub const MARK: &str = "[REDACTED]";

/// Keys whose value is a secret whatever it looks like.
static SECRET_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(.*[_-])?(password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credentials?|client[_-]?secret)$",
    )
});

/// Shapes of secrets inside text. A group named `keep` stays, the rest of the match goes.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}\b",
        r"\bgithub_pat_[A-Za-z0-9_]{20,}\b",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}",
        r"\b(AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{5,}",
        r"(?i)(?P<keep>\bauthorization\s*:\s*(bearer|basic|token)\s+)[^\s,;]+",
        r"(?i)(?P<keep>\bbearer\s+)[A-Za-z0-9._~+/=-]{12,}",
        r#"(?i)(?P<keep>["']?\b[a-z0-9_-]*(password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s*[:=]\s*["']?)[^\s"',;}\])]{3,}"#,
        r"(?P<keep>[a-z][a-z0-9+.-]*://[^/\s:@]*:)[^@\s/]+(?P<at>@)",
    ]
    .iter()
    .map(|p| pattern(p))
    .collect()
});

fn pattern(text: &str) -> Regex {
    // The patterns are constants of this file and are compiled by its tests.
    Regex::new(text).expect("redaction pattern")
}

/// The text without secrets, and how many were taken out.
pub fn text(input: &str) -> (String, usize) {
    let mut out = input.to_string();
    let mut found = 0;
    for shape in SHAPES.iter() {
        let mut hits = 0;
        let replaced = shape.replace_all(&out, |c: &regex::Captures| {
            if c[0].contains(MARK) {
                return c[0].to_string();
            }
            hits += 1;
            let keep = c.name("keep").map_or("", |m| m.as_str());
            let at = c.name("at").map_or("", |m| m.as_str());
            format!("{keep}{MARK}{at}")
        });
        if hits > 0 {
            out = replaced.into_owned();
            found += hits;
        }
    }
    (out, found)
}

/// A line of a program's output: without known secrets and without the user part of any address in it.
pub fn line(input: &str) -> String {
    let (input, _) = text(input);
    let mut out = String::with_capacity(input.len());
    let mut rest = input.as_str();
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
        let secret = SECRET_KEY.is_match(key) && (v.is_string() || v.is_number());
        out.insert(key.clone(), if secret { Value::String(MARK.to_string()) } else { value(v) });
    }
    out
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
            assert_eq!((out.as_str(), n), ("before [REDACTED] after", 1), "{secret}");
        }
        assert_eq!(text("password: hunter2, user: bob").0, "password: [REDACTED], user: bob");
        assert_eq!(text("https://bob:pw@host/x").0, "https://bob:[REDACTED]@host/x");
        assert_eq!(text("Authorization: Bearer abc.def").0, "Authorization: Bearer [REDACTED]");
        assert_eq!(
            line("to https://tok3n@host/x and ssh://git@h/y"),
            "to https://[REDACTED]@host/x and ssh://git@h/y"
        );
        let plain = "The tokenizer splits words; pass the key to the password dialog.";
        assert_eq!(text(plain), (plain.to_string(), 0));
        let out = value(&json!({"api_key":"x","nested":[{"client_secret":"y"}],"title":"ok"}));
        assert_eq!(out, json!({"api_key":MARK,"nested":[{"client_secret":MARK}],"title":"ok"}));
    }
}
