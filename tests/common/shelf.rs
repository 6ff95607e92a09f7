//! A made-up family whose rows only name their content, which is kept as blobs: `shelf_put {name, text, lines}`,
//! `shelf_drop {name}`. Long content is made here, because the request of a call is kept for good.

use std::sync::Arc;

use packd::core::ctx::ErrorCtx;
use packd::core::{
    AnyTool, Ctx, Declared, Error, Family, Key, Outcome, Record, Reply, Result, Sha, Table, View,
};
use packd::engine::{Options, Session};
use serde_json::json;

use super::engine::TestEngine;
use super::plain;

pub const SHELF: Table = Table("shelf");

const NAMES: [&str; 2] = ["shelf_put", "shelf_drop"];

pub struct Shelf;

impl Family for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }
    fn tables(&self) -> &'static [Table] {
        &[SHELF]
    }
    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        plain::tools(&NAMES, put_or_drop)
    }
    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn put_or_drop(ctx: &Ctx) -> Result<Outcome> {
    let mut draft = ctx.draft();
    let name = ctx.call.args.get("name").and_then(|v| v.as_str()).unwrap_or("?").to_string();
    let key = Key::of(&ctx.session.workspace).text(&name);
    let mut blobs = Vec::new();
    match ctx.call.tool.as_str() {
        "shelf_put" => {
            let lines = ctx.call.args.get("lines").and_then(serde_json::Value::as_u64).unwrap_or(0);
            let text = content(ctx.call.args.get("text").and_then(|v| v.as_str()).unwrap_or(""), lines);
            let sha = Sha::of(text.as_bytes());
            draft.put(SHELF, &key, sha.as_str())?;
            blobs.push((sha, text.as_bytes().to_vec()));
        }
        _ => draft.delete(SHELF, &key)?,
    }
    let mut out = draft.into_outcome();
    out.blobs.extend(blobs);
    out.record =
        Record { summary: format!("{} {name}", ctx.call.tool), targets: vec![name], ..Record::default() };
    out.reply = Reply::text("done");
    Ok(out)
}

/// Adds the family to the real ones.
pub fn add(options: &mut Options) {
    let tool = |name: &str| {
        json!({"name": name, "inputSchema": {"type": "object"},
               "packd": {"safety": "safe-write", "gate": "own", "confirm": "none", "line": "x"}})
    };
    let tools = NAMES.map(tool);
    let file = json!({"family": "shelf", "tools": tools});
    options.families.push(Box::new(Shelf));
    options.tools.extend(Declared::parse_all(&file.to_string()).unwrap());
    options.tools.sort_by(|a, b| a.name.cmp(&b.name));
}

/// A text, or one of so many lines that differ.
pub fn content(text: &str, lines: u64) -> String {
    match lines {
        0 => text.to_string(),
        lines => (0..lines).map(|n| format!("{text} {n} {}\n", n * n % 1009)).collect(),
    }
}

pub fn put_long(t: &TestEngine, s: &Arc<Session>, name: &str, text: &str, lines: u64) {
    t.ok(s, "shelf_put", json!({"name": name, "text": text, "lines": lines}));
}

pub fn put(t: &TestEngine, s: &Arc<Session>, name: &str, text: &str) {
    t.ok(s, "shelf_put", json!({"name": name, "text": text}));
}

/// What is on the shelf under a name, read through its content address.
pub fn text(t: &TestEngine, name: &str) -> Option<String> {
    let snapshot = t.engine.store().read().unwrap();
    let view = snapshot.view();
    let row = view.row(SHELF, &Key::of("/w").text(name)).unwrap()?;
    let sha = Sha(packd::core::row::decode::<String>(&row.value).unwrap());
    let bytes = view.blob(&sha).unwrap().unwrap_or_else(|| panic!("the content of {name} is gone"));
    Some(String::from_utf8(bytes).unwrap())
}
