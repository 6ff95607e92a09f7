//! The one layout of answers in prose: breadcrumb and summary, details, what to do next.
//!
//! The same facts go out twice: as text for people and as structured content with `_context`. Suggested calls
//! are complete: a client may send them as they stand.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ctx::ErrorCtx;
use super::{Ctx, Error, Mode, Outcome, Reply, Result};

/// A call that may come next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Next {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

impl Next {
    pub fn call(tool: &str) -> Next {
        Next { tool: tool.to_string(), arguments: Map::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Next {
        self.arguments.insert(name.to_string(), value.into());
        self
    }

    /// The same with all of these.
    #[must_use]
    pub fn all(mut self, arguments: Map<String, Value>) -> Next {
        self.arguments.extend(arguments);
        self
    }

    /// As the text has it.
    pub fn spelled(&self) -> String {
        let mut out = self.tool.clone();
        for (name, value) in &self.arguments {
            out.push_str(&format!(" {name}={}", value.as_str().map_or(value.to_string(), str::to_string)));
        }
        out
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[derive(Debug, Clone, Default)]
pub struct Answer {
    pub summary: String,
    ecosystem: Option<String>,
    run: Option<String>,
    release: Option<String>,
    /// The lines of the text.
    details: Vec<String>,
    /// Those among them that no field says: they are a field of their own.
    untold: Vec<String>,
    fields: Map<String, Value>,
    next: Vec<Next>,
}

/// Where an answer stands; the text has it as its breadcrumb.
#[derive(Serialize)]
struct Context<'a> {
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ecosystem: Option<&'a str>,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<&'a str>,
    breadcrumb: &'a str,
}

impl Answer {
    pub fn new(summary: impl Into<String>) -> Self {
        Answer { summary: summary.into(), ..Answer::default() }
    }

    /// The same under another summary.
    #[must_use]
    pub fn headed(mut self, summary: String) -> Self {
        self.summary = summary;
        self
    }

    #[must_use]
    pub fn ecosystem(mut self, name: Option<&str>) -> Self {
        self.ecosystem = name.map(str::to_string);
        self
    }

    #[must_use]
    pub fn run(mut self, id: &str) -> Self {
        self.run = Some(id.to_string());
        self
    }

    #[must_use]
    pub fn release(mut self, tag: &str) -> Self {
        self.release = Some(tag.to_string());
        self
    }

    /// A line that no other field of the answer says.
    #[must_use]
    pub fn line(self, line: impl Into<String>) -> Self {
        self.lines([line.into()])
    }

    #[must_use]
    pub fn lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        for line in lines {
            self.untold.push(line.clone());
            self.details.push(line);
        }
        self
    }

    /// Lines of the text that say what fields say.
    #[must_use]
    pub fn told(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// A Markdown table; nothing at all without rows.
    #[must_use]
    pub fn table(mut self, head: &[&str], rows: &[Vec<String>]) -> Self {
        if rows.is_empty() {
            return self;
        }
        self.details.push(format!("| {} |", head.join(" | ")));
        self.details.push(format!("|{}", "---|".repeat(head.len())));
        for row in rows {
            let cells: Vec<String> = row.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect();
            self.details.push(format!("| {} |", cells.join(" | ")));
        }
        self
    }

    /// Fields of the structured answer, beside `summary`, `_context` and `next`.
    #[must_use]
    pub fn fields(self, fields: impl Serialize) -> Self {
        // Structs and maps of plain data with text keys: there is nothing in them that JSON cannot hold.
        self.members(object(serde_json::to_value(fields).unwrap_or_default()))
    }

    #[must_use]
    pub fn members(mut self, members: Map<String, Value>) -> Self {
        self.fields.extend(members);
        self
    }

    #[must_use]
    pub fn field(mut self, name: &str, value: impl Serialize) -> Self {
        self.fields.insert(name.to_string(), serde_json::to_value(value).unwrap_or_default());
        self
    }

    /// At most five are shown, none twice.
    #[must_use]
    pub fn next(mut self, next: Next) -> Self {
        if self.next.len() < 5 && !self.next.contains(&next) {
            self.next.push(next);
        }
        self
    }

    pub fn breadcrumb(&self) -> String {
        let mut parts = vec!["global".to_string()];
        parts.extend(self.ecosystem.clone());
        if let Some(run) = &self.run {
            parts.push(format!("run:{}", run.get(..8).unwrap_or(run)));
        } else if let Some(tag) = &self.release {
            parts.push(format!("release:{tag}"));
        }
        format!("[{}]", parts.join(" > "))
    }

    fn text(&self) -> String {
        let mut text = format!("{} {}", self.breadcrumb(), self.summary);
        if !self.details.is_empty() {
            text.push_str("\n\n");
            text.push_str(&self.details.join("\n"));
        }
        if !self.next.is_empty() {
            let calls: Vec<String> = self.next.iter().map(|n| format!("[{}]", n.spelled())).collect();
            text.push_str(&format!("\n\nNext: {}", calls.join("  ")));
        }
        text
    }

    pub fn reply(&self, ctx: &Ctx) -> Reply {
        self.reply_for(ctx.call.mode)
    }

    pub fn reply_for(&self, mode: Mode) -> Reply {
        let breadcrumb = self.breadcrumb();
        let scope = match (&self.run, &self.release, &self.ecosystem) {
            (Some(_), ..) => "run",
            (_, Some(_), _) => "release",
            (_, _, Some(_)) => "ecosystem",
            _ => "global",
        };
        let context = Context {
            scope,
            ecosystem: self.ecosystem.as_deref(),
            mode: mode.as_str(),
            run_id: self.run.as_deref(),
            release: self.release.as_deref(),
            breadcrumb: &breadcrumb,
        };
        let mut whole = Answer::default().field("summary", &self.summary);
        if let Some(id) = &self.run {
            whole = whole.field("run_id", id);
        }
        if !self.next.is_empty() {
            whole = whole.field("next", &self.next);
        }
        whole = whole.members(self.fields.clone());
        if !self.untold.is_empty() {
            whole = whole.field("details", &self.untold);
        }
        let whole = whole.field("_context", context);
        Reply { text: self.text(), structured: Some(Value::Object(whole.fields)), ..Reply::default() }
    }

    pub fn outcome(&self, ctx: &Ctx) -> Result<Outcome> {
        Ok(Outcome::reply(self.reply(ctx)))
    }
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Value>,
}

/// An error in this layout. What a refusal by policy carries is spelt out for people, too.
pub fn error(error: &Error, ctx: &ErrorCtx, ecosystem: Option<&str>, next: Vec<Next>) -> Reply {
    let mut answer = Answer::new(format!("Error: {}", error.message)).ecosystem(ecosystem);
    let details = error.details.as_deref();
    let text = |name: &str| details.and_then(|d| d.get(name)).and_then(Value::as_str);
    let texts = |name: &str| -> Vec<String> {
        let list = details.and_then(|d| d.get(name)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
    };
    answer = answer
        .told(text("would").map(|would| format!("Would: {would}")))
        .told(texts("state").into_iter().map(|line| format!("Now: {line}")))
        .told(text("irreversible").map(|why| format!("Cannot be undone: {why}")))
        .told(texts("alternatives").into_iter().map(|line| format!("Safer: {line}")))
        .told(error.hint.iter().map(|hint| format!("Hint: {hint}")));
    for next in next {
        answer = answer.next(next);
    }
    let told = Told { code: &error.code, message: &error.message, hint: error.hint.as_deref(), details };
    answer.field("error", told).reply_for(ctx.call.map_or(Mode::Ask, |c| c.mode)).error()
}
