//! Backups: made while packd runs, refused when damaged, brought back without losing what was there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use redb::{Database, ReadableDatabase, TableDefinition};
use serde_json::{Value, json};

use crate::common::real::Place;

fn create(place: &Place, title: &str) {
    let args = json!({"action": "create", "ttl_minutes": 60, "title": title}).to_string();
    place.packd(&["call", "input", &args]).ok();
}

fn titles(place: &Place) -> Vec<String> {
    let list = place.packd(&["pack", "list", "--json"]).json();
    let mut titles: Vec<_> =
        list["packs"].as_array().unwrap().iter().map(|p| p["title"].as_str().unwrap().to_string()).collect();
    titles.sort();
    titles
}

#[test]
fn a_backup_of_a_running_daemon_comes_back_whole() {
    let place = Place::new();
    create(&place, "First");
    let file = place.path().join("saved.redb");
    let name = file.to_str().unwrap();
    let pid = place.daemon_pid();
    place.packd(&["backup", name]).ok();
    assert_eq!(place.daemon_pid(), pid, "the daemon went on");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(place.packd(&["backup", name]).failed(1).contains("--force"));

    create(&place, "Second");
    // An editor that is attached meanwhile notices nothing.
    let mut editor = place.shim();
    editor.initialize();
    let back = place.packd(&["restore", name, "--yes", "--json"]).json();
    assert_eq!(back["operations"], json!(1));
    assert_eq!(titles(&place), ["First"]);
    editor.ping(7);
    let kept = std::path::PathBuf::from(back["kept"].as_str().unwrap());
    assert_eq!(kept.parent().unwrap(), place.home().dir());
    dated(kept.file_name().unwrap().to_str().unwrap());
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);

    // What was there before can be brought back the same way, and history goes on.
    let said = place.packd(&["restore", kept.to_str().unwrap(), "--yes"]).ok();
    let all: Vec<_> = fs::read_dir(place.home().dir())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("packd.redb."))
        .collect();
    assert_eq!(all.len(), 2, "every replaced database is kept: {all:?}");
    for name in &all {
        dated(name);
    }
    assert!(all.iter().any(|name| said.contains(name.as_str())), "{said}");
    assert_eq!(titles(&place), ["First", "Second"]);
    place.packd(&["undo"]).ok();
    assert_eq!(titles(&place), ["First"]);
    place.packd(&["backup", name, "--force"]).ok();
    assert_eq!(leftovers(&place), Vec::<String>::new());
}

/// `packd.redb.YYYYMMDD-HHMMSS`.
fn dated(name: &str) {
    let shape: String = name.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    assert_eq!(shape, "packd.redb.99999999-999999", "{name}");
}

fn leftovers(place: &Place) -> Vec<String> {
    [place.path().to_path_buf(), place.home().dir().to_path_buf()]
        .iter()
        .flat_map(|dir| fs::read_dir(dir).unwrap())
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".packd-"))
        .collect()
}

const META: TableDefinition<&[u8], &[u8]> = TableDefinition::new("meta");

#[test]
fn what_is_damaged_foreign_or_newer_is_refused_and_nothing_changes() {
    let place = Place::new();
    create(&place, "Mine");
    let good = place.path().join("good.redb");
    place.packd(&["backup", good.to_str().unwrap()]).ok();
    let bytes = fs::read(&good).unwrap();
    let refuse = |what: &str, file: &Path| {
        let said = place.packd(&["restore", file.to_str().unwrap()]).failed(1);
        assert_eq!(titles(&place), ["Mine"], "{what}");
        assert_eq!(leftovers(&place), Vec::<String>::new(), "{what}");
        said
    };
    let bad = place.path().join("bad.redb");
    fs::write(&bad, "not a database").unwrap();
    refuse("text", &bad);
    fs::write(&bad, &bytes[..bytes.len() / 2]).unwrap();
    refuse("half a file", &bad);
    let mut broken = bytes.clone();
    for i in (4096..broken.len()).step_by(97) {
        broken[i] ^= 0x5a;
    }
    fs::write(&bad, &broken).unwrap();
    refuse("flipped bits", &bad);
    refuse("no file", &place.path().join("none.redb"));

    fs::remove_file(&bad).unwrap();
    let other = Database::create(&bad).unwrap();
    drop(other);
    assert!(refuse("another program's database", &bad).contains("another program"));

    fs::copy(&good, &bad).unwrap();
    let db = Database::open(&bad).unwrap();
    let schema = db.begin_read().unwrap().open_table(META).unwrap().get(&b"schema"[..]).unwrap().is_some();
    assert!(schema, "the schema number is where this test looks for it");
    let txn = db.begin_write().unwrap();
    txn.open_table(META).unwrap().insert(&b"schema"[..], &999u64.to_be_bytes()[..]).unwrap();
    txn.commit().unwrap();
    drop(db);
    assert!(refuse("a newer schema", &bad).contains("999"));
    // The refused file itself was only read.
    assert_eq!(fs::read(&good).unwrap(), bytes);
}

#[test]
fn a_backup_can_take_the_place_of_a_broken_database() {
    let place = Place::new();
    create(&place, "Mine");
    let good = place.path().join("good.redb");
    place.packd(&["backup", good.to_str().unwrap()]).ok();
    place.packd(&["stop"]).ok();
    fs::write(place.home().database(), "ruined").unwrap();
    place.packd(&["history"]).failed(3);
    place.packd(&["restore", good.to_str().unwrap(), "--yes"]).ok();
    assert_eq!(titles(&place), ["Mine"]);
}

#[test]
fn everything_can_be_exported_in_open_formats() {
    let place = Place::new();
    create(&place, "Mine");
    place.packd(&["call", "tasks_create", r#"{"kind":"plan","title":"Ship it"}"#]).ok();
    place
        .packd(&["call", "input", r#"{"action":"create","ttl_minutes":60,"title":"No","mode":"ask"}"#])
        .failed(1);
    let out = place.path().join("out");
    let done = place.packd(&["export", "--all", out.to_str().unwrap(), "--json"]).json();
    assert_eq!(done["skipped"], json!([]), "{done}");
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(out.join(name)).unwrap();
        text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    };
    assert_eq!(lines("ops.jsonl").len(), 2);
    assert!(lines("audit.jsonl")[0]["summary"].as_str().unwrap().contains("Refused"));
    let only = |dir: &str| {
        let mut files = fs::read_dir(out.join(dir)).unwrap();
        fs::read_to_string(files.next().unwrap().unwrap().path()).unwrap()
    };
    assert!(only("work/packs").contains("Mine"));
    assert!(only("work/tasks").contains("Ship it"));

    let one = place.path().join("one");
    place.packd(&["export", one.to_str().unwrap()]).ok();
    assert!(one.join("packs").is_dir() && one.join("tasks").is_dir());
}
