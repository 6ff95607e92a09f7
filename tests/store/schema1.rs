//! One real file per released schema stays in `tests/data`; this packd must open each of them, and before it writes
//! into one of the first schema it keeps it as it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use packd::store::{SCHEMA, Store};
use redb::{Database, ReadableDatabase, TableDefinition};
use serde_json::json;

use super::promises::on_disk;
use crate::common::engine::{open, options};
#[cfg(target_os = "linux")]
use crate::common::small_disk::{SmallDisk, with_own_mounts};

/// Two packs' worth of a first try.
const SMALL: &[u8] = include_bytes!("../data/schema-1.redb.gz");
/// A pack with a ref, a plan, a task with a note, and an operation that was undone: the first release, with a journal.
const FIRST: &[u8] = include_bytes!("../data/schema-2.redb.gz");
/// A deploy, packs, a plan, a task with steps and notes, and two operations that were undone.
const USED: &[u8] = include_bytes!("../data/schema-1-used.redb.gz");

fn unpack(packed: &[u8], to: &Path) {
    let mut file = fs::File::create(to).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(packed), &mut file).unwrap();
}

fn schema_of(path: &Path) -> u64 {
    let db = Database::open(path).unwrap();
    let meta = db.begin_read().unwrap().open_table(TableDefinition::<&[u8], &[u8]>::new("meta")).unwrap();
    u64::from_be_bytes(meta.get(&b"schema"[..]).unwrap().unwrap().value().try_into().unwrap())
}

fn kept(dir: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.to_string_lossy().contains(".schema1-")).collect()
}

#[test]
fn a_file_of_the_first_schema_opens_and_can_be_undone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    unpack(SMALL, &path);
    let t = on_disk(&path);
    let s = t.session("s", "/tmp/s1w");
    let packs = t.ok(&s, "input", json!({"action": "list"}));
    assert_eq!(packs["payload"]["packs"][0]["title"], "Kept for ever");
    let task = t.ok(&s, "tasks_resume", json!({"task": "TASK-001", "compact": false}));
    assert_eq!(task["result"]["task"]["steps"][0]["title"], "A step");
    let audit = t.ok(&s, "history_list", json!({"stream": "audit"}));
    assert_eq!(audit["operations"].as_array().unwrap().len(), 1);
    for _ in 0..3 {
        t.ok(&s, "history_undo", json!({}));
    }
    assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 0);
}

#[test]
fn a_used_file_keeps_its_notes_its_deploy_and_both_stacks() {
    used_file(false);
}

/// The same once every record was carried over into the log of field changes.
#[test]
fn records_that_were_carried_over_keep_both_stacks() {
    used_file(true);
}

fn used_file(carried: bool) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("packd.redb");
    unpack(USED, &path);
    let old = fs::read(&path).unwrap();
    let t = on_disk(&path);
    let s = t.session("s", "/tmp/s1/project");
    assert!(t.engine.has_older_records());
    let before = t.ok(&s, "history_list", json!({"limit": 50}));
    if carried {
        while t.block_on(t.engine.carry_over_some()).unwrap() {}
        assert!(!t.engine.has_older_records());
        assert_eq!(t.ok(&s, "history_list", json!({"limit": 50})), before, "nothing of the log is lost");
        let noted = t.ok(&s, "history_list", json!({"tool": "tasks_note"}));
        assert!(!noted["operations"].as_array().unwrap().is_empty(), "every filter finds old records");
    }
    let total = || t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"].clone();
    let notes = || {
        let task = t.ok(&s, "tasks_resume", json!({"task": "TASK-001", "compact": false}));
        let text = task.to_string();
        ["A first note", "A second note", "A third note"].map(|note| text.contains(note))
    };
    assert_eq!((total(), notes()), (json!(3), [true, true, false]));
    let history = t.ok(&s, "history_list", json!({"limit": 50}));
    assert!(history.to_string().contains("Deployed 2 files to codex"), "{history}");
    // Both were undone by the packd that wrote the file.
    t.ok(&s, "history_redo", json!({}));
    t.ok(&s, "history_redo", json!({}));
    assert_eq!((total(), notes()), (json!(4), [true, true, true]));
    // And everything it did goes back to where files come into play.
    for _ in 0..9 {
        t.ok(&s, "history_undo", json!({}));
    }
    assert_eq!(total(), json!(0));
    t.engine.stop();
    drop((s, t));
    assert_eq!(schema_of(&path), SCHEMA);
    let kept = kept(dir.path());
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::metadata(&kept[0]).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read(&kept[0]).unwrap() == old, "the copy is not what was there");
    assert_eq!(schema_of(&kept[0]), 1);
    // Once is enough.
    drop(on_disk(&path));
    assert_eq!(self::kept(dir.path()).len(), 1);
}

