//! `proto/tools` is the contract people read: every declaration is complete, small, and its examples really run.

use std::collections::BTreeMap;

use packd::core::{Declared, Safety};
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, session_info};
use crate::common::schema;

/// Bytes of `tools/list` per family; grows only on purpose.
const BUDGET: &[(&str, usize)] = &[
    ("deploy", 10_200),
    ("ecosystems", 14_500),
    ("history", 4_800),
    ("modes", 1_900),
    ("now", 1_300),
    ("packages", 9_300),
    ("packs", 4_600),
    ("snapshots", 2_700),
    ("tasks", 24_200),
];
/// What a host gets that starts the shim without flags.
const WHOLE_LIST: usize = 64 * 1024;

fn tools() -> Vec<Declared> {
    packd::daemon::assemble::declared().expect("proto/tools must parse")
}

#[test]
fn every_tool_is_declared_completely() {
    let handlers: Vec<_> = packd::daemon::assemble::families().iter().map(|f| f.name()).collect();
    for tool in tools() {
        let served: Value = serde_json::from_str(&tool.served).unwrap();
        let name = &tool.name;
        assert!(handlers.contains(&tool.family.as_str()), "{name} belongs to no family");
        assert!(name.len() <= 40 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        assert!(served["title"].is_string() && served["description"].is_string(), "{name} says too little");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(served["annotations"][hint].is_boolean(), "{name} does not say {hint}");
        }
        assert!(served.get("packd").is_none(), "{name} serves what is not for clients");
        // A review leaves a token and nothing else: to a host it only reads, though the engine stores something.
        let reads = tool.rules.safety == Safety::ReadOnly || name == "deploy";
        assert_eq!(
            served["annotations"]["readOnlyHint"] == json!(true),
            reads,
            "{name}: the hint and the safety disagree"
        );
        assert!(!tool.rules.line.is_empty(), "{name} has no line for the README");
    }
}

#[test]
fn schemas_are_valid_and_plain() {
    for tool in tools() {
        assert_eq!(schema::malformed(&tool.schema), [""; 0], "{}", tool.name);
        assert_eq!(tool.schema["type"], "object", "{}", tool.name);
        assert_plain(&tool.name, &tool.schema);
        for example in &tool.rules.examples {
            assert_eq!(
                schema::faults(&tool.schema, example),
                [""; 0],
                "{} refuses its own example",
                tool.name
            );
            let wrong = packd::core::schema::check(&tool.schema, example);
            assert_eq!(wrong, None, "{} refuses its own example {example}", tool.name);
        }
    }
}

#[test]
fn every_argument_says_its_type() {
    for tool in tools() {
        // What is only accepted is not served.
        let served: Value = serde_json::from_str(&tool.served).unwrap();
        for (name, schema) in served["inputSchema"]["properties"].as_object().into_iter().flatten() {
            let typed = ["type", "anyOf"].iter().any(|key| schema.get(key).is_some());
            assert!(typed, "{}: '{name}' has no type, which inspectors warn about", tool.name);
        }
    }
}

/// What says so for tools and manifests would be worth nothing if it let everything pass.
#[test]
fn the_second_reading_of_a_schema_refuses_what_does_not_fit() {
    let wrong = [
        json!({"type": "text"}),
        json!({"typ": "string"}),
        json!({"required": ["a", "a"]}),
        json!({"properties": {"a": {"enum": []}}}),
        json!({"pattern": "("}),
        json!({"items": 3}),
        json!({"anyOf": []}),
    ];
    for schema in wrong {
        assert_eq!(schema::malformed(&schema).len(), 1, "{schema}");
    }
    let schema = json!({
        "type": "object", "required": ["a"], "additionalProperties": false, "propertyNames": {"maxLength": 1},
        "patternProperties": {"^[xy]$": {"not": {"const": 1}}},
        "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 9},
            "b": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 2, "pattern": "^k"}},
            "c": {"anyOf": [{"type": "null"}, {"enum": ["on", "off"]}]}
        }
    });
    assert_eq!(schema::malformed(&schema), [""; 0]);
    let good = [
        json!({"a": 1.0}),
        json!({"a": 9, "b": ["ké", "kl"], "c": null, "x": 2}),
        json!({"a": 2, "c": "on"}),
    ];
    for value in good {
        assert_eq!(schema::faults(&schema, &value), [""; 0]);
    }
    let bad = [
        json!([]),
        json!({}),
        json!({"a": 0}),
        json!({"a": 10}),
        json!({"a": 1.5}),
        json!({"a": "1"}),
        json!({"a": 1, "d": 1}),
        json!({"a": 1, "x": 1}),
        json!({"a": 1, "b": ["k"]}),
        json!({"a": 1, "b": ["ok"]}),
        json!({"a": 1, "b": ["kk", "kk", "kk"]}),
        json!({"a": 1, "c": "maybe"}),
    ];
    for value in bad {
        assert_eq!(schema::faults(&schema, &value).len(), 1, "{value}");
    }
    let two = schema::faults(&schema, &json!({"a": 1, "long": 1}));
    assert_eq!(two.len(), 2, "an unknown name that is too long: {two:?}");
}

