//! Power loss under work of every family: whatever part of the unsynced writes reaches the disk, in whatever order,
//! every acknowledged operation is there afterwards, rows are what the log says, and every row is in its indexes.
//!
//! A few hundred images here; ten thousand with `cargo test --features long hostile::crash_images`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use packd::core::op::Stream;
use packd::core::view::{LogQuery, LogView};
use packd::core::{Image, Key, OpStatus, RowQuery, Table, View};
use packd::engine::Session;
use packd::store::Snapshot;
use serde_json::{Value, json};

use crate::common::backend::{Disk as _, Event, Image as Files, Recorder, perform};
use crate::common::engine::{TestEngine, options};
use crate::families::deploy::rig::{self, SMALL};
use crate::families::ecosystems::rig::Rig;
use crate::families::packages::rig as packages_rig;

/// What a run writes while it goes on, without an operation of its own.
const TRANSIENT: [&str; 2] = ["runs", "run_specs"];
const IMAGES: usize = if cfg!(feature = "long") { 10_000 } else { 300 };

/// How far the log was when so many calls of the storage had happened.
struct Promise {
    events: usize,
    ops: u64,
    audit: u64,
}

struct Work {
    recorder: Recorder,
    promises: Vec<Promise>,
}

impl Work {
    /// A call that must succeed; what it stored is promised from now on.
    fn ok(&mut self, t: &TestEngine, s: &Arc<Session>, tool: &str, args: Value) -> Value {
        let reply = t.ok(s, tool, args);
        self.promise(t);
        reply
    }

    fn promise(&mut self, t: &TestEngine) {
        let snapshot = t.engine.store().read().unwrap();
        let head = |stream| snapshot.view().head(stream).unwrap();
        let (ops, audit) = (head(Stream::Ops), head(Stream::Audit));
        // Later than the heads were read: nothing is promised that was not durable.
        self.promises.push(Promise { events: self.recorder.seen(), ops, audit });
    }
}

fn packs_and_tasks(work: &mut Work, t: &TestEngine) {
    let s = t.session("p", "/w");
    for n in 0..6 {
        let made = json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n}"), "name": format!("pack-{n}")});
        work.ok(t, &s, "input", made);
    }
    work.ok(t, &s, "history_undo", json!({}));
    work.ok(t, &s, "history_redo", json!({}));
    for n in 0..4 {
        let made = work.ok(t, &s, "tasks_create", json!({"title": format!("Plan {n}"), "kind": "plan"}));
        assert_eq!(made["success"], json!(true), "{made}");
    }
    work.ok(t, &s, "tasks_undo", json!({}));
    work.ok(t, &s, "tasks_redo", json!({}));
}

fn deploy(work: &mut Work, t: &TestEngine, root: &std::path::Path) {
    let s = t.open(rig::info(root));
    let token = work.ok(t, &s, "deploy", json!({}))["data"]["confirm_token"].clone();
    work.ok(t, &s, "deploy_apply", json!({"yes": true, "adopt": true, "confirm_token": token}));
    work.ok(t, &s, "history_undo", json!({"yes": true}));
    work.ok(t, &s, "history_redo", json!({"yes": true}));
}

fn packages(work: &mut Work, t: &TestEngine, dir: &std::path::Path) {
    for part in ["work/.aam", "home", "registry"] {
        std::fs::create_dir_all(dir.join(part)).unwrap();
    }
    let s = t.open(packages_rig::info(dir, "work"));
    work.ok(t, &s, "aam_registry_add", json!({"name": "main", "url": dir.join("registry")}));
    work.ok(t, &s, "history_undo", json!({"yes": true}));
}

/// The tables whose rows are not what the log says: those that families also change without an operation.
fn differing(snapshot: &Snapshot, tables: &[Table]) -> BTreeSet<String> {
    let log = packd::core::past::replay(&snapshot.view()).unwrap();
    let mut out = BTreeSet::new();
    for table in tables {
        let rows = snapshot.view().rows(&RowQuery::new(*table, Key::empty())).unwrap();
        let rows: BTreeMap<Key, Image> = rows.into_iter().map(|(key, row)| (key, row.image())).collect();
        let wanted: BTreeMap<Key, Image> = log
            .iter()
            .filter(|((name, _), _)| name == table.0)
            .map(|((_, key), row)| (key.clone(), row.image()))
            .collect();
        if rows != wanted {
            out.insert(table.0.to_string());
        }
    }
    out
}

/// The disk at one moment: what was synced for good, and what may or may not have got there.
struct Disk {
    synced: Files,
    loose: Vec<Event>,
}

