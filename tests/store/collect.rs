//! Collection: what is beyond retention goes, in steps between which everybody is served; what anything refers to
//! stays, also if it came into use while blobs were looked for; and the file gets smaller.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use packd::engine::Session;
use packd::store::Retention;
use redb::TableDefinition;
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, options};
use crate::common::real::{Place, until};
use crate::common::shelf;

fn engine(undo_range: u64) -> TestEngine {
    TestEngine::build(|o| {
        shelf::add(o);
        o.retention = Retention { days: 1, megabytes: 100, undo_range };
    })
}

pub fn on_disk(path: &Path) -> TestEngine {
    let (options, clock) = options(|o| {
        shelf::add(o);
        o.retention = Retention { days: 1, megabytes: 100, undo_range: 10 };
    });
    TestEngine::start(crate::common::engine::open(path, || options.catalog()).unwrap(), options, clock)
}

pub fn operations(t: &TestEngine, s: &Arc<Session>) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let mut query = json!({"limit": 100});
        if let Some(last) = all.last() {
            query["before"] = last["operation_id"].clone();
        }
        let page = t.ok(s, "history_list", query)["operations"].as_array().unwrap().clone();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// Steps until the collection is over; `between` runs after each.
fn stepwise(t: &TestEngine, mut between: impl FnMut(usize)) -> packd::store::Collected {
    let mut collection = t.engine.begin_collection().unwrap();
    for n in 0.. {
        let (back, more) = t.block_on(t.engine.collect_some(collection)).unwrap();
        if !more {
            return back.done;
        }
        collection = back;
        between(n);
    }
    unreachable!("a collection ends")
}

#[test]
fn what_a_user_notices_of_a_collection() {
    let t = engine(10);
    let s = t.session("s", "/w");
    for n in 0..700 {
        shelf::put(&t, &s, &format!("n{}", n % 5), &format!("version {n}"));
    }
    t.clock.advance(2 * 86_400);
    let mut steps = 0;
    let done = stepwise(&t, |_| steps += 1);
    assert_eq!(done.images, 690, "all but the undo range");
    assert!(steps >= 3, "several steps of at most 256: {steps}");
    // Everything is listed, what is there is whole, the newest can be undone, the oldest says why not.
    let all = operations(&t, &s);
    assert_eq!(all.len(), 700);
    for n in 0..5 {
        assert_eq!(shelf::text(&t, &format!("n{n}")).unwrap(), format!("version {}", 695 + n));
    }
    for n in 0..10 {
        t.ok(&s, "history_undo", json!({}));
        let name = format!("n{}", (699 - n) % 5);
        assert_eq!(shelf::text(&t, &name).unwrap(), format!("version {}", 694 - n), "undo {n}");
    }
    let told = t.err(&s, "history_revert", json!({"operation_id": all.last().unwrap()["operation_id"]}));
    assert_eq!(told["code"], "images_dropped", "{told}");
    // A second collection begins at the mark: there is nothing left, and nothing is looked at again.
    let mut steps = 0;
    assert_eq!(stepwise(&t, |_| steps += 1).images, 10, "ten newer operations protect no more");
    assert!(steps < 100, "{steps}");
}

#[test]
fn size_counts_as_well_as_age() {
    let t = TestEngine::build(|o| {
        shelf::add(o);
        o.retention = Retention { days: 1000, megabytes: 0, undo_range: 3 };
    });
    let s = t.session("s", "/w");
    for n in 0..20 {
        shelf::put(&t, &s, "n", &format!("version {n}"));
    }
    assert_eq!(t.block_on(t.engine.collect_garbage()).unwrap().images, 17);
}

/// Audit records are never dropped, and their chain stays whole.
#[test]
fn audit_records_stay() {
    let t = engine(0);
    let s = t.session("s", "/w");
    for _ in 0..5 {
        t.ok(&s, "amof_set_mode", json!({"mode": "plan"}));
        t.ok(&s, "amof_set_mode", json!({"mode": "execute"}));
        shelf::put(&t, &s, "n", "x");
        t.ok(&s, "shelf_drop", json!({"name": "n"}));
    }
    let lines = || t.engine.store().read().unwrap().audit_lines(0, 1000).unwrap().lines;
    let before = lines();
    t.clock.advance(1000 * 86_400);
    t.block_on(t.engine.collect_garbage()).unwrap();
    assert_eq!(lines(), before);
    let mut reading = packd::core::chain::Reading::default();
    lines().iter().for_each(|line| reading.take(line).unwrap());
    assert!(reading.count >= 10);
}

