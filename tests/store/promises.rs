//! The store's own promises: refusals, damage, retention, batches, and commits that fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use packd::core::{Key, View};
use packd::engine::{CallRequest, Engine};
use packd::store::{Retention, Store};
use redb::{ReadableDatabase, TableDefinition};
use serde_json::json;

use crate::common::backend::{Disk, Faulty, Of, Plan};
use crate::common::engine::{TestEngine, options};
use crate::common::words::{WORDS, Words, set, texts, tools, words};

const RAW: fn(&str) -> TableDefinition<&[u8], &[u8]> = |name| TableDefinition::new(name);

/// An engine over a file, so that it can be closed, meddled with and opened again.
pub fn on_disk(path: &std::path::Path) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = crate::common::engine::open(path, || options.catalog()).unwrap();
    TestEngine::start(store, options, clock)
}

#[test]
fn a_file_from_the_future_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    {
        let t = on_disk(&path);
        set(&t, &t.session("s", "/w"), "a", "kept");
    }
    let stamp = |n: u64| {
        let db = redb::Database::create(&path).unwrap();
        let txn = db.begin_write().unwrap();
        txn.open_table(RAW("meta"))
            .unwrap()
            .insert(b"schema".as_slice(), n.to_be_bytes().as_slice())
            .unwrap();
        txn.commit().unwrap();
    };
    stamp(99);
    let refused = Store::open(&path, options(|_| {}).0.catalog()).err().unwrap();
    assert_eq!(refused.code, "future_schema");
    assert!(refused.to_string().contains("99") && refused.hint.is_some(), "{refused}");
    stamp(packd::store::SCHEMA);
    assert_eq!(texts(&on_disk(&path))["a"], "kept");
}

#[test]
fn a_second_opener_is_told_that_another_daemon_runs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let _first = on_disk(&path);
    assert_eq!(Store::open(&path, options(|_| {}).0.catalog()).err().unwrap().code, "already_running");
}

#[test]
fn a_damaged_row_is_an_error_for_who_asks_and_for_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    {
        let t = on_disk(&path);
        let s = t.session("s", "/w");
        set(&t, &s, "good", "fine");
        set(&t, &s, "bad", "soon damaged");
    }
    {
        let db = redb::Database::create(&path).unwrap();
        let txn = db.begin_write().unwrap();
        let key = Key::of("/w").text("bad");
        txn.open_table(RAW("words")).unwrap().insert(key.as_bytes(), [1u8, 2, 3].as_slice()).unwrap();
        txn.commit().unwrap();
        assert!(db.begin_read().is_ok());
    }
    let t = on_disk(&path);
    let snapshot = t.engine.store().read().unwrap();
    let view = snapshot.view();
    assert!(view.row(WORDS, &Key::of("/w").text("good")).unwrap().is_some());
    let error = view.row(WORDS, &Key::of("/w").text("bad")).unwrap_err();
    assert_eq!(error.code, "io_error");
    assert!(error.message.contains("bad") && error.message.contains("words"), "{}", error.message);
    let damaged = snapshot.damaged_rows().unwrap();
    assert_eq!((damaged.len(), damaged[0].table.as_str()), (1, "words"));
    drop(snapshot);
    set(&t, &t.session("s", "/w"), "other", "still works");
}

#[test]
fn old_images_go_but_the_undo_range_and_the_records_stay() {
    let t = TestEngine::build(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
        o.retention = Retention { days: 1, megabytes: 100, undo_range: 2 };
    });
    let s = t.session("s", "/w");
    for i in 0..5 {
        set(&t, &s, &format!("w{i}"), "x");
    }
    assert_eq!(t.block_on(t.engine.collect_garbage()).unwrap().images, 0, "nothing is old yet");
    t.clock.advance(2 * 86_400);
    assert_eq!(t.block_on(t.engine.collect_garbage()).unwrap().images, 3);
    let all = t.ok(&s, "history_list", json!({}));
    assert_eq!(all["operations"].as_array().unwrap().len(), 5, "records are kept for good");
    t.ok(&s, "history_undo", json!({}));
    let oldest = all["operations"][4]["operation_id"].clone();
    assert_eq!(t.err(&s, "history_revert", json!({"operation_id": oldest}))["code"], "images_dropped");
}

#[test]
fn calls_that_share_a_commit_do_not_disturb_each_other() {
    let t = words();
    let s = t.session("s", "/w");
    let calls = (0..200).map(|i| {
        let tool = if i % 5 == 0 { "words_panic" } else { "words_set" };
        t.engine.call(&s, CallRequest::new(tool, json!({"name": format!("w{i}"), "text": "x"})))
    });
    let replies = t.block_on(join_all(calls));
    assert_eq!(replies.iter().filter(|r| r.is_error).count(), 40);
    assert_eq!(texts(&t).len(), 160);
    let stats = t.engine.stats().unwrap();
    assert!(stats["writer"]["commits"].as_u64().unwrap() < 160, "they did not share commits: {stats}");
}

async fn join_all<T>(futures: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut pinned: Vec<_> = futures.map(Box::pin).collect();
    let mut done: Vec<Option<T>> = pinned.iter().map(|_| None).collect();
    std::future::poll_fn(move |cx| {
        for (future, slot) in pinned.iter_mut().zip(&mut done) {
            if slot.is_none()
                && let std::task::Poll::Ready(value) = future.as_mut().poll(cx)
            {
                *slot = Some(value);
            }
        }
        if done.iter().all(Option::is_some) {
            return std::task::Poll::Ready(done.drain(..).flatten().collect());
        }
        std::task::Poll::Pending
    })
    .await
}

#[test]
fn the_request_key_tells_whether_a_write_happened() {
    let t = words();
    let s = t.session("s", "/w");
    let mut request = CallRequest::new("words_set", json!({"name": "a", "text": "x", "password": "hunter2"}));
    request.request_key = Some("s:7".into());
    t.request(&s, request);
    let shown = t.ok(&s, "history_show", json!({"request_key": "s:7"}));
    assert_eq!(shown["happened"], true);
    assert_eq!(shown["request"]["password"], "<redacted>", "secrets never reach the log");
    assert_eq!(t.err(&s, "history_show", json!({"request_key": "s:8"}))["details"]["happened"], false);
}

#[test]
fn a_commit_of_unknown_outcome_is_said_and_ends_the_daemon() {
    let ended = Arc::new(AtomicBool::new(false));
    let told = ended.clone();
    let (options, _) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
        o.on_fatal = Box::new(move |_| told.store(true, Ordering::SeqCst));
    });
    let never = Plan { at: usize::MAX, times: 0, kind: std::io::ErrorKind::Other, of: Of::SlotSyncs };
    let disk = Faulty::new(never);
    let store = disk.store(options.catalog()).unwrap();
    let engine = Engine::start(store, options).unwrap();
    let s = engine.open_session(crate::common::engine::session_info("s", "/w"));
    disk.begin(Plan { at: 0, times: 1, ..never });
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reply =
        runtime.block_on(engine.call(&s, CallRequest::new("words_set", json!({"name": "a", "text": "x"}))));
    assert!(reply.is_error && reply.text.contains("not known whether"), "{}", reply.text);
    // The answer goes out first; the writer is done with both once it has stopped.
    engine.stop();
    assert!(ended.load(Ordering::SeqCst), "the daemon was not told to end");
}
