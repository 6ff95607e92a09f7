//! `packd stats` knows how many rows, records and blobs there are without counting them, and is always right.

use packd::store::{Retention, Sizes};
use redb::{Database, ReadableDatabase, TableDefinition};
use serde_json::json;

use crate::common::engine::{TestEngine, options};
use crate::common::real::{Place, until};
use crate::common::shelf;

const META: TableDefinition<&[u8], &[u8]> = TableDefinition::new("meta");
const TALLIES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("tallies");

fn known(t: &TestEngine) -> Option<Sizes> {
    t.engine.store().read().unwrap().tallied().unwrap()
}

fn counted(t: &TestEngine) -> Sizes {
    t.engine.store().read().unwrap().sizes().unwrap()
}

/// Rows come, change and go, content is shared and collected, operations are undone and refused.
fn live(t: &TestEngine, rounds: u64) {
    let s = t.session("s", "/w");
    let mut dice = rounds;
    for n in 0..rounds {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let name = format!("n{}", dice >> 33 & 7);
        match dice >> 40 & 7 {
            0 | 1 => drop(t.call(&s, "shelf_drop", json!({"name": name}))),
            2 => drop(t.call(&s, "history_undo", json!({}))),
            3 => drop(t.call(&s, "amof_set_mode", json!({"mode": "execute"}))),
            4 => shelf::put_long(t, &s, &name, "a long text", 1000 + n),
            _ => shelf::put(t, &s, &name, &format!("text {}", dice >> 50 & 3)),
        }
    }
}

#[test]
fn what_is_known_is_what_would_be_counted() {
    let t = TestEngine::build(|o| {
        shelf::add(o);
        o.retention = Retention { days: 1, megabytes: 100, undo_range: 5 };
    });
    assert_eq!(known(&t), Some(counted(&t)), "an empty store is counted from the first moment");
    for _ in 0..5 {
        live(&t, 40);
        assert_eq!(known(&t), Some(counted(&t)));
        t.clock.advance(2 * 86_400);
        t.block_on(t.engine.collect_garbage()).unwrap();
        assert_eq!(known(&t), Some(counted(&t)), "after a collection");
    }
    let sizes = counted(&t);
    assert!(sizes.rows > 1 && sizes.ops > 50 && sizes.audit > 5 && sizes.blobs > 1, "{sizes:?}");
    let stats = t.engine.stats().unwrap();
    assert_eq!(stats["store"]["ops"], json!(sizes.ops));
    assert_eq!(stats["store"]["blob_bytes"], json!(sizes.blob_bytes));
    let shelf = stats["store"]["tables"]["shelf"].as_u64().unwrap();
    assert!((1..=8).contains(&shelf), "{stats}");
}

/// A database of an earlier packd knows nothing; it is counted once, and what happens meanwhile counts.
#[test]
fn an_older_database_is_counted_once_while_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let open = || {
        let (options, clock) = options(shelf::add);
        TestEngine::start(crate::common::engine::open(&path, || options.catalog()).unwrap(), options, clock)
    };
    let t = open();
    live(&t, 60);
    t.engine.stop();
    drop(t);
    {
        let db = Database::open(&path).unwrap();
        let txn = db.begin_write().unwrap();
        txn.delete_table(TALLIES).unwrap();
        txn.open_table(META).unwrap().remove(&b"counted"[..]).unwrap().unwrap();
        txn.commit().unwrap();
    }
    let t = open();
    live(&t, 30);
    assert_eq!(known(&t), None);
    let stats = t.engine.stats().unwrap();
    assert_eq!((&stats["store"]["counting"], &stats["store"]["rows"]), (&json!(true), &json!(null)));
    t.block_on(t.engine.count_once()).unwrap();
    assert_eq!(known(&t), Some(counted(&t)));
    live(&t, 30);
    assert_eq!(known(&t), Some(counted(&t)));
    t.engine.stop();
    drop(t);
    let t = open();
    assert_eq!(known(&t), Some(counted(&t)), "it is kept");
}

#[test]
fn the_daemon_counts_an_older_database_by_itself() {
    let place = Place::new();
    for n in 0..3 {
        let args = json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n}")}).to_string();
        place.packd(&["call", "input", &args]).ok();
    }
    let before = place.packd(&["stats", "--json"]).json()["store"].clone();
    assert_eq!((&before["ops"], &before["tables"]["packs"]), (&json!(3), &json!(3)), "{before}");
    place.packd(&["stop"]).ok();
    {
        let mut db = Database::open(place.home().database());
        until("the daemon let go of the database", || {
            if db.is_err() {
                db = Database::open(place.home().database());
            }
            db.is_ok()
        });
        let db = db.unwrap();
        assert!(
            db.begin_read().unwrap().open_table(TALLIES).is_ok(),
            "counts are where this test looks for them"
        );
        let txn = db.begin_write().unwrap();
        txn.delete_table(TALLIES).unwrap();
        txn.open_table(META).unwrap().remove(&b"counted"[..]).unwrap().unwrap();
        txn.commit().unwrap();
    }
    let mut after = json!(null);
    until("it is counted", || {
        after = place.packd(&["stats", "--json"]).json()["store"].clone();
        after["counting"] == json!(false)
    });
    assert_eq!((&after["ops"], &after["rows"]), (&before["ops"], &before["rows"]));
    assert!(place.packd(&["stats"]).ok().contains("3 operations"));
}
