//! Undo, redo and revert over a made-up family whose rows are plain text: what any family gets for free.

use std::collections::BTreeMap;
use std::sync::Arc;

use packd::core::{Key, RowQuery, View};
use packd::engine::Session;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::engine::TestEngine;
use crate::common::snapshot;
use crate::common::words::{BY_LENGTH, WORDS, by_length, replay, set, table, texts, words};

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
    assert_eq!(shown["changes"][0]["made"], "one");
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
    let hint = t.err(&s, "history_list", json!({"lmit": 1}))["hint"].as_str().unwrap().to_string();
    assert!(hint.starts_with("Did you mean 'limit'? Known fields: stream, family,"), "{hint}");
}
