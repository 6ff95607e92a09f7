//! Undo, redo and revert over a made-up family whose rows are plain text: what any family gets for free.

use std::collections::BTreeMap;
use std::sync::Arc;

use packd::core::ctx::ErrorCtx;
use packd::core::op::Stream;
use packd::core::view::{LogQuery, LogView};
use packd::core::{
    Ctx, Error, Family, Index, IndexEntry, Indexer, Key, Outcome, Record, Reply, Result, Row, RowQuery,
    Table, Tool, View,
};
use packd::engine::Session;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::engine::TestEngine;
use crate::common::snapshot;

const WORDS: Table = Table("words");
const BY_LENGTH: Index = Index("words_by_length");

/// Keeps one text per name: `words_set {name, text}`, `words_drop {name}`, `words_many {names, text}`.
struct Words;

fn by_length(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != WORDS {
        return Vec::new();
    }
    let Ok(text) = row.decode::<String>(table, key) else { return Vec::new() };
    let sort = Key::empty().number(text.len() as u64).join(key);
    vec![IndexEntry { index: BY_LENGTH, group: Key::of("all"), sort, value: Vec::new() }]
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
    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        let mut draft = ctx.draft();
        let name = ctx.call.text("name").unwrap_or("?").to_string();
        let key = Key::of(&ctx.session.workspace).text(&name);
        let mut targets = vec![name];
        match ctx.call.tool.as_str() {
            "words_set" => {
                draft.put(WORDS, &key, ctx.call.text("text").unwrap_or(""))?;
            }
            "words_drop" => draft.delete(WORDS, &key)?,
            "words_many" => {
                targets.clear();
                for name in ctx.call.args["names"].as_array().into_iter().flatten() {
                    let name = name.as_str().unwrap_or("?");
                    draft.put(
                        WORDS,
                        &Key::of(&ctx.session.workspace).text(name),
                        ctx.call.text("text").unwrap_or(""),
                    )?;
                    targets.push(name.to_string());
                }
            }
            _ => panic!("a family that panics"),
        }
        let mut out = draft.into_outcome();
        out.record =
            Record { summary: format!("{} {targets:?}", ctx.call.tool), targets, ..Record::default() };
        out.reply = Reply::text("done");
        Ok(out)
    }
    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn words() -> TestEngine {
    let tool = |name: &str| {
        json!({"name": name, "inputSchema": {"type": "object"},
               "packd": {"safety": "safe-write", "gate": "own", "confirm": "none", "line": "x"}})
    };
    let tools = ["words_set", "words_drop", "words_many", "words_panic"].map(tool);
    let file = json!({"family": "words", "tools": tools});
    TestEngine::with_family(Box::new(Words), Tool::parse_all(&file.to_string()).unwrap())
}

fn set(t: &TestEngine, s: &Arc<Session>, name: &str, text: &str) {
    t.ok(s, "words_set", json!({"name": name, "text": text}));
}

fn table(t: &TestEngine) -> BTreeMap<String, (u64, String)> {
    let snapshot = t.engine.store().read().unwrap();
    let rows = snapshot.view().rows(&RowQuery::new(WORDS, Key::empty())).unwrap();
    let text = |k: &Key, r: &Row| r.decode::<String>(WORDS, k).unwrap();
    rows.iter().map(|(k, r)| (k.parts().text().map(|_| name(k)).unwrap(), (r.rev, text(k, r)))).collect()
}

fn name(key: &Key) -> String {
    let mut parts = key.parts();
    parts.text();
    parts.text().unwrap()
}

fn texts(t: &TestEngine) -> BTreeMap<String, String> {
    table(t).into_iter().map(|(k, (_, text))| (k, text)).collect()
}

#[test]
fn undo_and_redo_walk_the_log_and_revisions_only_grow() {
    let t = words();
    let s = t.session("s1", "/w");
    set(&t, &s, "a", "one");
    set(&t, &s, "a", "two");
    assert_eq!(table(&t)["a"], (2, "two".into()));
    let undone = t.ok(&s, "history_undo", json!({}));
    assert_eq!(undone["undid"]["summary"], "words_set [\"a\"]");
    assert_eq!(table(&t)["a"], (3, "one".into()), "old content under a new revision");
    t.ok(&s, "history_undo", json!({}));
    assert!(table(&t).is_empty());
    assert_eq!(t.err(&s, "history_undo", json!({}))["code"], "nothing_to_undo");
    t.ok(&s, "history_redo", json!({}));
    assert_eq!(table(&t)["a"], (4, "one".into()), "a deleted row's revision is remembered");
    t.ok(&s, "history_redo", json!({}));
    assert_eq!(table(&t)["a"], (5, "two".into()));
    assert_eq!(t.err(&s, "history_redo", json!({}))["code"], "nothing_to_redo");
    t.ok(&s, "history_undo", json!({}));
    assert_eq!(table(&t)["a"].1, "one", "undo after redo works on the redone content");
    set(&t, &s, "b", "new");
    assert_eq!(
        t.err(&s, "history_redo", json!({}))["code"],
        "nothing_to_redo",
        "a new operation clears redo"
    );
}

