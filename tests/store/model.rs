//! A random walk over the store and its journal beside a plain map: writes, readers that stay, checkpoints, failing
//! disks, kills and power losses in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use packd::core::findable::{Space, WordQuery};
use packd::core::{Key, View};
use packd::store::Snapshot;
use proptest::prelude::*;
use serde_json::json;

use crate::common::backend::{Disk, Faulty, Of, Plan};
use crate::common::engine::{TestEngine, options};
use crate::common::words::{WORDS, Words, replay, table, texts, tools};

#[derive(Debug, Clone)]
enum Step {
    Set(u8, u16),
    Drop(u8),
    Many(u8, u8),
    Read,
    /// The oldest reader is still there, looks, and goes.
    Look,
    Checkpoint,
    /// So many calls from now a call of this kind fails.
    Fail(u8, u8),
    Kill,
    PowerLoss,
    Stop,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..12u8, 0..6000u16).prop_map(|(key, length)| Step::Set(key, length)),
        3 => (0..12u8).prop_map(Step::Drop),
        2 => (0..12u8, 1..12u8).prop_map(|(from, count)| Step::Many(from, count)),
        3 => Just(Step::Read),
        3 => Just(Step::Look),
        3 => Just(Step::Checkpoint),
        2 => (0..3u8, 0..6u8).prop_map(|(of, at)| Step::Fail(of, at)),
        1 => Just(Step::Kill),
        1 => Just(Step::PowerLoss),
        1 => Just(Step::Stop),
    ]
}

const NEVER: Plan = Plan { at: usize::MAX, times: 0, kind: std::io::ErrorKind::Other, of: Of::Database };

type Map = BTreeMap<String, String>;

struct Walk {
    disk: Faulty,
    t: Option<TestEngine>,
    ended: Arc<AtomicBool>,
    /// What must be there; more than one state where it is not known whether the last change was stored.
    possible: Vec<Map>,
    readers: Vec<(Snapshot, Map)>,
}

impl Walk {
    fn new() -> Walk {
        let ended = Arc::new(AtomicBool::new(false));
        let mut walk = Walk {
            disk: Faulty::new(NEVER),
            t: None,
            ended,
            possible: vec![Map::new()],
            readers: Vec::new(),
        };
        walk.open();
        walk
    }

    fn open(&mut self) {
        self.disk.begin(NEVER);
        self.ended = Arc::new(AtomicBool::new(false));
        let told = self.ended.clone();
        let (options, clock) = options(|o| {
            o.families.push(Box::new(Words));
            o.tools.extend(tools());
            o.tools.sort_by(|a, b| a.name.cmp(&b.name));
            o.on_fatal = Box::new(move |_| told.store(true, Ordering::SeqCst));
        });
        let store = self.disk.store(options.catalog()).unwrap();
        let t = TestEngine::start(store, options, clock);
        let found = texts(&t);
        assert!(self.possible.contains(&found), "{found:?} is none of {:?}", self.possible);
        assert_eq!(replay(&t), table(&t), "rows and log disagree");
        let snapshot = t.engine.store().read().unwrap();
        assert_eq!(snapshot.damaged_rows().unwrap(), Vec::new());
        look(&snapshot, &found);
        self.possible = vec![found];
        self.t = Some(t);
    }

    /// Ends the process one way or another and begins the next.
    fn again(&mut self, on: Faulty) {
        self.readers.clear();
        // What the old process does while it is dropped happens on a disk that nobody sees any more.
        self.t = None;
        self.disk = on;
        self.open();
    }

    fn change(&mut self, tool: &str, args: serde_json::Value, after: impl FnOnce(&mut Map)) {
        let t = self.t.as_ref().unwrap();
        let reply = t.call(&t.session("s", "/w"), tool, args);
        let mut next = self.possible[0].clone();
        after(&mut next);
        match reply.is_error {
            false => self.possible = vec![next],
            true if reply.text.contains("not known whether") => {
                self.possible.push(next);
                t.engine.stop();
                assert!(self.ended.load(Ordering::SeqCst), "the daemon was not told to end");
                let on = self.disk.clone();
                self.again(on);
            }
            true => assert!(!reply.text.contains("defect"), "{}", reply.text),
        }
    }