/// An index that came later was never filled for what was there before: titles found nothing, and `packd doctor` called
/// every database of the first release damaged, which `packd repair` could not mend.
#[test]
fn what_an_older_packd_wrote_is_in_every_index_of_this_one() {
    for (packed, workspace, title) in [
        (FIRST, "/tmp/s2/project", Some("ship the Thing")),
        (USED, "/tmp/s1/project", None),
        (SMALL, "/tmp/s1w", None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("packd.redb");
        unpack(packed, &path);
        let store = open(&path, || options(|_| {}).0.catalog()).unwrap();
        assert_eq!(store.read().unwrap().damaged_rows().unwrap(), [], "{workspace}");
        drop(store);
        for _opened_again in 0..2 {
            let t = on_disk(&path);
            let s = t.session("s", workspace);
            let task = t.ok(&s, "tasks_resume", json!({"task": "TASK-001"}))["result"]["task"].clone();
            let title = title.or(task["title"].as_str()).unwrap();
            let found = t.ok(&s, "tasks_resume", json!({"task": title}));
            assert_eq!(found["result"]["task"]["id"], "TASK-001", "{found}");
            t.engine.stop();
        }
    }
}

#[test]
fn a_file_of_the_first_release_keeps_its_stacks_and_what_it_undid() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("packd.redb");
    unpack(FIRST, &path);
    let t = on_disk(&path);
    let s = t.session("s", "/tmp/s2/project");
    let notes = || {
        let task = t.ok(&s, "tasks_resume", json!({"task": "TASK-001", "compact": false})).to_string();
        ["A first note", "A second note"].map(|note| task.contains(note))
    };
    assert_eq!(notes(), [true, false]);
    t.ok(&s, "tasks_redo", json!({}));
    assert_eq!(notes(), [true, true]);
    let pack = t.ok(&s, "input", json!({"action": "get", "name": "kept-for-ever"}));
    assert_eq!(pack["payload"]["sections"][0]["refs"][0]["key"], "open");
    for _ in 0..2 {
        t.ok(&s, "tasks_undo", json!({}));
    }
    assert_eq!(notes(), [false, false]);
    for _ in 0..5 {
        t.ok(&s, "history_undo", json!({}));
    }
    assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 0);
}

#[cfg(target_os = "linux")]
#[test]
fn without_room_for_the_copy_nothing_is_changed() {
    with_own_mounts("store::schema1::without_room_for_the_copy_nothing_is_changed", || {
        let dir = tempfile::tempdir().unwrap();
        let Some(disk) = SmallDisk::over(dir.path(), "1600k") else { return };
        let path = dir.path().join("packd.redb");
        unpack(USED, &path);
        let old = fs::read(&path).unwrap();
        let refused = Store::open(&path, options(|_| {}).0.catalog()).err().unwrap();
        assert_eq!(refused.code, "no_space", "{refused}");
        assert!(refused.message.contains("must be kept as it is"), "{refused}");
        assert!(refused.hint.unwrap().contains("nothing was changed"));
        assert!(fs::read(&path).unwrap() == old, "the file was changed");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "something was left behind");
        disk.resize("16m");
        drop(crate::common::engine::open(&path, || options(|_| {}).0.catalog()).unwrap());
        assert_eq!((schema_of(&path), kept(dir.path()).len()), (SCHEMA, 1));
    });
}
