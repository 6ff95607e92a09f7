//! Checks arguments against a tool's own `inputSchema`.
//!
//! Knows exactly the part of JSON Schema that `proto/tools` uses: type, properties, required,
//! additionalProperties, enum, const, items, minimum, maximum, minLength, maxLength, maxItems, anyOf.

use serde_json::{Value, json};

use super::json::type_name;

/// One thing that is wrong: where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Dotted path of the field, empty for the arguments as a whole.
    pub field: String,
    pub problem: String,
    pub hint: String,
    /// The field is not one of the schema's.
    pub unknown: bool,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.problem)
    }
}

/// The first violation in the order of the schema, or nothing.
pub fn check(schema: &Value, value: &Value) -> Option<Violation> {
    check_all(schema, value).into_iter().next()
}

/// Every violation, in the order of the schema.
pub fn check_all(schema: &Value, value: &Value) -> Vec<Violation> {
    let mut out = Vec::new();
    check_at(schema, value, "", &mut out);
    out
}

fn wrong(out: &mut Vec<Violation>, field: &str, problem: String, hint: String) {
    out.push(Violation { field: field.to_string(), problem, hint, unknown: false });
}

fn shown(field: &str) -> String {
    if field.is_empty() { "The arguments".to_string() } else { format!("'{field}'") }
}

fn join(field: &str, name: &str) -> String {
    if field.is_empty() { name.to_string() } else { format!("{field}.{name}") }
}

fn check_at(schema: &Value, value: &Value, field: &str, out: &mut Vec<Violation>) {
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = |option: &Value| {
            let mut faults = Vec::new();
            check_at(option, value, field, &mut faults);
            faults.is_empty()
        };
        if !options.iter().any(fits) {
            return check_at(nearest(options, value), value, field, out);
        }
    }
    if let Some(wanted) = schema.get("const")
        && wanted != value
    {
        return wrong(out, field, format!("{} must be {wanted}.", shown(field)), format!("Send {wanted}."));
    }
    if let Some(options) = schema.get("enum").and_then(Value::as_array)
        && !options.contains(value)
    {
        let list = listed(options);
        let problem = format!("{} is {value}, which is not one of: {list}.", shown(field));
        return wrong(out, field, problem, format!("Use one of: {list}."));
    }
    let Some(wanted) = schema.get("type").and_then(Value::as_str) else { return };
    if !is_of(wanted, value) {
        let problem = format!("{} must be of type {wanted}, but is {}.", shown(field), type_name(value));
        let hint = match value {
            // A list of one is what was meant; which one, only the caller can say.
            Value::String(text) if wanted == "array" => format!("Send {}.", json!([text])),
            _ => format!("Send {wanted} here."),
        };
        return wrong(out, field, problem, hint);
    }
    match value {
        Value::Object(map) => check_object(schema, map, field, out),
        Value::Array(items) => check_array(schema, items, field, out),
        Value::String(text) => check_length(schema, text, field, out),
        Value::Number(n) => check_number(schema, n.as_f64().unwrap_or(0.0), field, out),
        _ => {}
    }
}

fn is_of(wanted: &str, value: &Value) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// Of several forms the one that a value is most like: that of its own type, else the first.
fn nearest<'a>(options: &'a [Value], value: &Value) -> &'a Value {
    let own = options
        .iter()
        .find(|option| option.get("type").and_then(Value::as_str).is_some_and(|wanted| is_of(wanted, value)));
    own.or(options.first()).unwrap_or(&Value::Null)
}

fn listed(options: &[Value]) -> String {
    let words: Vec<_> = options.iter().map(|o| o.as_str().map_or(o.to_string(), str::to_string)).collect();
    words.join(", ")
}

fn check_object(schema: &Value, map: &serde_json::Map<String, Value>, field: &str, out: &mut Vec<Violation>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if !map.contains_key(name) {
            let path = join(field, name);
            let kind = properties.and_then(|p| p.get(name)).map(described).unwrap_or_default();
            wrong(out, &path, format!("'{path}' is required."), format!("Add '{path}'{kind}."));
        }
    }
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in map {
        let path = join(field, name);
        match properties.and_then(|p| p.get(name)) {
            Some(schema) => check_at(schema, value, &path, out),
            None if closed => {
                let known = names(schema);
                let fields = format!("Known fields: {}.", known.join(", "));
                let hint = match meant(name, &known) {
                    Some(near) => format!("Did you mean '{near}'? {fields}"),
                    None if known.is_empty() => "This tool takes no arguments.".to_string(),
                    None => fields,
                };
                let problem = format!("'{path}' is not a field of this tool.");
                out.push(Violation { field: path, problem, hint, unknown: true });
            }
            None => {}
        }
    }
}

/// The fields of an object.
fn names(schema: &Value) -> Vec<&str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|p| p.keys().map(String::as_str)).collect()
}

