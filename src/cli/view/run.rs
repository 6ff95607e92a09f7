//! Runs: long work that the daemon owns, as a list, as one, and line by line.

use serde::Deserialize;

use super::render::{Ink, Render};
use super::size;
use super::table::TextTable;
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RunView {
    pub run_id: String,
    pub ecosystem: Option<String>,
    pub action: String,
    pub status: String,
    pub created_at: String,
    pub started_at: Option<String>,
    pub finished_at: Option<String>,
    pub exit_code: Option<i64>,
    pub steps: u64,
    pub steps_done: u64,
    pub note: Option<String>,
    pub log_lines: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RunsView {
    pub runs: Vec<RunView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Logs {
    pub run_id: String,
    pub status: String,
    pub lines: Vec<LogLineView>,
    pub total: u64,
    pub next_after: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LogLineView {
    pub level: String,
    pub stream: String,
    pub text: String,
}

/// The first eight characters of a run's id.
pub fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// What a run does, in words.
pub fn action(word: &str) -> String {
    word.replace("spin_", "").replace('_', " ")
}

pub fn status(r: Render, word: &str) -> String {
    match word {
        "success" => r.ink(Ink::Green, "done"),
        "queued" => r.ink(Ink::Yellow, "waiting"),
        "running" => r.ink(Ink::Cyan, "running"),
        "failed" | "error" | "interrupted" => r.ink(Ink::Red, word),
        other => r.ink(Ink::Yellow, other),
    }
}

/// How long it took, or has taken until now.
fn took(r: Render, run: &RunView) -> String {
    let at = |text: &Option<String>| text.as_deref()?.parse::<jiff::Timestamp>().ok();
    let Some(from) = at(&run.started_at) else { return String::new() };
    let to = at(&run.finished_at).unwrap_or_else(|| r.now());
    size::span(u64::try_from(to.as_second() - from.as_second()).unwrap_or(0))
}

pub fn list(r: Render, runs: &RunsView) {
    if runs.runs.is_empty() {
        r.line("Nothing has run here yet.");
        return r.hint("`packd eco list` shows the ecosystems there are.");
    }
    let mut table = TextTable::new(&["RUN", "ECOSYSTEM", "WHAT", "STATE", "STARTED", "TOOK"]).fluid(1);
    for run in &runs.runs {
        table.row([
            short(&run.run_id).to_string(),
            run.ecosystem.clone().unwrap_or_default(),
            action(&run.action),
            status(r, &run.status),
            r.when(run.started_at.as_ref().unwrap_or(&run.created_at)),
            took(r, run),
        ]);
    }
    table.print(r);
}

pub fn one(r: Render, run: &RunView) {
    let field = |name: &str, value: String| {
        if !value.is_empty() {
            r.field(name, 9, value);
        }
    };
    field("run", format!("{}  {}", short(&run.run_id), status(r, &run.status)));
    field("what", format!("{} {}", action(&run.action), run.ecosystem.clone().unwrap_or_default()));
    field("started", r.when(run.started_at.as_ref().unwrap_or(&run.created_at)));
    field("took", took(r, run));
    field("steps", format!("{} of {}", run.steps_done, run.steps));
    field("exit", run.exit_code.filter(|c| *c != 0).map(|c| c.to_string()).unwrap_or_default());
    field("note", run.note.clone().unwrap_or_default());
    field("log", run.log_lines.map(|n| count(n, "line")).unwrap_or_default());
    let id = short(&run.run_id);
    match run.status.as_str() {
        "queued" | "running" => r.hint(format!(
            "`packd run logs {id} --follow` shows how it goes, `packd run cancel {id}` stops it."
        )),
        _ => r.hint(format!("`packd run logs {id}` shows what it printed.")),
    }
}

pub fn logs(r: Render, logs: &Logs) {
    if logs.lines.is_empty() {
        return r.line("It has printed nothing yet.");
    }
    let left = logs.total.saturating_sub(logs.lines.len() as u64);
    if left > 0 {
        r.hint(format!("… {} before; --tail {} shows them", count(left, "line"), logs.total));
    }
    logs.lines.iter().for_each(|one| line(r, one));
}

pub fn line(r: Render, line: &LogLineView) {
    r.line(match (line.level.as_str(), line.stream.as_str()) {
        ("error", _) => r.ink(Ink::Red, &line.text),
        ("warning" | "warn", _) => r.ink(Ink::Yellow, &line.text),
        (_, "packd") => r.ink(Ink::Cyan, &line.text),
        _ => line.text.clone(),
    });
}

pub fn cancelled(r: Render, id: &str) {
    r.line(format!("Run {} is being stopped, with everything it started.", short(id)));
}