/// Content that nobody referred to when a collection began, and that somebody refers to before it is swept.
///
/// Written into every gap between two steps, so each phase is met: before blobs are watched, while rows are marked,
/// while blobs and pieces are swept.
#[test]
fn content_that_comes_into_use_during_a_collection_is_kept() {
    let long = |n: u64| shelf::content(&format!("long {n}"), 1000 + n);
    let same = |found: Option<String>, wanted: String| found.as_ref() == Some(&wanted);
    let mut met = 0;
    for gap in 0..16 {
        let t = engine(0);
        let s = t.session("s", "/w");
        for n in 0..6 {
            shelf::put(&t, &s, &format!("old{n}"), &format!("short content {n}"));
            shelf::put_long(&t, &s, &format!("long{n}"), &format!("long {n}"), 1000 + n);
            t.ok(&s, "shelf_drop", json!({"name": format!("old{n}")}));
            t.ok(&s, "shelf_drop", json!({"name": format!("long{n}")}));
        }
        shelf::put_long(&t, &s, "stays", "long 99", 1099);
        t.clock.advance(2 * 86_400);
        let done = stepwise(&t, |n| {
            if n == gap {
                shelf::put(&t, &s, "again", "short content 3");
                shelf::put_long(&t, &s, "again, long", "long 4", 1004);
            }
        });
        assert!(done.blobs >= 8, "gap {gap}: {done:?}");
        met += usize::from(done.blobs < 12);
        assert!(same(shelf::text(&t, "stays"), long(99)), "gap {gap}");
        let again = shelf::text(&t, "again");
        assert!(again.is_none() || again.as_deref() == Some("short content 3"), "gap {gap}: {again:?}");
        if again.is_some() {
            assert!(same(shelf::text(&t, "again, long"), long(4)), "gap {gap}");
        }
        // What was left over this time goes the next.
        t.clock.advance(2 * 86_400);
        t.block_on(t.engine.collect_garbage()).unwrap();
        let sizes = t.engine.store().read().unwrap().sizes().unwrap();
        assert_eq!(sizes.blobs, if again.is_some() { 3 } else { 1 }, "gap {gap}");
        assert_eq!(t.engine.store().read().unwrap().tallied().unwrap(), Some(sizes));
    }
    assert!((3..16).contains(&met), "{met} gaps were before the sweep, and some were after it");
}

/// A collection that is given up half-way does no harm, and the next one begins anew.
#[test]
fn a_collection_that_is_given_up_does_no_harm() {
    for steps in 0..12 {
        let t = engine(2);
        let s = t.session("s", "/w");
        for n in 0..8 {
            shelf::put(&t, &s, "n", &format!("version {n}"));
        }
        t.clock.advance(2 * 86_400);
        let mut collection = t.engine.begin_collection().unwrap();
        for _ in 0..steps {
            collection = t.block_on(t.engine.collect_some(collection)).unwrap().0;
        }
        drop(collection);
        assert_eq!(shelf::text(&t, "n").unwrap(), "version 7");
        t.ok(&s, "history_undo", json!({}));
        assert_eq!(shelf::text(&t, "n").unwrap(), "version 6");
        t.block_on(t.engine.collect_garbage()).unwrap();
        assert_eq!(shelf::text(&t, "n").unwrap(), "version 6", "{steps} steps");
    }
}

#[test]
fn a_collection_is_due_a_day_after_the_last_whoever_made_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let t = on_disk(&path);
    assert!(!t.engine.collection_is_due().unwrap(), "nothing was ever done here");
    shelf::put(&t, &t.session("s", "/w"), "n", "x");
    assert!(t.engine.collection_is_due().unwrap());
    t.block_on(t.engine.collect_garbage()).unwrap();
    assert!(!t.engine.collection_is_due().unwrap());
    t.engine.stop();
    drop(t);
    let t = on_disk(&path);
    assert!(!t.engine.collection_is_due().unwrap(), "the next daemon knows of it");
    t.clock.advance(86_399);
    assert!(!t.engine.collection_is_due().unwrap());
    t.clock.advance(1);
    assert!(t.engine.collection_is_due().unwrap());
}

#[test]
fn the_command_line_collects_and_compacts_and_doctor_says_when() {
    let place = Place::new();
    let line = |place: &Place| {
        let said = place.packd(&["doctor", "--json"]).json();
        let gc = said["checks"].as_array().unwrap().iter().find(|c| c["check"] == "gc").cloned();
        gc.unwrap()["found"].as_str().unwrap().to_string()
    };
    let args = json!({"action": "create", "ttl_minutes": 60, "title": "Kept"}).to_string();
    place.packd(&["call", "input", &args]).ok();
    assert!(line(&place).contains("not collected yet"), "{}", line(&place));
    let mut editor = place.shim();
    editor.initialize();
    let done = place.packd(&["gc", "--compact", "--json"]).json();
    assert!(done["compacted"]["after"].as_u64().unwrap() > 0, "{done}");
    assert_eq!(line(&place), "last collected just now");
    assert!(place.packd(&["gc", "--compact"]).ok().contains("The database took"));
    // The same daemon goes on, also for the editor that was attached, and the next one has everything.
    editor.ping(3);
    assert!(place.packd(&["pack", "list"]).ok().contains("Kept"));
    place.packd(&["restart"]).ok();
    assert!(place.packd(&["pack", "list"]).ok().contains("Kept"));
    assert_eq!(line(&place), "last collected just now");
    let told = editor.ask(json!(4), "packd/gc", json!({"compact": true}));
    assert!(told["error"]["message"].as_str().unwrap().contains("command line"), "{told}");
}

