//! A tool as `proto/tools/<family>.json` declares it.
//!
//! Everything outside the `packd` key is served to clients verbatim; the `packd` key is for policy and tests.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Safety {
    ReadOnly,
    SafeWrite,
    Dangerous,
}

/// Which rule, besides the mode, stands between a call and its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The contract's own guards: revision, dry_run, strict targeting.
    Own,
    /// `yes` and, for an apply, a confirm token.
    Yes,
    /// `--allow-write`.
    AllowWrite,
    /// The mode itself is the gate: the silent default (ask) refuses.
    Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirm {
    None,
    Simple,
    Preview,
    Type,
}

impl Confirm {
    /// As rows and replies say it.
    pub fn as_str(self) -> &'static str {
        match self {
            Confirm::None => "none",
            Confirm::Simple => "simple",
            Confirm::Preview => "preview",
            Confirm::Type => "type",
        }
    }

    pub fn parse(text: &str) -> Confirm {
        let known = [Confirm::Simple, Confirm::Preview, Confirm::Type];
        known.into_iter().find(|kind| kind.as_str() == text).unwrap_or(Confirm::None)
    }
}

/// A condition on the arguments under which a writing tool only reads, or becomes dangerous.
#[derive(Debug, Clone, Deserialize)]
pub struct ReadWhen {
    pub arg: String,
    /// Values that meet the condition.
    #[serde(default)]
    pub is: Vec<Value>,
    /// Leaving the argument out (or sending another type) meets it, too.
    #[serde(default)]
    pub absent: bool,
}

impl ReadWhen {
    fn holds(&self, args: &Map<String, Value>) -> bool {
        match args.get(&self.arg) {
            Some(value) => self.is.contains(value) || (self.absent && value.is_null()),
            None => self.absent,
        }
    }
}

/// What becomes of a field that a schema does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unknown {
    Refuse,
    /// The call runs, and its reply says so.
    Warn,
    Ignore,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Rules {
    pub safety: Safety,
    pub gate: Gate,
    pub confirm: Confirm,
    /// Whatever the schema forbids is refused before the tool sees it; else its contract has words of its own.
    #[serde(default = "yes")]
    pub strict: bool,
    /// What becomes of fields that the schema does not have. Where nothing is said, a strict tool refuses them.
    #[serde(default)]
    pub unknown: Option<Unknown>,
    /// Fields that are taken beside those of the schema: what a contract accepts, but nobody has to read about.
    #[serde(default)]
    pub also: Vec<String>,
    /// A string that holds JSON of the wanted type is taken for that.
    #[serde(default = "yes")]
    pub coerce: bool,
    /// Fields that the tool judges itself, because its contract has codes and an order of its own for them.
    #[serde(default)]
    pub own: Vec<String>,
    /// The family's own code for arguments that the schema forbids.
    #[serde(default)]
    pub invalid: Option<String>,
    /// `null` counts as left out.
    #[serde(default)]
    pub absent_null: bool,
    #[serde(default)]
    pub read_when: Vec<ReadWhen>,
    /// Where given, the tool is dangerous (and asks for its confirmation) only with such arguments, else a safe write.
    #[serde(default)]
    pub dangerous_when: Vec<ReadWhen>,
    /// Changes the session only (mode, scope): not subject to the mode.
    #[serde(default)]
    pub ungated: bool,
    /// Arguments that no record may hold.
    #[serde(default)]
    pub unrecorded: Vec<String>,
    /// Listed only with this launch flag.
    #[serde(default)]
    pub needs_flag: Option<String>,
    /// What the instructions say of it: the call to begin with.
    #[serde(default)]
    pub begins: Option<String>,
    /// Sets of tools across families that it belongs to.
    #[serde(default)]
    pub sets: Vec<String>,
    /// Arguments that such a set shows; the others are taken all the same. Empty = all of them.
    #[serde(default)]
    #[allow(dead_code, reason = "read where the short form is made of the declaration")]
    pub daily: Vec<String>,
    /// One line for the README's table.
    pub line: String,
    /// Argument sets the schema accepts and a test executes.
    #[serde(default)]
    #[allow(dead_code, reason = "tests run them")]
    pub examples: Vec<Value>,
}

