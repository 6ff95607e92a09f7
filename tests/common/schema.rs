//! JSON Schema a second time, for what is checked here: every keyword that a schema of `proto/` or `tests/data/schemas`
//! uses, read strictly. A keyword it does not know and an argument a keyword does not take are faults of the schema.
//!
//! Shares nothing with `core::schema`, so that a mistake there is not made here once more.

use regex::Regex;
use serde_json::{Map, Value};

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// What is wrong with a schema as such.
pub fn malformed(schema: &Value) -> Vec<String> {
    let mut out = Vec::new();
    well_formed(schema, "", &mut out);
    out
}

fn well_formed(schema: &Value, at: &str, out: &mut Vec<String>) {
    let Some(map) = schema.as_object() else {
        if !schema.is_boolean() {
            out.push(format!("{at} is no schema: {schema}"));
        }
        return;
    };
    for (word, argument) in map {
        let at = format!("{at}/{word}");
        let right = match word.as_str() {
            "type" => {
                let names = types(argument);
                !names.is_empty() && distinct(names) && names.iter().all(is_type)
            }
            "$schema" | "$id" | "title" | "description" | "format" => argument.is_string(),
            "minLength" | "maxLength" | "maxItems" => argument.is_u64(),
            "minimum" | "maximum" => argument.is_number(),
            "pattern" => is_pattern(argument),
            "const" | "default" => true,
            "enum" => argument.as_array().is_some_and(|of| !of.is_empty() && distinct(of)),
            "required" => {
                argument.as_array().is_some_and(|of| of.iter().all(Value::is_string) && distinct(of))
            }
            "properties" | "patternProperties" => match argument.as_object() {
                Some(of) => {
                    of.iter().for_each(|(name, schema)| well_formed(schema, &format!("{at}/{name}"), out));
                    word == "properties" || of.keys().all(|name| Regex::new(name).is_ok())
                }
                None => false,
            },
            "anyOf" => {
                let of = argument.as_array().filter(|of| !of.is_empty());
                of.into_iter().flatten().for_each(|schema| well_formed(schema, &at, out));
                of.is_some()
            }
            "additionalProperties" | "propertyNames" | "items" | "not" => {
                well_formed(argument, &at, out);
                true
            }
            _ => false,
        };
        if !right {
            out.push(format!("{at} cannot be {argument}"));
        }
    }
}

fn is_pattern(argument: &Value) -> bool {
    argument.as_str().is_some_and(|pattern| Regex::new(pattern).is_ok())
}

fn distinct(of: &[Value]) -> bool {
    of.iter().enumerate().all(|(n, value)| !of[..n].contains(value))
}

/// Where and how a value does not fit a schema that is well formed.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    check(schema, value, "", &mut out);
    out
}

fn fits(schema: &Value, value: &Value) -> bool {
    faults(schema, value).is_empty()
}

fn check(schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let Some(map) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            out.push(format!("nothing may be at {at}"));
        }
        return;
    };
    for (word, argument) in map {
        let number = || argument.as_f64().unwrap();
        let right = match (word.as_str(), value) {
            ("type", _) => types(argument).iter().any(|name| is_of(name.as_str().unwrap(), value)),
            ("const", _) => argument == value,
            ("enum", _) => argument.as_array().unwrap().contains(value),
            ("anyOf", _) => argument.as_array().unwrap().iter().any(|schema| fits(schema, value)),
            ("not", _) => !fits(argument, value),
            ("pattern", Value::String(text)) => matches(argument.as_str().unwrap(), text),
            ("minLength", Value::String(text)) => text.chars().count() as f64 >= number(),
            ("maxLength", Value::String(text)) => text.chars().count() as f64 <= number(),
            ("maxItems", Value::Array(items)) => items.len() as f64 <= number(),
            ("minimum", Value::Number(n)) => n.as_f64().unwrap() >= number(),
            ("maximum", Value::Number(n)) => n.as_f64().unwrap() <= number(),
            ("required", Value::Object(of)) => {
                argument.as_array().unwrap().iter().all(|name| of.contains_key(name.as_str().unwrap()))
            }
            ("propertyNames", Value::Object(of)) => {
                of.keys().all(|name| fits(argument, &Value::String(name.clone())))
            }
            ("items", Value::Array(items)) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(n, item)| check(argument, item, &format!("{at}/{n}"), out));
                true
            }
            ("properties" | "patternProperties" | "additionalProperties", Value::Object(of)) => {
                for (name, value) in of.iter().filter(|(name, _)| concerns(map, word, name)) {
                    let at = format!("{at}/{name}");
                    match word.as_str() {
                        "properties" => check(&argument[name], value, &at, out),
                        "additionalProperties" => check(argument, value, &at, out),
                        _ => {
                            let those = argument.as_object().unwrap().iter();
                            those
                                .filter(|(pattern, _)| matches(pattern, name))
                                .for_each(|(_, schema)| check(schema, value, &at, out));
                        }
                    }
                }
                true
            }
            // Says nothing of values, or nothing of values of this type.
            _ => true,
        };
        if !right {
            out.push(format!("{value} at '{at}' does not hold {word}: {argument}"));
        }
    }
}

/// Whether one of the three keywords about properties is about this one.
fn concerns(schema: &Map<String, Value>, word: &str, name: &str) -> bool {
    let of = |word: &str| schema.get(word).and_then(Value::as_object);
    let named = of("properties").is_some_and(|of| of.contains_key(name));
    let matched = of("patternProperties").is_some_and(|of| of.keys().any(|pattern| matches(pattern, name)));
    match word {
        "properties" => named,
        "patternProperties" => matched,
        _ => !named && !matched,
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).unwrap().is_match(text)
}

/// One type or several.
fn types(argument: &Value) -> &[Value] {
    match argument {
        Value::Array(several) => several,
        one => std::slice::from_ref(one),
    }
}

fn is_type(name: &Value) -> bool {
    name.as_str().is_some_and(|name| TYPES.contains(&name))
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|n| n.fract() == 0.0),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        _ => panic!("no type of JSON: {name}"),
    }
}