#[test]
fn the_log_says_who_did_what_and_undone_records_stay() {
    let t = words();
    let s = t.session("s1", "/w");
    set(&t, &s, "a", "one");
    set(&t, &s, "b", "two");
    t.ok(&s, "history_undo", json!({"target": "a"}));
    let list = t.ok(&s, "history_list", json!({}));
    snapshot("history_list", &list);
    let ids: Vec<_> =
        list["operations"].as_array().unwrap().iter().map(|o| o["operation_id"].clone()).collect();
    let since = t.ok(&s, "history_delta", json!({"since": ids[2]}));
    assert_eq!(
        since["operations"].as_array().unwrap().len(),
        2,
        "strictly after the cursor, undone ones included"
    );
    let shown = t.ok(&s, "history_show", json!({"operation_id": ids[2]}));
    assert_eq!(shown["changes"][0]["after"]["value"], "one");
    assert_eq!(t.err(&s, "history_show", json!({"request_key": "nobody:1"}))["details"]["happened"], false);
}

#[test]
fn undo_stays_in_its_workspace_and_respects_the_guard() {
    let t = words();
    let (mine, theirs) = (t.session("s1", "/mine"), t.session("s2", "/theirs"));
    set(&t, &mine, "a", "mine");
    set(&t, &theirs, "a", "theirs");
    t.ok(&mine, "history_undo", json!({}));
    assert_eq!(texts(&t), BTreeMap::from([("a".into(), "theirs".into())]));
    assert_eq!(
        t.err(&theirs, "history_undo", json!({"expected_operation_id": "x"}))["code"],
        "unexpected_operation"
    );
    assert_eq!(t.err(&mine, "history_undo", json!({}))["code"], "nothing_to_undo");
}

#[test]
fn a_conflict_names_the_operations_in_the_way_and_changes_nothing() {
    let t = words();
    let s = t.session("s1", "/w");
    set(&t, &s, "a", "one");
    let first = t.ok(&s, "history_list", json!({}))["operations"][0]["operation_id"].clone();
    set(&t, &s, "a", "two");
    let second = t.ok(&s, "history_list", json!({}))["operations"][0]["operation_id"].clone();
    let before = table(&t);
    let refused = t.err(&s, "history_revert", json!({"operation_id": first}));
    assert_eq!(refused["code"], "undo_conflict");
    assert_eq!(refused["details"]["in_the_way"][0]["operation_id"], second);
    assert_eq!(table(&t), before);
    t.ok(&s, "history_revert", json!({"operation_id": second}));
    assert_eq!(texts(&t)["a"], "one");
    t.ok(&s, "history_undo", json!({}));
    assert_eq!(texts(&t)["a"], "two", "a revert is an operation like any other");
}

#[test]
fn a_batch_is_one_operation_and_one_undo() {
    let t = words();
    let s = t.session("s1", "/w");
    set(&t, &s, "a", "old");
    t.ok(&s, "words_many", json!({"names": ["a", "b", "c"], "text": "new"}));
    assert_eq!(texts(&t).len(), 3);
    t.ok(&s, "history_undo", json!({}));
    assert_eq!(texts(&t), BTreeMap::from([("a".into(), "old".into())]));
}

#[test]
fn a_panic_in_one_call_is_one_error_reply() {
    let t = words();
    let s = t.session("s1", "/w");
    let reply = t.call(&s, "words_panic", json!({"name": "a"}));
    assert!(reply.is_error && reply.text.contains("nothing was changed"), "{}", reply.text);
    set(&t, &s, "a", "still alive");
    assert_eq!(texts(&t)["a"], "still alive");
}

#[test]
fn plan_mode_runs_the_same_code_and_leaves_no_trace() {
    let t = words();
    let s = t.session("s1", "/w");
    t.ok(&s, "words_set", json!({"name": "a", "text": "x", "mode": "plan"}));
    assert!(table(&t).is_empty());
    assert_eq!(t.ok(&s, "history_list", json!({}))["operations"], json!([]));
    let refused = t.call(&s, "words_set", json!({"name": "a", "text": "x", "mode": "ask"}));
    assert!(refused.is_error && refused.text.contains("amof_set_mode"), "{}", refused.text);
    let audit = t.ok(&s, "history_list", json!({"stream": "audit"}));
    assert_eq!(audit["operations"].as_array().unwrap().len(), 1, "a refusal is audited");
    assert!(t.call(&s, "words_set", json!({"name": "a", "mode": "go"})).is_error);
}

#[derive(Debug, Clone)]
enum Move {
    Set(u8, u8),
    Drop(u8),
    Many(Vec<u8>, u8),
    Undo,
    Redo,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        3 => (0..4u8, 0..200u8).prop_map(|(n, x)| Move::Set(n, x)),
        1 => (0..4u8).prop_map(Move::Drop),
        1 => (prop::collection::vec(0..4u8, 1..4), 0..200u8).prop_map(|(n, x)| Move::Many(n, x)),
        3 => Just(Move::Undo),
        2 => Just(Move::Redo),
    ];
    prop::collection::vec(one, 1..40)
}

