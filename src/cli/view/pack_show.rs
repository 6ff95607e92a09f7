//! One context pack for people: what it says, and the code it points to as it is now.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::place;
use super::render::{Ink, Render};

/// Lines of code that are shown of one ref before the rest is counted.
const LINES: usize = 60;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct WholePackView {
    pub id: String,
    name: Option<String>,
    title: Option<String>,
    brief: Option<String>,
    status: String,
    revision: u64,
    updated_at: Option<String>,
    expires_at: Option<String>,
    sections: Vec<Section>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Section {
    key: String,
    title: String,
    description: Option<String>,
    refs: Vec<Ref>,
    diagrams: Vec<Diagram>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ref {
    key: String,
    path: String,
    lines: Lines,
    title: Option<String>,
    why: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Lines {
    start: usize,
    end: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Diagram {
    title: String,
    mermaid: String,
    why: Option<String>,
}

/// What a check found of the refs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackRefsView {
    refs: Vec<Found>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Found {
    section: String,
    key: String,
    verdict: String,
    path: Option<String>,
    lines: Option<Lines>,
    reason: Option<String>,
    diff: Option<String>,
}

pub fn print(r: Render, pack: &WholePackView, looked: &PackRefsView, root: Option<&Path>) {
    let title = pack.title.as_deref().or(pack.name.as_deref()).unwrap_or(&pack.id);
    r.prose(0, r.ink(Ink::Bold, title));
    let name = pack.name.as_deref().map(|name| format!("{name}, ")).unwrap_or_default();
    let when = |time: &Option<String>| time.as_deref().map(|time| r.when(time));
    let mut told =
        vec![format!("{name}{}", pack.id), pack.status.clone(), format!("revision {}", pack.revision)];
    told.extend(when(&pack.updated_at).map(|time| format!("changed {time}")));
    told.extend(when(&pack.expires_at).map(|time| format!("dropped {time}")));
    r.hint(told.join(" · "));
    if let Some(brief) = &pack.brief {
        r.line("");
        r.prose(0, brief);
    }
    if pack.sections.is_empty() {
        r.line("");
        r.line("Nothing is in it yet.");
        return r.hint(format!("`packd pack add {} FILE:START-END` adds code to it.", pack.id));
    }
    let found: HashMap<(&str, &str), &Found> =
        looked.refs.iter().map(|f| ((f.section.as_str(), f.key.as_str()), f)).collect();
    for section in &pack.sections {
        r.line("");
        r.prose(0, r.ink(Ink::Bold, &section.title));
        if let Some(text) = &section.description {
            r.prose(0, text);
        }
        for one in &section.refs {
            code(r, one, found.get(&(section.key.as_str(), one.key.as_str())).copied(), root);
        }
        for diagram in &section.diagrams {
            r.line("");
            r.line(format!("  {}", r.ink(Ink::Cyan, &diagram.title)));
            if let Some(why) = &diagram.why {
                r.prose(2, format!("  {why}"));
            }
            diagram.mermaid.lines().for_each(|line| r.line(format!("    {line}")));
        }
    }
}

fn code(r: Render, one: &Ref, found: Option<&Found>, root: Option<&Path>) {
    let lines = found.and_then(|f| f.lines).unwrap_or(one.lines);
    let path = found.and_then(|f| f.path.as_deref()).unwrap_or(&one.path);
    r.line("");
    r.line(format!(
        "  {}",
        r.ink(Ink::Cyan, format!("{}:{}-{}", place::shown(path), lines.start, lines.end))
    ));
    for text in one.title.iter().chain(&one.why) {
        r.prose(2, format!("  {text}"));
    }
    let verdict = found.map_or("ok", |f| f.verdict.as_str());
    if let Some(found) = found.filter(|f| f.verdict != "ok") {
        let told = match (found.verdict.as_str(), &found.reason) {
            (_, Some(reason)) => reason.clone(),
            ("moved", _) => format!("the code moved here from line {}", one.lines.start),
            ("changed", _) => format!("the code was other lines when it was noted ({})", one.lines.start),
            (other, _) => other.to_string(),
        };
        r.prose(2, format!("  {} {told}", r.ink(Ink::Yellow, format!("{verdict}:"))));
    }
    let text = root.map(|root| root.join(path)).and_then(|file| std::fs::read_to_string(file).ok());
    let all: Vec<&str> = text.as_deref().unwrap_or_default().lines().collect();
    let from = lines.start.saturating_sub(1).min(all.len());
    let shown = &all[from..lines.end.clamp(from, all.len())];
    for (n, line) in shown.iter().take(LINES).enumerate() {
        r.line(format!("  {} {line}", r.ink(Ink::Dim, format!("{:>5}", from + n + 1))).trim_end());
    }
    if shown.len() > LINES {
        r.hint(format!("        … and {} more lines", shown.len() - LINES));
    }
    if let Some(diff) = found.and_then(|f| f.diff.as_deref()) {
        r.line("  since then:");
        diff.lines().for_each(|line| r.unified(&format!("  {line}")));
    }
}
