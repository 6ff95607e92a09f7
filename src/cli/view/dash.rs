//! The first screen: the daemon and who is connected, what needs you, work in hand, the last things done, what next.

use serde::Deserialize;

use super::confirm::ConfirmationView;
use super::op::{self, OpView};
use super::pack::PackView;
use super::place;
use super::render::{Ink, Render};
use super::task::TaskView;
use super::text::{count, shorten};

/// Tasks that are shown before the rest is counted.
const TASKS: usize = 5;
/// A pack that is dropped sooner than this is worth a line.
const SOON: i64 = 24 * 3600;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Dash {
    running: bool,
    new: bool,
    version: String,
    sessions: Vec<Session>,
    waiting: Option<Vec<ConfirmationView>>,
    attention: Vec<OpView>,
    tasks: Vec<TaskView>,
    packs: Option<Vec<PackView>>,
    /// Stale packs, drifted deploys and the like.
    remarks: Vec<Remark>,
    recent: Vec<OpView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Remark {
    text: String,
    command: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Session {
    client: String,
    workspace: String,
    mode: Option<String>,
}

pub fn print(r: Render, d: &Dash) {
    if d.new || !d.running {
        r.line(format!("{} here yet.", r.ink(Ink::Yellow, "packd has not run")));
        r.hint("`packd up` starts it and shows it working, `packd setup` connects your editors.");
        return r.hint("`packd help` lists the commands.");
    }
    let connected = match d.sessions.len() {
        0 => "no editor is connected".to_string(),
        1 => "1 session".to_string(),
        n => format!("{n} sessions"),
    };
    r.line(format!("{} {}, {connected}", r.ink(Ink::Green, "packd"), d.version));
    for s in d.sessions.iter().take(TASKS) {
        let mode = s.mode.as_deref().map(|m| format!(", mode {m}")).unwrap_or_default();
        r.line(format!("  {} in {}{mode}", s.client, place::project(&s.workspace)));
    }
    let needs = needs(r, d);
    if !needs.is_empty() {
        heading(r, "Needs you");
        needs.iter().for_each(|line| r.prose(4, format!("  {line}")));
    }
    if !d.tasks.is_empty() {
        heading(r, "Work in hand");
        for task in d.tasks.iter().take(TASKS) {
            let mark = if task.status == "ACTIVE" { r.ink(Ink::Cyan, "▸") } else { r.ink(Ink::Dim, "·") };
            let by = task.held_by.as_ref().map(|who| format!("  {}", who.name())).unwrap_or_default();
            let room = r.width.saturating_sub(6 + task.id.len() + by.chars().count());
            r.line(format!("  {mark} {}  {}{}", task.id, shorten(&task.title, room), r.ink(Ink::Dim, by)));
        }
        if d.tasks.len() > TASKS {
            r.hint(format!("  … and {}", count((d.tasks.len() - TASKS) as u64, "more task")));
        }
    }
    heading(r, "Last done here");
    if d.recent.is_empty() {
        r.line("  Nothing yet.");
    }
    let narrow = r.narrower(2);
    op::lines(narrow, &d.recent, false).iter().for_each(|line| r.line(format!("  {line}")));
    r.line("");
    r.hint(next(d));
}

fn heading(r: Render, text: &str) {
    r.line("");
    r.line(r.ink(Ink::Bold, text));
}

fn needs(r: Render, d: &Dash) -> Vec<String> {
    let mut out = Vec::new();
    let waiting = d.waiting.as_deref().unwrap_or_default();
    if !waiting.is_empty() {
        let verb = if waiting.len() == 1 { "waits" } else { "wait" };
        out.push(format!(
            "{} {verb}: `packd confirm`",
            r.ink(Ink::Yellow, count(waiting.len() as u64, "confirmation"))
        ));
    }
    for op in &d.attention {
        out.push(format!("{}: {} (`packd show {}`)", r.ink(Ink::Red, "not finished"), op.said(), op.short()));
    }
    for remark in &d.remarks {
        let command = remark.command.as_deref().map(|command| format!(" (`{command}`)")).unwrap_or_default();
        out.push(format!("{} {}{command}", r.ink(Ink::Yellow, "look at:"), remark.text));
    }
    let now = r.now().as_second();
    let soon = |p: &&PackView| p.expires().is_some_and(|t| t.as_second() - now < SOON);
    let fading: Vec<&PackView> = d.packs.iter().flatten().filter(soon).collect();
    if !fading.is_empty() {
        let verb = if fading.len() == 1 { "expires" } else { "expire" };
        out.push(format!(
            "{} {verb} within a day: `packd pack list`",
            r.ink(Ink::Yellow, count(fading.len() as u64, "pack"))
        ));
    }
    out
}

/// The one thing to do next.
fn next(d: &Dash) -> String {
    if d.waiting.as_ref().is_some_and(|w| !w.is_empty()) {
        return "Next: `packd confirm` shows what waits and asks.".into();
    }
    if let Some(op) = d.attention.first() {
        return format!("Next: `packd show {}` shows what was left half-way.", op.short());
    }
    if d.tasks.iter().any(|t| t.status == "ACTIVE") {
        return "Next: `packd task radar` shows where the work stands.".into();
    }
    if d.sessions.is_empty() && d.recent.is_empty() {
        return "Next: `packd setup` connects your editors.".into();
    }
    if let Some(task) = d.tasks.first() {
        return format!("Next: `packd task start {}` begins the first open task.", task.id);
    }
    match d.recent.is_empty() {
        true => {
            "Next: `packd task add TITLE` or `packd pack new TITLE` makes something to begin with.".into()
        }
        false => "Next: `packd show` shows the newest change, `packd undo` takes it back.".into(),
    }
}