impl Disk {
    /// A choice of the loose writes by a seed: some are missing, some are torn, and they may come in any order.
    fn image(&self, seed: u64) -> Files {
        let mut bytes = self.synced.clone();
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        // Names and lengths are set in order: a file system journals them.
        for event in self.loose.iter().filter(|e| e.is_name_or_length()) {
            perform(&mut bytes, event);
        }
        let mut order: Vec<usize> = (0..self.loose.len()).collect();
        if seed % 4 == 3 {
            (1..order.len()).rev().for_each(|i| order.swap(i, (next() % (i as u64 + 1)) as usize));
        }
        for i in order {
            let Event::Write(file, offset, data) = &self.loose[i] else { continue };
            let keep = match seed % 4 {
                0 => data.len(),
                1 => 0,
                // Disks write whole sectors.
                _ => match next() % 4 {
                    0 => 0,
                    1 => (next() as usize % (data.len() / 512 + 1)) * 512,
                    _ => data.len(),
                },
            };
            if keep > 0 {
                let part = data[..keep.min(data.len())].to_vec();
                perform(&mut bytes, &Event::Write(*file, *offset, part));
            }
        }
        bytes
    }
}

#[test]
fn no_family_loses_what_it_acknowledged() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let root = dirs[0].path().join("site");
    rig::fill(&root, SMALL);
    let root = root.canonicalize().unwrap();
    let (options, clock) = options(|o| {
        o.trash = Some(dirs[1].path().join("trash"));
        o.home = Some(dirs[1].path().join("state"));
        o.ids = Arc::new(packd::engine::clock::RandomIds);
    });
    let tables = options.catalog().tables;
    let recorder = Recorder::default();
    let store = recorder.store(options.catalog()).unwrap();
    let mut work = Work { recorder: recorder.clone(), promises: Vec::new() };
    let rig = Rig::on(TestEngine::start(store, options, clock));
    let start = recorder.seen();
    packs_and_tasks(&mut work, &rig.t);
    deploy(&mut work, &rig.t, &root);
    packages(&mut work, &rig.t, dirs[1].path());
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    rig.install();
    rig.wait();
    work.promise(&rig.t);
    let (loose_tables, families) = {
        let snapshot = rig.t.engine.store().read().unwrap();
        let query =
            LogQuery { include_undone: true, limit: usize::MAX, stream: Stream::Ops, ..LogQuery::default() };
        let ops = snapshot.view().ops(&query).unwrap().ops;
        let families: BTreeSet<String> = ops.into_iter().map(|op| op.family).collect();
        let mut loose = differing(&snapshot, &tables);
        loose.extend(TRANSIENT.map(String::from));
        (loose, families)
    };
    for family in ["packs", "tasks", "deploy", "packages", "ecosystems"] {
        assert!(families.contains(family), "no operation of {family} among {families:?}");
    }
    assert!(
        tables.len() - loose_tables.len() > 5,
        "too few tables can be compared: all but {loose_tables:?}"
    );
    drop(rig);

    let events = recorder.events.lock().unwrap().clone();
    let cuts = events.len() - start;
    let per_cut = IMAGES.div_ceil(cuts);
    let every = (cuts / IMAGES).max(1);
    let mut disk = Disk { synced: Files::default(), loose: Vec::new() };
    let (mut images, mut beyond) = (0, 0);
    for (cut, event) in events.iter().enumerate() {
        if cut >= start && cut % every == 0 {
            let promised = work.promises.iter().rev().find(|p| p.events <= cut);
            for seed in 0..per_cut as u64 {
                let seed = cut as u64 * 31 + seed;
                let bytes = disk.image(seed);
                let catalog = crate::common::engine::options(|_| {}).0.catalog();
                let store = Recorder::holding(bytes)
                    .store(catalog)
                    .unwrap_or_else(|e| panic!("cut {cut}, seed {seed}: {e}"));
                let snapshot = store.read().unwrap();
                let head = |stream| snapshot.view().head(stream).unwrap();
                let (ops, audit) = (head(Stream::Ops), head(Stream::Audit));
                if let Some(promised) = promised {
                    assert!(ops >= promised.ops, "cut {cut}, seed {seed}: {ops} of {}", promised.ops);
                    assert!(audit >= promised.audit, "cut {cut}, seed {seed}: {audit} of {}", promised.audit);
                    beyond += usize::from(ops > promised.ops);
                }
                assert_eq!(snapshot.damaged_rows().unwrap(), Vec::new(), "cut {cut}, seed {seed}");
                let wrong: Vec<_> =
                    differing(&snapshot, &tables).difference(&loose_tables).cloned().collect();
                assert!(wrong.is_empty(), "cut {cut}, seed {seed}: rows and log disagree in {wrong:?}");
                let pending = snapshot.view().pending().unwrap();
                assert!(pending.iter().all(|op| op.status == OpStatus::Pending), "cut {cut}, seed {seed}");
                images += 1;
            }
        }
        match event {
            // A sync is one of its own file.
            Event::Sync(file) => {
                let (synced, loose): (Vec<_>, _) =
                    std::mem::take(&mut disk.loose).into_iter().partition(|e| e.file() == *file);
                synced.iter().for_each(|event| perform(&mut disk.synced, event));
                disk.loose = loose;
            }
            other => disk.loose.push(other.clone()),
        }
    }
    assert!(images >= IMAGES * 9 / 10, "only {images} images were tried");
    assert!(beyond > 0, "no image held a commit that was never acknowledged: the cuts are too coarse");
    eprintln!("{images} crash images over {cuts} calls of the storage");
}