/// An argument that is taken and not listed is never sent by a model that keeps to the schema.
#[test]
fn whatever_obeys_the_mode_says_so() {
    for tool in tools() {
        let obeys = tool.rules.safety != Safety::ReadOnly && !tool.rules.ungated;
        let served: Value = serde_json::from_str(&tool.served).unwrap();
        let listed = served["inputSchema"]["properties"].get("mode").is_some();
        assert_eq!(listed, obeys || tool.name == "amof_set_mode", "{}", tool.name);
    }
}

/// A field that nobody knows is found for every tool; only `now`, which never fails, takes no notice of it.
#[test]
fn no_tool_drops_a_field_in_silence() {
    use packd::core::declared::Unknown;
    for tool in tools() {
        let found = packd::core::schema::check_all(&tool.schema, &json!({"no_such_field": 1}));
        assert!(found.iter().any(|fault| fault.unknown), "{} does not see it", tool.name);
        assert!(tool.name == "now" || tool.rules.unknown() != Unknown::Ignore, "{} ignores it", tool.name);
    }
}

/// Hosts print warnings about these on the user's terminal.
fn assert_plain(tool: &str, schema: &Value) {
    match schema {
        Value::Object(map) => {
            assert!(!map.contains_key("$ref") && !map.contains_key("oneOf"), "{tool}: $ref or oneOf");
            assert!(!map.get("type").is_some_and(Value::is_array), "{tool}: type is an array");
            // VS Code refuses a tool with an array that does not say what is in it.
            let list = map.get("type").and_then(Value::as_str) == Some("array");
            assert!(!list || map.contains_key("items"), "{tool}: an array without items");
            let format = map.get("format").and_then(Value::as_str).unwrap_or_default();
            assert!(!format.starts_with("uint"), "{tool}: format {format}");
            map.values().for_each(|v| assert_plain(tool, v));
        }
        Value::Array(items) => items.iter().for_each(|v| assert_plain(tool, v)),
        _ => {}
    }
}

#[test]
fn every_example_runs() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(dir.path().join("main.rs"), "fn main() {\n    println!(\"hi\");\n}\n").unwrap();
    let workspace = dir.path().to_str().unwrap();
    let mut by_family: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for file in packd::daemon::assemble::DECLARED {
        // In the order of the file: later examples build on earlier ones.
        for tool in Declared::parse_all(file).unwrap() {
            let examples = tool.rules.examples.iter().map(|e| (tool.name.clone(), e.clone()));
            by_family.entry(tool.family.clone()).or_default().extend(examples);
        }
    }
    for (family, examples) in by_family {
        let t = TestEngine::build(|options| options.home = Some(dir.path().join("packd")));
        let mut info = session_info("examples", workspace);
        info.home = home.path().join("home");
        let session = t.open(info);
        assert!(!examples.is_empty(), "{family} has no examples");
        for (tool, example) in examples {
            t.ok(&session, &tool, example);
        }
    }
}

#[test]
fn the_list_stays_small() {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for tool in tools() {
        *sizes.entry(tool.family.clone()).or_default() += tool.served.len() + 1;
    }
    let budget: BTreeMap<_, _> = BUDGET.iter().copied().collect();
    for (family, size) in &sizes {
        let allowed = budget.get(family.as_str()).unwrap_or_else(|| panic!("{family} has no budget"));
        assert!(size <= allowed, "{family} takes {size} bytes of tools/list; {allowed} are allowed");
    }
    let default = tools().into_iter().filter(|tool| tool.rules.needs_flag.is_none());
    let whole: usize = default.map(|tool| tool.served.len() + 1).sum();
    assert!(whole <= WHOLE_LIST, "the whole list takes {whole} bytes");
}
