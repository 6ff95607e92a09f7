//! A made-up family whose rows are plain text: enough to test what every family gets for free.

use std::collections::BTreeMap;
use std::sync::Arc;

use packd::core::ctx::ErrorCtx;
use packd::core::findable::{Findable, Label, Searchable};

use packd::core::{
    AnyTool, Ctx, Declared, Error, Family, Index, IndexEntry, Indexer, Key, Outcome, Record, Reply, Result,
    Row, RowQuery, Table, Timestamp, View,
};
use packd::engine::Session;
use serde_json::json;

use super::engine::TestEngine;
use super::plain;

pub const WORDS: Table = Table("words");
pub const BY_LENGTH: Index = Index("words_by_length");

/// Keeps one text per name: `words_set {name, text}`, `words_drop {name}`, `words_many {names, text}`.
pub struct Words;

const NAMES: [&str; 4] = ["words_set", "words_drop", "words_many", "words_panic"];

pub fn by_length(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != WORDS {
        return Vec::new();
    }
    let Ok(text) = row.decode::<String>(table, key) else { return Vec::new() };
    let sort = Key::empty().number(text.len() as u64).join(key);
    vec![IndexEntry { index: BY_LENGTH, group: Key::of("all"), sort, value: Vec::new() }]
}

/// Found by the words of its text.
fn label(table: Table, _: &Key, _: &Row) -> Option<Label> {
    (table == WORDS).then(|| Label { title: String::new(), born: Timestamp::from_seconds(0) })
}

fn seen(ctx: &Ctx) -> Findable {
    Findable {
        kind: "words",
        table: WORDS,
        spaces: vec![ctx.session.workspace.clone()],
        shown: |_, _, _| None,
    }
}

impl Family for Words {
    fn name(&self) -> &'static str {
        "words"
    }
    fn tables(&self) -> &'static [Table] {
        &[WORDS]
    }
    fn indexers(&self) -> Vec<Indexer> {
        vec![by_length]
    }
    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable { label, seen })
    }
    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        plain::tools(&NAMES, change)
    }
    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn change(ctx: &Ctx) -> Result<Outcome> {
    let mut draft = ctx.draft();
    let name = ctx.call.args.get("name").and_then(|v| v.as_str()).unwrap_or("?").to_string();
    let key = Key::of(&ctx.session.workspace).text(&name);
    let mut targets = vec![name];
    match ctx.call.tool.as_str() {
        "words_set" => {
            draft.put(WORDS, &key, ctx.call.args.get("text").and_then(|v| v.as_str()).unwrap_or(""))?;
        }
        "words_drop" => draft.delete(WORDS, &key)?,
        "words_many" => {
            targets.clear();
            for name in ctx.call.args["names"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap_or("?");
                draft.put(
                    WORDS,
                    &Key::of(&ctx.session.workspace).text(name),
                    ctx.call.args.get("text").and_then(|v| v.as_str()).unwrap_or(""),
                )?;
                targets.push(name.to_string());
            }
        }
        _ => panic!("a family that panics"),
    }
    let mut out = draft.into_outcome();
    out.record = Record { summary: format!("{} {targets:?}", ctx.call.tool), targets, ..Record::default() };
    out.reply = Reply::text("done");
    Ok(out)
}

pub fn tools() -> Vec<Declared> {
    let tool = |name: &str| {
        json!({"name": name, "inputSchema": {"type": "object"},
               "packd": {"safety": "safe-write", "gate": "own", "confirm": "none", "line": "x"}})
    };
    let tools = NAMES.map(tool);
    let file = json!({"family": "words", "tools": tools});
    Declared::parse_all(&file.to_string()).unwrap()
}

/// An engine in memory that has the family.
pub fn words() -> TestEngine {
    TestEngine::with_family(Box::new(Words), tools())
}

pub fn set(t: &TestEngine, s: &Arc<Session>, name: &str, text: &str) {
    t.ok(s, "words_set", json!({"name": name, "text": text}));
}

pub fn table(t: &TestEngine) -> BTreeMap<String, (u64, String)> {
    let snapshot = t.engine.store().read().unwrap();
    let rows = snapshot.view().rows(&RowQuery::new(WORDS, Key::empty())).unwrap();
    let text = |k: &Key, r: &Row| r.decode::<String>(WORDS, k).unwrap();
    rows.iter().map(|(k, r)| (k.parts().text().map(|_| name(k)).unwrap(), (r.rev, text(k, r)))).collect()
}

pub fn name(key: &Key) -> String {
    let mut parts = key.parts();
    parts.text();
    parts.text().unwrap()
}

pub fn texts(t: &TestEngine) -> BTreeMap<String, String> {
    table(t).into_iter().map(|(k, (_, text))| (k, text)).collect()
}

/// Replays the log, oldest first, from nothing.
pub fn replay(t: &TestEngine) -> BTreeMap<String, (u64, String)> {
    let snapshot = t.engine.store().read().unwrap();
    let rows = packd::core::past::replay(&snapshot.view()).unwrap();
    let text = |row: &Row| packd::core::row::decode::<String>(&row.value).unwrap();
    rows.iter().map(|((_, key), row)| (name(key), (row.rev, text(row)))).collect()
}
