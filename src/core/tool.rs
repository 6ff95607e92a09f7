//! A tool as `proto/tools/<family>.json` declares it.
//!
//! Everything outside the `packd` key is served to clients verbatim; the `packd` key is for policy and tests.

use serde::Deserialize;
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

#[derive(Debug, Clone, Deserialize)]
pub struct Rules {
    pub safety: Safety,
    pub gate: Gate,
    pub confirm: Confirm,
    /// Arguments are checked against the schema before the family sees them.
    #[serde(default = "yes")]
    pub strict: bool,
    #[serde(default)]
    pub read_when: Vec<ReadWhen>,
    /// Where given, the tool is dangerous (and asks for its confirmation) only with such arguments, else a safe write.
    #[serde(default)]
    pub dangerous_when: Vec<ReadWhen>,
    /// Changes the session only (mode, scope): not subject to the mode.
    #[serde(default)]
    pub ungated: bool,
    /// Listed only with this launch flag.
    #[serde(default)]
    pub needs_flag: Option<String>,
    /// One line for the README's table.
    pub line: String,
    /// Argument sets the schema accepts and a test executes.
    #[serde(default)]
    pub examples: Vec<Value>,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone)]
pub struct Tool {
    pub name: String,
    pub family: String,
    pub rules: Rules,
    pub schema: Value,
    /// What `tools/list` sends, as JSON text.
    pub served: String,
}

#[derive(Deserialize)]
struct File {
    family: String,
    tools: Vec<Map<String, Value>>,
}

impl Tool {
    /// Reads one `proto/tools` file. The files are part of the binary, so an error is a build defect.
    pub fn parse_all(json: &str) -> Result<Vec<Tool>, String> {
        let file: File = serde_json::from_str(json).map_err(|e| e.to_string())?;
        file.tools.into_iter().map(|tool| Tool::parse(&file.family, tool)).collect()
    }

    fn parse(family: &str, mut tool: Map<String, Value>) -> Result<Tool, String> {
        let name = tool.get("name").and_then(Value::as_str).ok_or("a tool has no name")?.to_string();
        let rules = tool.shift_remove("packd").ok_or_else(|| format!("{name} has no packd section"))?;
        let rules = serde_json::from_value(rules).map_err(|e| format!("{name}: {e}"))?;
        let schema = tool.get("inputSchema").cloned().ok_or_else(|| format!("{name} has no inputSchema"))?;
        let served = Value::Object(tool).to_string();
        Ok(Tool { name, family: family.to_string(), rules, schema, served })
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
