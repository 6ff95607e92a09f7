//! Compaction: a file that is mostly free gets smaller while it is in use, and whatever interrupts that loses nothing.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use packd::store::Store;
use serde_json::json;

use super::collect::on_disk;
use crate::common::engine::options;
use crate::common::real::{Place, until};
use crate::common::shelf;

/// Most of a file that was full is free after a collection, and comes back while packd runs and is read and written.
#[test]
fn a_file_that_is_mostly_free_gets_smaller_while_it_is_in_use() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let t = on_disk(&path);
    let s = t.session("s", "/w");
    let size = || fs::metadata(&path).unwrap().len();
    for n in 0..200 {
        shelf::put_long(&t, &s, "big", &format!("version {n}"), 1500);
    }
    shelf::put(&t, &s, "kept", "this stays");
    assert!(!t.engine.store().is_mostly_free().unwrap());
    t.clock.advance(2 * 86_400);
    let done = t.block_on(t.engine.collect_garbage()).unwrap();
    assert!(done.blobs > 150 && done.bytes > 3_000_000, "{done:?}");
    assert!(t.engine.store().is_mostly_free().unwrap());
    let before = size();

    // A reader that began before goes on; what it reads is what was there.
    let earlier = t.engine.store().read().unwrap();
    let counted = earlier.sizes().unwrap();
    let compacted = t.block_on(t.engine.compact_if_worthwhile()).unwrap().unwrap();
    assert_eq!((compacted.before, compacted.after), (before, size()));
    assert!(size() * 3 < before, "{before} bytes became {}", size());
    assert_eq!(earlier.sizes().unwrap(), counted);
    drop(earlier);
    assert!(t.block_on(t.engine.compact_if_worthwhile()).unwrap().is_none(), "once is enough");

    // Writing goes on in the new file, and the next start finds everything.
    shelf::put(&t, &s, "after", "written after it");
    t.ok(&s, "history_undo", json!({}));
    t.ok(&s, "history_redo", json!({}));
    assert_eq!(shelf::text(&t, "kept").unwrap(), "this stays");
    let another = Store::open(&path, options(shelf::add).0.catalog()).err().unwrap();
    assert_eq!(another.code, "already_running", "the lock is on the new file");
    t.engine.stop();
    drop((s, t));
    let t = on_disk(&path);
    assert_eq!(shelf::text(&t, "after").unwrap(), "written after it");
    assert!(shelf::text(&t, "big").unwrap() == shelf::content("version 199", 1500));
    let names = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(names, 1, "nothing stays beside it");
}

/// Writers never stop: no copy is ever put over something that was written after it was made.
#[test]
fn nothing_is_lost_when_somebody_writes_during_a_compaction() {
    let dir = tempfile::tempdir().unwrap();
    let t = on_disk(&dir.path().join("db"));
    let s = t.session("s", "/w");
    let (options, _) = options(shelf::add);
    drop(options);
    let mut written = 0;
    for round in 0..4 {
        let work = async {
            let stop = AtomicBool::new(false);
            let compact = async {
                let done = t.engine.compact().await;
                stop.store(true, Ordering::SeqCst);
                done
            };
            let write = async {
                let mut n = 0;
                while !stop.load(Ordering::SeqCst) {
                    let args = json!({"name": format!("r{round} n{n}"), "text": format!("{round} {n}")});
                    let reply = t.engine.call(&s, packd::engine::CallRequest::new("shelf_put", args)).await;
                    assert!(!reply.is_error, "{}", reply.text);
                    n += 1;
                }
                n
            };
            let mut both = (Box::pin(compact), Box::pin(write));
            let compacted = std::future::poll_fn(|cx| {
                let written = both.1.as_mut().poll(cx);
                match both.0.as_mut().poll(cx) {
                    std::task::Poll::Ready(done) => std::task::Poll::Ready((done, written)),
                    std::task::Poll::Pending => std::task::Poll::Pending,
                }
            })
            .await;
            let n = match compacted.1 {
                std::task::Poll::Ready(n) => n,
                std::task::Poll::Pending => both.1.await,
            };
            (compacted.0, n)
        };
        let (compacted, n) = t.block_on(work);
        assert!(compacted.unwrap().is_some(), "with writers waiting for the last attempt it always succeeds");
        written += n;
        for k in 0..n {
            let name = format!("r{round} n{k}");
            assert_eq!(shelf::text(&t, &name).unwrap(), format!("{round} {k}"));
        }
    }
    assert!(written > 4, "{written} writes came in between");
    assert_eq!(t.engine.store().read().unwrap().sizes().unwrap().ops, written as u64);
}

/// Killed at whatever moment of a compaction: the old file or the new one is there, whole, and no copy stays behind.
#[test]
fn a_daemon_killed_while_it_compacts_loses_nothing() {
    let place = Place::new();
    let create = |n: usize| {
        let args =
            json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n:02}")}).to_string();
        place.packd(&["call", "input", &args]).ok();
    };
    (0..5).for_each(create);
    for round in 5..15 {
        place.packd(&["up"]).ok();
        let mut command = place.command(crate::common::real::PACKD);
        command.args(["gc", "--compact"]);
        let mut compacting = crate::common::real::Process::spawn(command);
        // A copy is seen for a moment; some rounds are killed before it is there, some while, some after.
        let copying = || {
            let names = fs::read_dir(place.home().dir()).unwrap().flatten();
            names.into_iter().any(|e| e.file_name().to_string_lossy().starts_with(".packd-compact-"))
        };
        match round % 3 {
            0 => {}
            1 => until("a copy is made, or all is over", || copying() || !compacting.running()),
            _ => until("it is over", || !compacting.running()),
        }
        place.kill_daemon();
        create(round);
        let listed = place.packd(&["pack", "list", "--json"]).json();
        assert_eq!(listed["packs"].as_array().unwrap().len(), round + 1, "round {round}");
        compacting.wait();
        place.packd(&["stop"]).ok();
        assert_eq!(place.packd(&["doctor", "--json"]).json()["ok"], json!(true), "round {round}");
        assert!(!copying(), "round {round}: a copy stayed behind");
    }
}
