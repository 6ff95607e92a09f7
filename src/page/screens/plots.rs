//! Small plots: operations per hour by client, how long calls take, how large the store is. Drawn as SVG, with the
//! same numbers as text beside them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;

use super::super::desk::Desk;
use super::words::none;
use crate::cli::view::{op, size};
use crate::engine::{Activity, HOURS};

/// Clients with a bar of their own; the rest is one.
const CLIENTS: usize = 4;
/// Tools whose latency is shown.
const TOOLS: usize = 8;
const WIDE: u64 = 240;
const HIGH: u64 = 60;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Stats {
    calls: u64,
    tools: Vec<Tool>,
    store: Store,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tool {
    tool: String,
    calls: u64,
    p50_us: u64,
    p99_us: u64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Store {
    file_bytes: u64,
    rows: Option<u64>,
    ops: Option<u64>,
    blob_bytes: Option<u64>,
}

pub fn show(desk: &Desk, activity: &Activity) -> Markup {
    let stats =
        desk.engine().stats().ok().and_then(|s| serde_json::from_value::<Stats>(s).ok()).unwrap_or_default();
    html! {
        div class="plots" {
            figure {
                figcaption { "Operations per hour, last " (HOURS) " hours" }
                (hours(activity))
                @if activity.cut { p class="quiet" { "There were more than could be counted." } }
            }
            figure {
                figcaption { "How long calls take, since the daemon started: " (stats.calls) " calls" }
                (latency(desk, stats.tools))
            }
            figure {
                figcaption { "The store" }
                (store(&stats.store))
            }
        }
    }
}

fn hours(activity: &Activity) -> Markup {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, client), n) in &activity.hours {
        *totals.entry(client).or_default() += n;
    }
    if totals.is_empty() {
        return none("Nothing was done.");
    }
    let mut order: Vec<(&str, u64)> = totals.into_iter().collect();
    order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let place = |client: &str| order.iter().position(|(c, _)| *c == client).unwrap_or(CLIENTS).min(CLIENTS);
    let now = jiff::Timestamp::now().as_second().div_euclid(3600);
    let mut bars: BTreeMap<i64, [u64; CLIENTS + 1]> = BTreeMap::new();
    for ((hour, client), n) in &activity.hours {
        bars.entry(*hour).or_default()[place(client)] += n;
    }
    let highest = bars.values().map(|parts| parts.iter().sum::<u64>()).max().unwrap_or(1).max(1);
    let step = WIDE / HOURS.unsigned_abs();
    let label = format!("The busiest hour had {highest} operations.");
    html! {
        svg viewBox=(format!("0 0 {WIDE} {HIGH}")) role="img" aria-label=(label) {
            @for (hour, parts) in &bars {
                @let x = (HOURS - 1 - (now - hour)).max(0).unsigned_abs() * step;
                @for (at, y, high) in stacked(parts, highest) {
                    rect class=(format!("client-{at}")) x=(x) y=(y) width=(step.saturating_sub(1)) height=(high) {}
                }
            }
        }
        p class="axis" { span { (HOURS) " h ago" } span { "at most " (highest) " in an hour" } span { "now" } }
        ul class="legend" {
            @for (at, (client, n)) in order.iter().enumerate().take(CLIENTS) {
                li { span class=(format!("key client-{at}")) {} " " (op::called(client)) " " (n) }
            }
            @if order.len() > CLIENTS {
                li { span class=(format!("key client-{CLIENTS}")) {} " others " (order[CLIENTS..].iter().map(|(_, n)| n).sum::<u64>()) }
            }
        }
    }
}

/// Which client, from where and how high: one upon the other.
fn stacked(parts: &[u64], highest: u64) -> Vec<(usize, u64, u64)> {
    let mut base = HIGH;
    let mut out = Vec::new();
    for (at, n) in parts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let high = (n * HIGH).div_ceil(highest).min(base);
        base -= high;
        out.push((at, base, high));
    }
    out
}

/// What people call it: tools have names for agents and titles for people.
fn title(desk: &Desk, tool: &str) -> String {
    let declared = desk.engine().tools().iter().find(|declared| declared.name == tool);
    let served = declared.and_then(|declared| serde_json::from_str::<Titled>(&declared.served).ok());
    served.map_or_else(|| tool.to_string(), |served| served.title)
}

#[derive(Deserialize)]
struct Titled {
    title: String,
}

fn latency(desk: &Desk, mut tools: Vec<Tool>) -> Markup {
    if tools.is_empty() {
        return none("Nothing was called.");
    }
    tools.sort_by(|a, b| b.calls.cmp(&a.calls).then(a.tool.cmp(&b.tool)));
    tools.truncate(TOOLS);
    let longest = tools.iter().map(|t| t.p99_us).max().unwrap_or(1).max(1);
    let time = |micros: u64| match micros {
        0..1000 => format!("{micros} µs"),
        _ => format!("{:.1} ms", micros as f64 / 1000.0),
    };
    html! {
        div class="scroll" tabindex="0" role="group" aria-label="How long calls take" {
            table {
                thead { tr { th scope="col" { "call" } th scope="col" { "calls" } th scope="col" { "half within" } th scope="col" { "99 % within" } td {} } }
                tbody {
                    @for tool in &tools {
                        tr {
                            th scope="row" { (title(desk, &tool.tool)) } td { (tool.calls) } td { (time(tool.p50_us)) } td { (time(tool.p99_us)) }
                            td { (bar(tool.p99_us, longest)) }
                        }
                    }
                }
            }
        }
    }
}

fn bar(value: u64, longest: u64) -> Markup {
    let wide = (value * 60).div_ceil(longest);
    html! {
        svg class="small" viewBox="0 0 60 8" aria-hidden="true" { rect class="client-0" x="0" y="0" width=(wide) height="8" {} }
    }
}

/// How much of the file is contents of files, and how much everything else.
fn store(store: &Store) -> Markup {
    let contents = store.blob_bytes.unwrap_or(0).min(store.file_bytes);
    let wide = (contents * WIDE).div_ceil(store.file_bytes.max(1));
    html! {
        svg class="wide" viewBox=(format!("0 0 {WIDE} 8")) preserveAspectRatio="none" role="img"
            aria-label=(format!("{} of {} are contents of files.", size::bytes(contents), size::bytes(store.file_bytes))) {
            rect class="client-1" x="0" y="0" width=(wide) height="8" {}
            rect class="client-0" x=(wide) y="0" width=(WIDE - wide) height="8" {}
        }
        ul class="legend" {
            li { span class="key client-1" {} " contents of files " (size::bytes(contents)) }
            li { span class="key client-0" {} " everything else " (size::bytes(store.file_bytes - contents)) }
        }
        dl {
            dt { "Size" } dd { (size::bytes(store.file_bytes)) }
            @if let Some(n) = store.ops { dt { "Operations" } dd { (n) } }
            @if let Some(n) = store.rows { dt { "Rows" } dd { (n) } }
        }
    }
}
