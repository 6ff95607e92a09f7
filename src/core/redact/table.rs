//! The table of `proto/secrets.toml`, compiled once: where in a text secrets stand.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex};
use serde::Deserialize;

use super::anchors::PatternAnchors;
use super::likely;

const TABLE: &str = include_str!("../../../proto/secrets.toml");

/// One entry of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    #[allow(dead_code, reason = "tests name what is not redacted")]
    pub name: String,
    pub regex: String,
    /// Made up; a test redacts it wherever it may stand.
    #[allow(dead_code, reason = "tests redact it")]
    pub example: String,
}

#[derive(Deserialize)]
struct File {
    pattern: Vec<Pattern>,
}

struct Compiled {
    anchors: PatternAnchors,
    each: Vec<Entry>,
}

/// One pattern, compiled when a text first holds its anchor: most never are, and all of them take some twenty
/// milliseconds and over two megabytes.
struct Entry {
    source: String,
    regex: OnceLock<Regex>,
}

impl Entry {
    fn regex(&self) -> &Regex {
        // The table is part of the program: that every pattern of it compiles is proved by the tests beside it.
        self.regex.get_or_init(|| Regex::new(&self.source).expect("secrets.toml has valid patterns"))
    }
}

/// One by one, not as a set: one automaton for all patterns outgrows its cache on long texts (measured: 3.5 s for a
/// megabyte of source, against 30 ms).
// The table is part of the program: that it can be read is proved by the tests beside it.
static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
    let patterns = patterns();
    let regexes: Vec<&str> = patterns.iter().map(|p| p.regex.as_str()).collect();
    let anchors = PatternAnchors::of(&regexes);
    let entry = |p: Pattern| Entry { source: p.regex, regex: OnceLock::new() };
    Compiled { anchors, each: patterns.into_iter().map(entry).collect() }
});

/// Every entry of the table, as it is written.
pub fn patterns() -> Vec<Pattern> {
    // The table is part of the program, and the tests beside it read it.
    toml::from_str::<File>(TABLE).expect("secrets.toml can be read").pattern
}

/// Where secrets stand, in order and without overlap.
pub fn spans(text: &str) -> Vec<Range<usize>> {
    let table = &*COMPILED;
    let mut found: Vec<Range<usize>> = Vec::new();
    for n in table.anchors.present(text) {
        find(table.each[n].regex(), text, &mut found);
    }
    found.retain(|r| &text[r.clone()] != super::MARK);
    found.sort_by_key(|r| r.start);
    let mut out: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for next in found {
        match out.last_mut() {
            Some(last) if next.start < last.end => last.end = last.end.max(next.end),
            _ => out.push(next),
        }
    }
    out
}

/// Matches may share what stands around their secrets: the search goes on right behind what a match loses.
fn find(regex: &Regex, text: &str, out: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(found) = regex.captures_at(text, from) {
        let behind = taken(text, &found, out);
        if behind <= from {
            return;
        }
        from = behind;
    }
}

/// What one match loses (see the head of the table), and where that ends.
fn taken(text: &str, found: &Captures, out: &mut Vec<Range<usize>>) -> usize {
    type Check = fn(&str) -> bool;
    const GROUPS: [(&str, Check); 4] =
        [("secret", |_| true), ("value", likely::value), ("odd", likely::odd), ("random", likely::random)];
    let mut behind = None;
    for (group, is_secret) in GROUPS {
        if let Some(part) = found.name(group) {
            behind = behind.max(Some(part.end()));
            if is_secret(part.as_str()) && !likely::shells_directory(&text[..part.start()], part.as_str()) {
                out.push(part.range());
            }
        }
    }
    let whole = found.get_match();
    behind.unwrap_or_else(|| {
        out.push(whole.range());
        whole.end()
    })
}
