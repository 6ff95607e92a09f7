//! YAML in and out as JSON values, and exchanging one top-level block of a file without touching the rest.

use serde_json::{Map, Value};

use crate::core::yaml;

/// A document as a value; the error is one line, with its place.
pub fn parse(text: &str) -> Result<Value, String> {
    yaml::read(text).map_err(|fault| fault.message)
}

pub fn parse_bytes(bytes: &[u8]) -> Result<Value, String> {
    parse(std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?)
}

/// A document that must be a mapping; an empty one counts as an empty mapping.
pub fn mapping(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match parse_bytes(bytes)? {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        _ => Err("it is not a mapping of keys to values".to_string()),
    }
}

/// Strings that any YAML 1.1 reader would take for something else are quoted by the writer.
pub fn emit(value: &Value) -> String {
    // Writing JSON values has no case that can fail: keys are strings and numbers are finite.
    yaml::write(value).unwrap_or_default()
}

/// The text with the block of one top-level key exchanged (or added), comments elsewhere kept.
///
/// The result is checked by reading it back; where the file is laid out in a way that defeats the line
/// view, the whole document is written anew.
pub fn set_block(text: &str, document: &Map<String, Value>, key: &str, value: &Value) -> String {
    let mut wanted = document.clone();
    wanted.insert(key.to_string(), value.clone());
    let wanted = Value::Object(wanted);
    let block = emit(&Value::Object(Map::from_iter([(key.to_string(), value.clone())])));
    let edited = splice(text, key, &block);
    match parse(&edited) {
        Ok(read) if read == wanted => edited,
        _ => emit(&wanted),
    }
}

fn splice(text: &str, key: &str, block: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let begins = |line: &str| {
        let bare = line.strip_prefix(['"', '\'']).unwrap_or(line);
        bare.strip_prefix(key).is_some_and(|rest| rest.trim_start_matches(['"', '\'']).starts_with(':'))
    };
    let Some(start) = lines.iter().position(|l| begins(l)) else {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return format!("{text}{gap}{block}");
    };
    let belongs = |line: &&&str| line.starts_with([' ', '\t', '-']) || line.trim().is_empty();
    let mut end = start + 1 + lines[start + 1..].iter().take_while(belongs).count();
    // Blank lines at the end belong to what follows.
    while end > start + 1 && lines[end - 1].trim().is_empty() {
        end -= 1;
    }
    format!("{}{block}{}", lines[..start].concat(), lines[end..].concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_block_is_exchanged_and_the_rest_stays_as_it_was() {
        let text = "# mine\na: 1\nsecurity:\n  x: true # old\n\n# tail\nz: [1, 2]\n";
        let document = mapping(text.as_bytes()).unwrap();
        let out = set_block(text, &document, "security", &json!({"x": false}));
        assert_eq!(out, "# mine\na: 1\nsecurity:\n  x: false\n\n# tail\nz: [1, 2]\n");
        let added = set_block(text, &document, "b", &json!("yes"));
        assert_eq!(added, format!("{text}b: \"yes\"\n"));
        let flow = "{a: 1, b: 2}";
        let out = set_block(flow, &mapping(flow.as_bytes()).unwrap(), "b", &json!(3));
        assert_eq!(parse(&out).unwrap(), json!({"a": 1, "b": 3}));
    }

    #[test]
    fn what_other_readers_would_misread_is_quoted() {
        let value = json!({"a": "1.0", "b": "on", "c": "2026-01-02", "d": "x: y", "e": "@s/n", "f": "12:30"});
        let text = emit(&value);
        assert_eq!(parse(&text).unwrap(), value);
        assert!(text.lines().all(|l| l.contains('"')), "{text}");
    }
}