/// The daemon collects by itself when the stored time is over a day old, however short it has been running.
#[test]
fn a_daemon_that_starts_after_a_day_collects_by_itself() {
    const META: TableDefinition<&[u8], &[u8]> = TableDefinition::new("meta");
    let place = Place::new();
    let args = json!({"action": "create", "ttl_minutes": 60, "title": "Kept"}).to_string();
    place.packd(&["call", "input", &args]).ok();
    place.packd(&["gc"]).ok();
    {
        let db = place.stopped_database();
        let txn = db.begin_write().unwrap();
        let mut meta = txn.open_table(META).unwrap();
        meta.insert(&b"gc_last"[..], &1_000_000u64.to_be_bytes()[..]).unwrap().unwrap();
        drop(meta);
        txn.commit().unwrap();
    }
    place.packd(&["up"]).ok();
    until("it collects", || place.packd(&["doctor"]).stdout.contains("last collected just now"));
}

/// `cargo test --release --test all collect::longest -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes: 100,000 operations"]
fn longest_create_during_a_collection_of_100_000_operations() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let t = on_disk(&path);
    let s = t.session("s", "/w");
    let create = |n: usize| {
        let args = json!({"action": "create", "ttl_minutes": 600_000, "title": format!("Pack {n}"),
                          "brief": "x".repeat(400)});
        packd::engine::CallRequest::new("input", args)
    };
    let begun = Instant::now();
    t.block_on(async {
        for wave in 0..100_000 / 250 {
            let mut waiting: Vec<_> =
                (0..250).map(|n| Box::pin(t.engine.call(&s, create(wave * 250 + n)))).collect();
            for call in &mut waiting {
                assert!(!call.await.is_error);
            }
        }
    });
    let before = fs::metadata(&path).unwrap().len();
    println!("100,000 creates in {:?}, {before} bytes", begun.elapsed());
    let stats = Instant::now();
    t.engine.stats().unwrap();
    println!("stats: {:?}", stats.elapsed());
    let alone = longest(&t, &s, 200, &create);
    t.clock.advance(2 * 86_400);
    let begun = Instant::now();
    let (mut during, mut steps) = (Vec::new(), 0);
    let done = {
        let mut collection = t.engine.begin_collection().unwrap();
        loop {
            // A create is sent together with every step, so it waits for whatever the step holds.
            let (stepped, took) = t.block_on(async {
                let mut step = Box::pin(t.engine.collect_some(collection));
                let mut call = Box::pin(async {
                    let begun = Instant::now();
                    assert!(!t.engine.call(&s, create(steps)).await.is_error);
                    begun.elapsed()
                });
                let mut stepped = None;
                let took = std::future::poll_fn(|cx| {
                    if stepped.is_none()
                        && let std::task::Poll::Ready(done) = step.as_mut().poll(cx)
                    {
                        stepped = Some(done);
                    }
                    call.as_mut().poll(cx)
                })
                .await;
                let stepped = match stepped {
                    Some(stepped) => stepped,
                    None => step.await,
                };
                (stepped.unwrap(), took)
            });
            during.push(took);
            steps += 1;
            collection = stepped.0;
            if !stepped.1 {
                break collection.done;
            }
        }
    };
    during.sort_unstable();
    println!("collection: {:?} in {steps} steps, {done:?}", begun.elapsed());
    println!(
        "create alone: p50 {:?}, longest {:?}; during: p50 {:?}, p99 {:?}, longest {:?}",
        alone[alone.len() / 2],
        alone.last().unwrap(),
        during[during.len() / 2],
        during[during.len() * 99 / 100],
        during.last().unwrap()
    );
    let begun = Instant::now();
    let compacted = t.block_on(t.engine.compact()).unwrap();
    println!("compaction: {:?}, {compacted:?}", begun.elapsed());
    assert!(*during.last().unwrap() < Duration::from_millis(500), "{:?}", during.last());
}

fn longest(
    t: &TestEngine,
    s: &Arc<Session>,
    count: usize,
    create: &dyn Fn(usize) -> packd::engine::CallRequest,
) -> Vec<Duration> {
    let mut took: Vec<_> = (0..count)
        .map(|n| {
            let begun = Instant::now();
            assert!(!t.block_on(t.engine.call(s, create(n))).is_error);
            begun.elapsed()
        })
        .collect();
    took.sort_unstable();
    took
}
