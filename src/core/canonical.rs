//! One text for one JSON value: members in the order of their names' bytes, no white space, one form of each number.
//!
//! What is hashed is hashed in this form, so it does not matter how a value was stored or typed. Reading the text
//! and writing it again gives the same text.

use serde_json::{Number, Value};

pub fn text(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => out.push_str(&number(n)),
        Value::String(s) => string(s, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| name.as_bytes());
            out.push('{');
            for (i, (name, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                string(name, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

/// Integers in decimal; anything else as the shortest decimal that reads back the same, without an exponent. So
/// `1`, `1.0` and `1e0` are one number.
fn number(n: &Number) -> String {
    match (n.as_u64(), n.as_i64(), n.as_f64()) {
        (Some(n), _, _) => n.to_string(),
        (None, Some(n), _) => n.to_string(),
        (None, None, Some(n)) => n.to_string(),
        (None, None, None) => n.to_string(),
    }
}

fn string(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn order_white_space_and_number_forms_do_not_matter() {
        let typed: Value =
            serde_json::from_str(r#" {"b": 1.0, "a": [1e0, 0.50, -0.0, 1e20, 18446744073709551615, -3]} "#)
                .unwrap();
        assert_eq!(text(&typed), r#"{"a":[1,0.5,-0,100000000000000000000,18446744073709551615,-3],"b":1}"#);
        assert_eq!(
            text(&json!({"é": "a\u{1}\"\\\n", "z": null})),
            "{\"z\":null,\"é\":\"a\\u0001\\\"\\\\\\n\"}"
        );
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_read_back_has_the_same_text(value in values()) {
            let first = text(&value);
            let again: Value = serde_json::from_str(&first).unwrap();
            prop_assert_eq!(text(&again), first);
        }
    }
}
