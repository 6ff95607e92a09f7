//! The one layout of this family's answers: breadcrumb and summary, details, what to do next.
//!
//! The same facts go out twice: as text for people and as structured content with `_context`. Suggested calls
//! are complete: a client may send them as they stand.

use serde_json::{Map, Value, json};

use crate::core::ctx::ErrorCtx;
use crate::core::{Ctx, Error, Mode, Outcome, Reply, Result, SessionInfo, Timestamp};

#[derive(Debug, Clone)]
pub struct Next {
    pub tool: &'static str,
    pub arguments: Value,
}

pub fn next(tool: &'static str, arguments: Value) -> Next {
    Next { tool, arguments }
}

#[derive(Debug, Clone, Default)]
pub struct Answer {
    summary: String,
    ecosystem: Option<String>,
    run: Option<String>,
    release: Option<String>,
    details: Vec<String>,
    fields: Map<String, Value>,
    next: Vec<Next>,
}

impl Answer {
    pub fn new(summary: impl Into<String>) -> Self {
        Answer { summary: summary.into(), ..Answer::default() }
    }

    #[must_use]
    pub fn ecosystem(mut self, name: Option<String>) -> Self {
        self.ecosystem = name;
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

    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    #[must_use]
    pub fn lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
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
    pub fn fields(mut self, fields: Value) -> Self {
        if let Value::Object(map) = fields {
            self.fields.extend(map);
        }
        self
    }

    #[must_use]
    pub fn field(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_string(), value);
        self
    }

    /// At most five are shown.
    #[must_use]
    pub fn next(mut self, next: Next) -> Self {
        if self.next.len() < 5
            && !self.next.iter().any(|n| n.tool == next.tool && n.arguments == next.arguments)
        {
            self.next.push(next);
        }
        self
    }

    fn breadcrumb(&self) -> String {
        let mut parts = vec!["global".to_string()];
        parts.extend(self.ecosystem.clone());
        if let Some(run) = &self.run {
            parts.push(format!("run:{}", run.get(..8).unwrap_or(run)));
        } else if let Some(tag) = &self.release {
            parts.push(format!("release:{tag}"));
        }
        format!("[{}]", parts.join(" > "))
    }

    pub fn reply(&self, ctx: &Ctx) -> Reply {
        self.reply_for(ctx.session, ctx.call.mode, ctx.now)
    }

    pub fn reply_for(&self, session: &SessionInfo, mode: Mode, now: Timestamp) -> Reply {
        let breadcrumb = self.breadcrumb();
        let mut text = format!("{breadcrumb} {}", self.summary);
        if !self.details.is_empty() {
            text.push_str("\n\n");
            text.push_str(&self.details.join("\n"));
        }
        if !self.next.is_empty() {
            let calls: Vec<String> = self.next.iter().map(|n| format!("[{}]", spelled(n))).collect();
            text.push_str(&format!("\n\nNext: {}", calls.join("  ")));
        }
        let scope = match (&self.run, &self.release, &self.ecosystem) {
            (Some(_), ..) => "run",
            (_, Some(_), _) => "release",
            (_, _, Some(_)) => "ecosystem",
            _ => "global",
        };
        let mut structured = Map::new();
        structured.insert(
            "_context".into(),
            json!({
                "scope": scope,
                "ecosystem": self.ecosystem,
                "mode": mode.as_str(),
                "run_id": self.run,
                "release": self.release,
                "breadcrumb": breadcrumb,
                "session_id": session.id,
                "timestamp": now.zulu(),
            }),
        );
        structured.insert("summary".into(), json!(self.summary));
        structured.extend(self.fields.clone());
        let calls: Vec<Value> =
            self.next.iter().map(|n| json!({"tool": n.tool, "arguments": n.arguments})).collect();
        structured.insert("next".into(), Value::Array(calls));
        Reply { text, structured: Some(Value::Object(structured)), ..Reply::default() }
    }

    pub fn outcome(&self, ctx: &Ctx) -> Result<Outcome> {
        Ok(Outcome::reply(self.reply(ctx)))
    }
}

fn spelled(next: &Next) -> String {
    let mut out = next.tool.to_string();
    for (name, value) in next.arguments.as_object().into_iter().flatten() {
        out.push_str(&format!(" {name}={}", value.as_str().map_or(value.to_string(), str::to_string)));
    }
    out
}

/// An error in the same layout. What a refusal by policy carries is spelt out for people, too.
pub fn error(error: &Error, ctx: &ErrorCtx) -> Reply {
    let scope = ctx.call.and_then(|c| c.text("ecosystem"));
    let mut answer = Answer::new(format!("Error: {}", error.message)).ecosystem(scope.map(str::to_string));
    let details = error.details.as_deref();
    let texts = |name: &str| -> Vec<String> {
        let list = details.and_then(|d| d.get(name)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
    };
    if let Some(would) = details.and_then(|d| d.get("would")).and_then(Value::as_str) {
        answer = answer.line(format!("Would: {would}"));
    }
    for line in texts("state") {
        answer = answer.line(format!("Now: {line}"));
    }
    if let Some(why) = details.and_then(|d| d.get("irreversible")).and_then(Value::as_str) {
        answer = answer.line(format!("Cannot be undone: {why}"));
    }
    for line in texts("alternatives") {
        answer = answer.line(format!("Safer: {line}"));
    }
    if let Some(hint) = &error.hint {
        answer = answer.line(format!("Hint: {hint}"));
    }
    let mut body = json!({"code": error.code, "message": error.message});
    if let Some(hint) = &error.hint {
        body["hint"] = json!(hint);
    }
    if let Some(details) = details {
        body["details"] = details.clone();
    }
    answer = answer.field("error", body);
    let mode = ctx.call.map_or(Mode::Ask, |c| c.mode);
    match ctx.session {
        Some(session) => answer.reply_for(session, mode, ctx.now).error(),
        None => Reply::text(format!("{} {}", answer.breadcrumb(), answer.summary)).error(),
    }
}
