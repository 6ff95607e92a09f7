//! The daemon itself for people: whether it runs, what it did, what it dropped.

use serde::Deserialize;
use serde_json::Value;

use super::place;
use super::render::{Ink, Render};
use super::size::{bytes, span};
use super::table::TextTable;
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DaemonStatusView {
    running: bool,
    pid: u64,
    version: String,
    home: String,
    log: String,
    sessions: u64,
    uptime_seconds: u64,
    calls: Option<u64>,
    operations: Option<u64>,
    store_bytes: Option<u64>,
    notes: std::collections::BTreeMap<String, String>,
}

pub fn status(r: Render, s: &DaemonStatusView) {
    if !s.running {
        r.line(format!("{} (home {})", r.ink(Ink::Yellow, "packd is not running"), place::project(&s.home)));
        return r.hint("It starts by itself when an editor needs it, or with `packd up`.");
    }
    r.line(format!("{} for {}", r.ink(Ink::Green, "packd is running"), span(s.uptime_seconds)));
    let field = |name: &str, value: String| r.field(name, 10, value);
    field("version", format!("{} (pid {})", s.version, s.pid));
    field("sessions", s.sessions.to_string());
    if let Some(n) = s.operations {
        field("operations", n.to_string());
    }
    if let Some(n) = s.calls {
        field("calls", n.to_string());
    }
    if let Some(n) = s.store_bytes {
        field("database", bytes(n));
    }
    s.notes.iter().for_each(|(name, text)| field(name, text.clone()));
    field("home", place::project(&s.home));
    field("log", place::project(&s.log));
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CollectedView {
    images_dropped: u64,
    blobs_dropped: u64,
    bytes_freed: u64,
    swept: u64,
    trash: Trash,
    compacted: Option<Compacted>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Compacted {
    before: u64,
    after: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Trash {
    dropped: u64,
    bytes_freed: u64,
}

pub fn collected(r: Render, c: &CollectedView) {
    r.prose(
        0,
        format!(
            "Dropped {} and {} ({}); swept {}.",
            count(c.images_dropped, "old change"),
            count(c.blobs_dropped, "old file"),
            bytes(c.bytes_freed),
            count(c.swept, "expired set"),
        ),
    );
    if c.trash.dropped > 0 {
        let entries =
            if c.trash.dropped == 1 { "1 entry".into() } else { format!("{} entries", c.trash.dropped) };
        r.prose(
            0,
            format!(
                "Dropped {entries} of the trash that were over 30 days old ({}).",
                bytes(c.trash.bytes_freed)
            ),
        );
    }
    if let Some(file) = &c.compacted {
        r.prose(0, format!("The database took {} and takes {} now.", bytes(file.before), bytes(file.after)));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StatsView {
    calls: u64,
    writer: Writer,
    store: Store,
    tools: Vec<Tool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Writer {
    commits: u64,
    jobs: u64,
    largest_batch: u64,
    waiting: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Store {
    file_bytes: u64,
    rows: u64,
    ops: u64,
    audit: u64,
    blobs: u64,
    blob_bytes: u64,
    counting: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tool {
    tool: String,
    calls: Value,
    errors: Value,
    p50_us: Value,
    p99_us: Value,
    max_us: Value,
}

pub fn stats(r: Render, s: &StatsView) {
    let w = &s.writer;
    r.field("calls", 8, s.calls.to_string());
    r.field(
        "commits",
        8,
        format!(
            "{} for {} (largest batch {}, {} waiting)",
            w.commits,
            count(w.jobs, "change"),
            w.largest_batch,
            w.waiting
        ),
    );
    let store = &s.store;
    let held = match store.counting {
        true => format!("{}; what is in it is being counted", bytes(store.file_bytes)),
        false => format!(
            "{}: {}, {}, {}, {} ({})",
            bytes(store.file_bytes),
            count(store.rows, "row"),
            count(store.ops, "operation"),
            count(store.audit, "audit record"),
            count(store.blobs, "file image"),
            bytes(store.blob_bytes),
        ),
    };
    r.field("database", 8, held);
    let mut table = TextTable::new(&["TOOL", "CALLS", "ERRORS", "P50", "P99", "MAX"]).fluid(0);
    for t in &s.tools {
        let time = |v: &Value| v.as_f64().map(micros).unwrap_or_default();
        let number = |v: &Value| v.as_str().map_or(v.to_string(), str::to_string);
        table.row([
            t.tool.clone(),
            number(&t.calls),
            number(&t.errors),
            time(&t.p50_us),
            time(&t.p99_us),
            time(&t.max_us),
        ]);
    }
    table.print(r);
}

fn micros(us: f64) -> String {
    match us {
        us if us < 1000.0 => format!("{us:.0} µs"),
        us if us < 1_000_000.0 => format!("{:.1} ms", us / 1000.0),
        us => format!("{:.1} s", us / 1_000_000.0),
    }
}