impl Rules {
    pub fn unknown(&self) -> Unknown {
        self.unknown.unwrap_or(if self.strict { Unknown::Refuse } else { Unknown::Ignore })
    }
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone)]
pub struct Declared {
    pub name: String,
    pub family: String,
    pub rules: Rules,
    pub schema: Late<Value>,
    /// What `tools/list` sends, as JSON text.
    pub served: Late<String>,
    /// The same where it is listed as part of a set: for people nothing, of arguments those of daily work.
    pub brief: Late<String>,
}

/// A part of a declaration that is made of its text when it is first asked for: a start waits for none of them, and
/// most are never needed.
#[derive(Clone)]
pub struct Late<T> {
    declared: Arc<str>,
    make: fn(Map<String, Value>) -> T,
    made: OnceLock<T>,
}

impl<T> Deref for Late<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // The text was read once already, so it can be read again.
        self.made.get_or_init(|| (self.make)(serde_json::from_str(&self.declared).unwrap_or_default()))
    }
}

impl<T> std::fmt::Debug for Late<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.declared)
    }
}

#[derive(Deserialize)]
struct File<'a> {
    family: String,
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

/// What a start reads of a tool.
#[derive(Deserialize)]
struct Head<'a> {
    name: String,
    packd: Rules,
    #[serde(rename = "inputSchema", borrow)]
    _schema: &'a RawValue,
}

impl Declared {
    /// Reads one `proto/tools` file. The files are part of the binary, so an error is a build defect.
    pub fn parse_all(json: &str) -> Result<Vec<Declared>, String> {
        let file: File = serde_json::from_str(json).map_err(|e| e.to_string())?;
        file.tools.into_iter().map(|tool| Declared::parse(&file.family, tool.get())).collect()
    }

    fn parse(family: &str, text: &str) -> Result<Declared, String> {
        let Head { name, packd, .. } = serde_json::from_str(text).map_err(|e| format!("{text}: {e}"))?;
        let declared: Arc<str> = text.into();
        let schema = Late { declared: Arc::clone(&declared), make: schema, made: OnceLock::new() };
        let served = Late { declared: Arc::clone(&declared), make: served, made: OnceLock::new() };
        let brief = Late { declared, make: brief, made: OnceLock::new() };
        Ok(Declared { name, family: family.to_string(), rules: packd, schema, served, brief })
    }

    /// Does a call with these arguments only read?
    pub fn only_reads(&self, args: &Map<String, Value>) -> bool {
        self.rules.safety == Safety::ReadOnly || self.rules.read_when.iter().any(|when| when.holds(args))
    }

    /// Safety and confirmation of a call with these arguments.
    pub fn safety(&self, args: &Map<String, Value>) -> (Safety, Confirm) {
        let when = &self.rules.dangerous_when;
        if when.is_empty() || when.iter().any(|w| w.holds(args)) {
            (self.rules.safety, self.rules.confirm)
        } else {
            (Safety::SafeWrite, Confirm::None)
        }
    }
}

/// The schema as arguments are checked against it: with the fields that are only accepted, and closed where its rules
/// say what becomes of others.
fn schema(mut tool: Map<String, Value>) -> Value {
    let mut schema = tool.shift_remove("inputSchema").unwrap_or_default();
    let rules: Option<Rules> =
        tool.shift_remove("packd").and_then(|rules| serde_json::from_value(rules).ok());
    let (Some(map), Some(rules)) = (schema.as_object_mut(), rules) else { return schema };
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for name in rules.also {
            properties.entry(name).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    if rules.unknown.is_some() {
        map.insert("additionalProperties".into(), Value::Bool(false));
    }
    schema
}

fn served(mut tool: Map<String, Value>) -> String {
    tool.shift_remove("packd");
    Value::Object(tool).to_string()
}

fn brief(mut tool: Map<String, Value>) -> String {
    let daily = tool.get("packd").and_then(|packd| packd.get("daily")).and_then(Value::as_array).cloned();
    let shown = tool.get_mut("inputSchema").and_then(|schema| schema.get_mut("properties"));
    if let (Some(daily), Some(Value::Object(properties))) = (daily, shown) {
        properties.retain(|name, _| daily.iter().any(|known| known == name));
    }
    tool.shift_remove("title");
    if let Some(Value::Object(annotations)) = tool.get_mut("annotations") {
        annotations
            .retain(|name, value| !UNSAID.iter().any(|(known, usual)| name == known && *value == *usual));
    }
    served(tool)
}

/// What the protocol takes for granted where an annotation says nothing.
const UNSAID: [(&str, bool); 4] =
    [("readOnlyHint", false), ("destructiveHint", true), ("idempotentHint", false), ("openWorldHint", true)];
