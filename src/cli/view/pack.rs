//! Context packs for people: the list, and whether their refs still hold.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::render::{Ink, Render};
use super::table::TextTable;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PacksView {
    pub packs: Vec<PackView>,
    pub total: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackView {
    pub id: String,
    pub name: Option<String>,
    pub title: Option<String>,
    pub status: String,
    pub expires_at: Option<String>,
    pub updated_at: Option<String>,
}

pub fn list(r: Render, list: &PacksView, narrowed: bool) {
    if list.packs.is_empty() && narrowed {
        r.line("No pack here fits.");
        return r.hint("`packd pack list` shows all of them.");
    }
    if list.packs.is_empty() {
        r.line("There are no packs here.");
        return r.hint("`packd pack new TITLE` makes one.");
    }
    let mut table = TextTable::new(&["PACK", "NAME", "TITLE", "STATUS", "CHANGED", "EXPIRES"])
        .fluid(2)
        .fluid(1)
        .fluid(4)
        .fluid(5);
    for pack in &list.packs {
        let when =
            |time: &Option<String>| time.as_deref().map(|t| r.when(t)).unwrap_or_else(|| "never".into());
        let ink = if pack.status == "finalized" { Ink::Green } else { Ink::Yellow };
        table.row([
            pack.id.clone(),
            pack.name.clone().unwrap_or_default(),
            pack.title.clone().unwrap_or_default(),
            r.ink(ink, &pack.status),
            when(&pack.updated_at),
            when(&pack.expires_at),
        ]);
    }
    table.print(r);
    if list.total > list.packs.len() as u64 {
        r.hint(format!("{} of {}; --limit shows more", list.packs.len(), list.total));
    }
}

impl PackView {
    /// When it may be dropped.
    pub fn expires(&self) -> Option<jiff::Timestamp> {
        self.expires_at.as_deref()?.parse().ok()
    }
}

/// A pack after a change by hand.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangedPackView {
    pub id: String,
    name: Option<String>,
    title: Option<String>,
    status: String,
    pub revision: u64,
}

pub fn changed(r: Render, verb: &str, pack: &ChangedPackView) {
    let name = pack.name.as_ref().unwrap_or(&pack.id);
    let title = pack.title.as_ref().map(|t| format!("{t} ")).unwrap_or_default();
    r.prose(
        2,
        format!("{}  {name}  {title}({}, revision {})", r.ink(Ink::Green, verb), pack.status, pack.revision),
    );
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackCheckView {
    pub id: String,
    pub name: Option<String>,
    /// In the order of the reply: what needs attention stands where the daemon puts it.
    pub counts: Map<String, Value>,
    pub repaired: Option<u64>,
    pub refs: Vec<PackRefView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackRefView {
    pub verdict: String,
    pub section: String,
    pub key: String,
    pub reason: Option<String>,
    pub was: Option<At>,
    #[serde(flatten)]
    pub at: At,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct At {
    pub path: Option<String>,
    pub lines: Option<LinesView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LinesView {
    pub start: u64,
    pub end: u64,
}

impl At {
    pub fn shown(&self) -> String {
        let lines = self.lines.as_ref().map(|l| format!(":{}-{}", l.start, l.end)).unwrap_or_default();
        format!("{}{lines}", self.path.as_deref().unwrap_or_default())
    }
}

impl PackRefView {
    /// What is known besides the verdict.
    pub fn told(&self) -> String {
        match (self.verdict.as_str(), &self.was) {
            ("moved" | "changed", Some(was)) => format!("{} → {}", was.shown(), self.at.shown()),
            _ => self.reason.clone().unwrap_or_default(),
        }
    }
}

impl PackCheckView {
    pub fn bad(&self) -> u64 {
        self.counts.iter().filter(|(verdict, _)| *verdict != "ok").filter_map(|(_, n)| n.as_u64()).sum()
    }
}

pub fn checked(r: Render, pack: &PackCheckView) {
    let counts: Vec<String> = pack.counts.iter().map(|(verdict, n)| format!("{n} {verdict}")).collect();
    let counts = if counts.is_empty() { "no refs".to_string() } else { counts.join(", ") };
    let ink = if pack.bad() == 0 { Ink::Green } else { Ink::Yellow };
    let name = pack.name.as_ref().map(|n| format!(" {n}")).unwrap_or_default();
    r.line(format!("{}{name}  {}", pack.id, r.ink(ink, counts)));
    if let Some(n) = pack.repaired.filter(|n| *n > 0) {
        r.line(format!("  {n} repaired"));
    }
    for one in pack.refs.iter().filter(|one| one.verdict != "ok") {
        r.prose(11, format!("  {:<8} {} / {}: {}", one.verdict, one.section, one.key, one.told()));
    }
}