/// What to say of fields that a tool takes no notice of, though its schema is open: each with the name that was meant,
/// if one is near.
pub fn ignored(schema: &Value, args: &serde_json::Map<String, Value>) -> Vec<String> {
    let known = names(schema);
    let odd = args.keys().filter(|name| !known.contains(&name.as_str()));
    let mut listed = false;
    odd.map(|name| {
        let told = match meant(name, &known) {
            Some(near) => format!(" Did you mean '{near}'?"),
            // Once is enough for any number of them.
            None if listed => String::new(),
            None => {
                listed = true;
                format!(" Known fields: {}.", known.join(", "))
            }
        };
        format!("'{name}' is not a field of this tool and was ignored.{told}")
    })
    .collect()
}

/// Type and allowed values of a field, for whoever left it out.
fn described(schema: &Value) -> String {
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return format!(", one of: {}", listed(options));
    }
    schema.get("type").and_then(Value::as_str).map(|kind| format!(" ({kind})")).unwrap_or_default()
}

fn check_array(schema: &Value, items: &[Value], field: &str, out: &mut Vec<Violation>) {
    if let Some(max) = schema.get("maxItems").and_then(Value::as_u64)
        && items.len() as u64 > max
    {
        let problem = format!("{} has {} items; at most {max} are allowed.", shown(field), items.len());
        return wrong(out, field, problem, format!("Send at most {max} items."));
    }
    let Some(inner) = schema.get("items") else { return };
    for (i, item) in items.iter().enumerate() {
        check_at(inner, item, &join(field, &i.to_string()), out);
    }
}

fn check_length(schema: &Value, text: &str, field: &str, out: &mut Vec<Violation>) {
    let chars = text.chars().count() as u64;
    if let Some(min) = schema.get("minLength").and_then(Value::as_u64).filter(|min| chars < *min) {
        let problem = format!("{} has {chars} characters; at least {min} are needed.", shown(field));
        wrong(out, field, problem, format!("Send at least {min} characters."));
    }
    if let Some(max) = schema.get("maxLength").and_then(Value::as_u64).filter(|max| chars > *max) {
        let problem = format!("{} has {chars} characters; at most {max} are allowed.", shown(field));
        wrong(out, field, problem, format!("Send at most {max} characters."));
    }
}

fn check_number(schema: &Value, n: f64, field: &str, out: &mut Vec<Violation>) {
    if let Some(min) = schema.get("minimum").and_then(Value::as_f64).filter(|min| n < *min) {
        let problem = format!("{} is {n}; it must be at least {min}.", shown(field));
        wrong(out, field, problem, format!("Send {min} or more."));
    }
    if let Some(max) = schema.get("maximum").and_then(Value::as_f64).filter(|max| n > *max) {
        let problem = format!("{} is {n}; it must be at most {max}.", shown(field));
        wrong(out, field, problem, format!("Send {max} or less."));
    }
}

/// The known word nearest to a misspelt one, if it is near enough to be meant.
pub fn closest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let budget = (word.chars().count() / 3).max(1);
    known.iter().map(|k| (distance(word, k), *k)).filter(|(d, _)| *d <= budget).min().map(|(_, k)| k)
}

/// The same for the name of a field or tool: one that is near, else the only one with a word of it (`id` for
/// `operation_id`, `acceptance_criteria` for `success_criteria`).
pub fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    closest(name, known).or_else(|| {
        let words: Vec<&str> = name.split('_').collect();
        let shares =
            |k: &&&str| !k.starts_with("expected_") && k.split('_').any(|word| words.contains(&word));
        let mut with = known.iter().filter(shares);
        with.next().filter(|_| with.next().is_none()).copied()
    })
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_field_problem_and_one_fix() {
        let schema = json!({"type":"object","additionalProperties":false,"required":["task"],
            "properties":{"task":{"type":"string"},"limit":{"type":"integer","minimum":1},
                          "mode":{"type":"string","enum":["ask","plan"]},"yes":{"const":true}}});
        let of = |v: Value| check(&schema, &v).map(|v| (v.problem, v.hint));
        assert_eq!(of(json!({"task":"T"})), None);
        assert_eq!(of(json!({})), Some(("'task' is required.".into(), "Add 'task' (string).".into())));
        assert!(of(json!({"task":"T","limt":3})).unwrap().1.starts_with("Did you mean 'limit'?"));
        assert_eq!(of(json!({"task":3})).unwrap().0, "'task' must be of type string, but is integer.");
        assert_eq!(of(json!({"task":"T","limit":0})).unwrap().0, "'limit' is 0; it must be at least 1.");
        assert!(of(json!({"task":"T","limit":1.5})).is_some());
        assert!(of(json!({"task":"T","mode":"go"})).unwrap().1.contains("ask, plan"));
        assert!(of(json!({"task":"T","yes":false})).is_some());
        let choice = json!({"anyOf": [{"type": "string", "enum": ["codex", "cursor"]}, {"type": "null"}]});
        assert!(check(&choice, &json!("emacs")).unwrap().hint.contains("codex, cursor"), "of its own type");
        assert_eq!(check(&json!({"type": "array"}), &json!("x")).unwrap().hint, "Send [\"x\"].");
        assert_eq!(meant("acceptance_criteria", &["title", "success_criteria"]), Some("success_criteria"));
        assert_eq!(meant("section", &["section_key", "section_title"]), None, "either could be meant");
        assert_eq!(
            check_all(&schema, &json!({"limit": "x", "mode": "go", "tsk": 1})).len(),
            4,
            "all at once"
        );
    }
}