/// What the history means, in twenty lines: a list of states and a position in it.
#[derive(Default)]
struct Model {
    past: Vec<BTreeMap<String, String>>,
    now: BTreeMap<String, String>,
    future: Vec<BTreeMap<String, String>>,
}

impl Model {
    fn change(&mut self, next: BTreeMap<String, String>) {
        self.past.push(std::mem::replace(&mut self.now, next));
        self.future.clear();
    }
    fn undo(&mut self) -> bool {
        let Some(state) = self.past.pop() else { return false };
        self.future.push(std::mem::replace(&mut self.now, state));
        true
    }
    fn redo(&mut self) -> bool {
        let Some(state) = self.future.pop() else { return false };
        self.past.push(std::mem::replace(&mut self.now, state));
        true
    }
}

fn play(t: &TestEngine, s: &Arc<Session>, model: &mut Model, step: &Move) {
    let word = |n: &u8| format!("w{n}");
    match step {
        Move::Set(n, x) => {
            set(t, s, &word(n), &format!("t{x}"));
            let mut next = model.now.clone();
            next.insert(word(n), format!("t{x}"));
            model.change(next);
        }
        Move::Drop(n) => {
            t.ok(s, "words_drop", json!({"name": word(n)}));
            let mut next = model.now.clone();
            // Dropping what is not there changes nothing and leaves no operation.
            if next.remove(&word(n)).is_some() {
                model.change(next);
            }
        }
        Move::Many(names, x) => {
            let names: Vec<_> = names.iter().map(word).collect();
            t.ok(s, "words_many", json!({"names": names, "text": format!("t{x}")}));
            let mut next = model.now.clone();
            next.extend(names.into_iter().map(|n| (n, format!("t{x}"))));
            model.change(next);
        }
        Move::Undo => assert_eq!(!t.call(s, "history_undo", json!({})).is_error, model.undo()),
        Move::Redo => assert_eq!(!t.call(s, "history_redo", json!({})).is_error, model.redo()),
    }
}

/// Replays the images of the log, oldest first, from nothing.
fn replay(t: &TestEngine) -> BTreeMap<String, (u64, String)> {
    let snapshot = t.engine.store().read().unwrap();
    let view = snapshot.view();
    let query =
        LogQuery { include_undone: true, limit: usize::MAX, stream: Stream::Ops, ..LogQuery::default() };
    let mut out = BTreeMap::new();
    for op in view.ops(&query).unwrap().ops {
        for change in view.images(op.seq).unwrap().unwrap() {
            match change.after {
                Some(image) => {
                    let text = packd::core::row::decode::<String>(&image.value).unwrap();
                    out.insert(name(&change.key), (image.rev, text));
                }
                None => {
                    out.remove(&name(&change.key));
                }
            }
        }
    }
    out
}

/// The index recomputed from the rows must be what the store kept.
fn index_agrees(t: &TestEngine) {
    let snapshot = t.engine.store().read().unwrap();
    let view = snapshot.view();
    let rows = view.rows(&RowQuery::new(WORDS, Key::empty())).unwrap();
    let mut wanted: Vec<_> = rows.iter().flat_map(|(k, r)| by_length(WORDS, k, r)).map(|e| e.sort).collect();
    wanted.sort();
    let query = packd::core::IndexQuery::new(BY_LENGTH, Key::of("all"));
    let kept: Vec<_> = view.index(&query).unwrap().into_iter().map(|e| e.sort).collect();
    assert_eq!(kept, wanted);
    assert_eq!(view.count(BY_LENGTH, &Key::of("all")).unwrap(), wanted.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_walks_agree_with_the_model(steps in moves()) {
        let t = words();
        let s = t.session("s1", "/w");
        let mut model = Model::default();
        for step in &steps {
            let before = table(&t);
            play(&t, &s, &mut model, step);
            prop_assert_eq!(&texts(&t), &model.now);
            for (name, (rev, _)) in table(&t) {
                prop_assert!(before.get(&name).is_none_or(|(old, _)| *old <= rev), "a revision went back");
            }
        }
        prop_assert_eq!(replay(&t), table(&t), "replaying the log gives the table");
        index_agrees(&t);
        let now = texts(&t);
        if model.undo() {
            t.ok(&s, "history_undo", json!({}));
            t.ok(&s, "history_redo", json!({}));
            prop_assert_eq!(texts(&t), now, "undo and redo cancel out");
        }
    }
}

#[test]
fn values_that_are_not_objects_do_not_disturb_a_call() {
    let t = words();
    let s = t.session("s1", "/w");
    let shown = t.err(&s, "history_show", Value::Null);
    assert_eq!(shown["code"], "invalid_arguments");
    assert_eq!(t.err(&s, "history_list", json!({"limit": 0}))["details"]["field"], "limit");
    assert_eq!(t.err(&s, "history_list", json!({"lmit": 1}))["hint"], "Did you mean 'limit'?");
}
