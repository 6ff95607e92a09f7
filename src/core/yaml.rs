//! The one YAML reader and writer of all families.
//!
//! YAML 1.2: only `true` and `false` are booleans, so `yes`, `no`, `on`, `off`, `y` and `n` stay the words they
//! are. Files come from repositories of others: what aliases may blow up to is bounded. What is written here
//! is read back the same by YAML 1.1 readers, too: such words are quoted.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Together they bound what a small file can become in memory: how much aliases may repeat, and how much text.
const MAX_ALIASES: usize = 1_000;
const MAX_REPEATED: usize = 10_000;
const REPEATED_BYTES: usize = 1024 * 1024;

/// Why a text is not the YAML that was wanted: one line, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlFault {
    pub message: String,
    /// Line and column, both from 1.
    pub place: Option<(u64, u64)>,
}

impl fmt::Display for YamlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The first document of a text as a value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlFault> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_aliases: MAX_ALIASES,
            // An escape of two bytes may stand for three.
            max_total_scalar_bytes: text.len().saturating_mul(2).saturating_add(REPEATED_BYTES),
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MAX_REPEATED,
            max_replay_stack_depth: 16,
        },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|e| {
        let told = e.to_string();
        let first = told.lines().next().unwrap_or("it cannot be read");
        YamlFault {
            message: first.strip_prefix("error: ").unwrap_or(first).trim_end_matches('.').to_string(),
            place: e.location().map(|at| (at.line(), at.column())),
        }
    })
}

/// A value where a boolean is meant: there, and only there, the words of older readers still count.
pub fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(word) => match word.to_ascii_lowercase().as_str() {
            "yes" | "on" | "y" => Some(true),
            "no" | "off" | "n" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A value as a document; strings that any reader would take for something else are quoted.
pub fn write<T: Serialize>(value: &T) -> Result<String, String> {
    serde_saphyr::to_string(value).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_that_older_readers_take_for_booleans_are_words() {
        for word in ["yes", "no", "on", "off", "y", "n", "Yes", "NO", "On", "OFF", "Y", "N"] {
            let text = format!("a: {word}\nb: [{word}]\n{word}: 1\n");
            assert_eq!(read::<Value>(&text).unwrap(), json!({"a": word, "b": [word], word: 1}), "{word}");
            let kept = json!({"a": word, "b": [word], word: "x"});
            let written = write(&kept).unwrap();
            assert_eq!(read::<Value>(&written).unwrap(), kept, "{written}");
            let loose: Value = serde_saphyr::from_str(&written).unwrap();
            assert_eq!(loose, kept, "an older reader reads the same: {written}");
        }
        let text = "a: true\nb: False\nc: \"true\"\nd: ~\n";
        assert_eq!(read::<Value>(text).unwrap(), json!({"a": true, "b": false, "c": "true", "d": null}));
        assert!(read::<Vec<bool>>("[yes]").is_err());
        assert_eq!(["yes", "Off", "true"].map(|word| flag(&json!(word))), [Some(true), Some(false), None]);
    }

    #[test]
    fn aliases_work_within_bounds() {
        let merged = "base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2\nsame: *b\n";
        let value: Value = read(merged).unwrap();
        assert_eq!(value["more"], json!({"x": 1, "y": 2}));
        assert_eq!(value["same"], json!({"x": 1}));

        let mut laughs = "a0: &a0 [ha, ha]\n".to_string();
        for n in 1..30 {
            let before = n - 1;
            laughs += &format!("a{n}: &a{n} [*a{before}, *a{before}, *a{before}, *a{before}]\n");
        }
        assert!(read::<Value>(&laughs).is_err());

        // Few aliases, much text.
        let long = "x".repeat(100_000);
        assert!(read::<Value>(&format!("a: &a {long}\nb: [{}]\n", "*a,".repeat(90))).is_err());
        let many: String = (0..2_000).map(|n| format!("k{n}: &k{n} v\nl{n}: *k{n}\n")).collect();
        assert!(read::<Value>(&many).is_err());
        assert!(read::<Value>("a: &a [*a]\n").is_err());
    }

    #[test]
    fn a_fault_is_one_line_with_its_place() {
        let fault = read::<Value>("a: 1\nb: [1\nc: 2\n").unwrap_err();
        assert!(!fault.message.contains('\n') && !fault.message.is_empty(), "{fault:?}");
        assert!(fault.place.is_some(), "{fault:?}");
    }
}