    fn take(&mut self, step: &Step) {
        let name = |n: u8| format!("w{}", n % 12);
        match step {
            Step::Set(key, length) => {
                let text = "t".repeat(usize::from(*length));
                let args = json!({"name": name(*key), "text": text});
                self.change("words_set", args, |map| drop(map.insert(name(*key), text.clone())));
            }
            Step::Drop(key) => {
                self.change("words_drop", json!({"name": name(*key)}), |map| drop(map.remove(&name(*key))));
            }
            Step::Many(from, count) => {
                let names: Vec<String> = (*from..from + count).map(name).collect();
                let args = json!({"names": names, "text": "many"});
                self.change("words_many", args, |map| {
                    names.iter().for_each(|name| drop(map.insert(name.clone(), "many".into())));
                });
            }
            Step::Read => {
                let snapshot = self.t.as_ref().unwrap().engine.store().read();
                // A disk that fails under it closes the database for a moment.
                self.readers.extend(snapshot.ok().map(|snapshot| (snapshot, self.possible[0].clone())));
            }
            Step::Look => {
                if !self.readers.is_empty() {
                    let (snapshot, seen) = self.readers.remove(0);
                    look(&snapshot, &seen);
                }
            }
            Step::Checkpoint => {
                let _ = self.t.as_ref().unwrap().engine.store().checkpoint();
            }
            Step::Fail(of, at) => {
                let of = [Of::Database, Of::Slots, Of::SlotSyncs][usize::from(*of)];
                let kind = std::io::ErrorKind::StorageFull;
                self.disk.begin(Plan { at: usize::from(*at), times: 1, kind, of });
            }
            Step::Kill => {
                let on = self.disk.taken_over();
                self.again(on);
            }
            Step::PowerLoss => {
                let on = self.disk.after_a_power_loss();
                self.again(on);
            }
            Step::Stop => {
                self.disk.begin(NEVER);
                self.t.as_ref().unwrap().engine.stop();
                let on = self.disk.clone();
                self.again(on);
            }
        }
    }
}

/// A reader sees what was there when it came, row by row, as a list and by words, whatever happened since; or it is told that
/// the database was closed under it.
fn look(snapshot: &Snapshot, seen: &Map) {
    let view = snapshot.view();
    let rows = match view.rows(&packd::core::RowQuery::new(WORDS, Key::empty())) {
        Ok(rows) => rows,
        Err(e) => return assert_eq!(e.kind, packd::core::Kind::Io, "{e}"),
    };
    let text = |key: &Key, row: &packd::core::Row| row.decode::<String>(WORDS, key).unwrap();
    let rows: Map = rows.iter().map(|(k, r)| (crate::common::words::name(k), text(k, r))).collect();
    assert_eq!(rows, *seen);
    for word in ["many", "t"] {
        let query =
            WordQuery { space: Space::Rows(WORDS, "/w".into()), words: vec![word.into()], limit: 100 };
        let Ok(found) = view.words(&query) else { continue };
        let hits: BTreeSet<String> =
            found.hits.iter().map(|hit| crate::common::words::name(&hit.key)).collect();
        let fit = seen.iter().filter(|(_, text)| text.starts_with(word));
        assert_eq!(hits, fit.map(|(name, _)| name.clone()).collect(), "found by '{word}'");
    }
    for n in 0..12 {
        let key = Key::of("/w").text(&format!("w{n}"));
        if let Ok(row) = view.row(WORDS, &key) {
            assert_eq!(row.map(|row| text(&key, &row)).as_ref(), seen.get(&format!("w{n}")));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(feature = "long") { 2000 } else { 40 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_store_is_a_map_with_a_memory(steps in proptest::collection::vec(step(), 1..40)) {
        let mut walk = Walk::new();
        for step in &steps {
            walk.take(step);
        }
        let on = walk.disk.clone();
        walk.again(on);
    }
}
