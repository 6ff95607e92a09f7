//! The words that things are found by: kept with every change, true after undo, redo, gc, a kill, a repair and a
//! forgetting, and made anew for a database that has none.

use std::collections::BTreeSet;
use std::fs;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde_json::{Value, json};

use crate::common::engine::TestEngine;
use crate::common::host::Host;
use crate::common::real::{PACKD, Place, Ran, until};

const WORDS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("word_index");
const META: TableDefinition<&[u8], &[u8]> = TableDefinition::new("meta");

/// What a search finds, as `kind id`.
fn hits(found: &Value) -> Vec<String> {
    let name = |hit: &Value| format!("{} {}", hit["kind"].as_str().unwrap(), hit["title"].as_str().unwrap());
    found["hits"].as_array().unwrap().iter().map(name).collect()
}

fn kept(db: &Database) -> BTreeSet<Vec<u8>> {
    let table = db.begin_read().unwrap().open_table(WORDS).unwrap();
    table.iter().unwrap().map(|entry| entry.unwrap().0.value().to_vec()).collect()
}

/// Packs, tasks, notes, a deletion, undos and a redo.
fn used(place: &Place) -> Host {
    let mut host = Host::new(place);
    host.ok("tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let steps = json!([{"title": "Parse the manifest", "success_criteria": ["It parses"]}]);
    host.ok("tasks_create", json!({"parent": "PLAN-001", "title": "Reader of manifests", "steps": steps}));
    host.ok("tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "the walker skips symlinks"}));
    for name in ["walker", "porter", "gone"] {
        let title = format!("How the {name} works");
        host.ok("input", json!({"action": "create", "name": name, "title": title, "ttl_minutes": 600}));
    }
    let gone = host.ok("input", json!({"action": "get", "name": "gone"}))["payload"]["id"].clone();
    host.ok("input", json!({"action": "delete", "id": gone, "expected_revision": 1}));
    host.ok("history_undo", json!({}));
    host.ok("history_undo", json!({}));
    host.ok("history_redo", json!({}));
    host
}

/// Takes the words out of a database, as one of an older packd has none, and lets a daemon make them anew.
fn made_anew(place: &Place) -> BTreeSet<Vec<u8>> {
    {
        let db = place.stopped_database();
        let txn = db.begin_write().unwrap();
        txn.delete_table(WORDS).unwrap();
        txn.open_table(META).unwrap().remove(&b"words"[..]).unwrap();
        txn.commit().unwrap();
    }
    let mut host = Host::new(place);
    until("everything can be found again", || {
        host.ok("find", json!({"query": "walker"}))["looked_at_newest"].is_null()
    });
    drop(host);
    kept(&place.stopped_database())
}

/// The sharpest test there is: what was kept change by change is what a look at everything there is makes of it.
#[test]
fn a_database_without_words_gets_the_same_that_were_kept_with_each_change() {
    let place = Place::new();
    drop(used(&place));
    place.packd(&["gc"]).ok();
    let before = kept(&place.stopped_database());
    assert!(before.iter().any(|entry| entry.windows(8).any(|w| w == b"symlinks")));
    assert_eq!(made_anew(&place), before);
    // A kill: what the journal has is replayed, words and all.
    let mut host = Host::new(&place);
    host.ok("input", json!({"action": "create", "title": "Written before the end", "ttl_minutes": 600}));
    place.kill_daemon();
    drop(host);
    let mut host = Host::new(&place);
    assert_eq!(
        hits(&host.ok("find", json!({"query": "before end", "kinds": ["packs"]}))),
        ["packs Written before the end"]
    );
    drop(host);
    let before = kept(&place.stopped_database());
    assert_eq!(made_anew(&place), before);
}

#[test]
fn a_repaired_database_has_the_words_of_what_is_left() {
    let place = Place::new();
    drop(used(&place));
    let before = kept(&place.stopped_database());
    let database = place.home().database();
    let mut bytes = fs::read(&database).unwrap();
    // A page of the words themselves: no text of a user has the first bytes of an entry.
    let entry = before.iter().find(|entry| entry.windows(8).any(|w| w == b"symlinks")).unwrap();
    let at = bytes.windows(entry.len()).position(|w| w == entry.as_slice()).unwrap();
    bytes[at] ^= 0x40;
    fs::write(&database, &bytes).unwrap();
    assert_eq!(place.packd(&["repair", "--json"]).json()["repaired"], json!(true));
    assert_eq!(kept(&place.stopped_database()), before);
}

#[test]
fn forgotten_words_find_nothing_and_are_in_no_file() {
    let place = Place::new();
    let mut host = used(&place);
    host.ok("tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "Hunter2Secret was it"}));
    assert_eq!(host.ok("find", json!({"query": "hunter2"}))["hits"].as_array().unwrap().len(), 1);
    drop(host);
    place.packd(&["forget", "Hunter2Secret", "--yes"]).ok();
    place.packd(&["stop"]).ok();
    drop(place.stopped_database());
    for entry in fs::read_dir(place.home().dir()).unwrap().flatten().filter(|e| e.path().is_file()) {
        let bytes = fs::read(entry.path()).unwrap().to_ascii_lowercase();
        assert!(!bytes.windows(7).any(|w| w == b"hunter2"), "{}", entry.path().display());
    }
    let mut host = Host::new(&place);
    let found = host.ok("find", json!({"query": "hunter2"}));
    assert_eq!(found, json!({"hits": []}));
    assert!(!host.ok("find", json!({"query": "symlinks"}))["hits"].as_array().unwrap().is_empty());
    drop(host);
    // What one operation said goes, too.
    place.packd(&["forget", "@", "--yes"]).ok();
    let before = kept(&place.stopped_database());
    assert_eq!(made_anew(&place), before);
}

#[test]
fn a_project_that_moved_finds_its_things_in_the_new_place() {
    let place = Place::new();
    drop(used(&place));
    let (old, new) = (place.work().canonicalize().unwrap(), place.path().join("elsewhere"));
    fs::rename(&old, &new).unwrap();
    let to = new.canonicalize().unwrap();
    let mut command = place.command(PACKD);
    command
        .args(["workspace", "move", old.to_str().unwrap(), to.to_str().unwrap(), "--yes"])
        .current_dir(&new);
    Ran::of(command).ok();
    let found = Host::with(&place, &new, &[]).ok("find", json!({"query": "symlinks", "kinds": ["tasks"]}));
    assert_eq!(hits(&found), ["tasks Reader of manifests"]);
    fs::create_dir(&old).unwrap();
    let found = Host::with(&place, &old, &[]).ok("find", json!({"query": "symlinks"}));
    assert_eq!(found["hits"], json!([]), "nothing is left in the old one");
}

#[test]
fn undo_and_redo_and_new_titles_are_found_as_they_are() {
    let t = TestEngine::new();
    let s = t.session("s", "/w");
    let find = |query: &str| hits(&t.ok(&s, "find", json!({"query": query, "kinds": ["packs"]})));
    let made = t.ok(&s, "input", json!({"action": "create", "title": "First words", "ttl_minutes": 60}));
    let (id, revision) = (made["payload"]["id"].clone(), made["payload"]["revision"].clone());
    assert_eq!(find("first"), ["packs First words"]);
    assert_eq!(find("fir wor"), ["packs First words"], "beginnings of words are enough");
    let change =
        json!({"action": "set_meta", "id": id, "expected_revision": revision, "title": "Second words"});
    t.ok(&s, "input", change);
    assert_eq!((find("first").len(), find("second").len()), (0, 1));
    t.ok(&s, "history_undo", json!({}));
    assert_eq!((find("first").len(), find("second").len()), (1, 0));
    t.ok(&s, "history_redo", json!({}));
    assert_eq!((find("first").len(), find("second").len()), (0, 1));
    t.ok(&s, "history_undo", json!({}));
    t.ok(&s, "history_undo", json!({}));
    assert_eq!((find("first").len(), find("second").len()), (0, 0), "it was never made");
    let done = t.ok(&s, "find", json!({"query": "first", "kinds": ["operations"]}));
    assert!(!hits(&done).is_empty(), "that it was made is found for good: {done}");
}

/// Only the newest 2,000 of a kind were looked at once, so what was older could not be found.
#[test]
fn the_oldest_of_many_is_found_and_titles_and_the_newest_come_first() {
    let t = TestEngine::new();
    let s = t.session("s", "/w");
    let pack = |title: String, brief: &str| {
        t.clock.advance(1);
        t.ok(&s, "input", json!({"action": "create", "title": title, "brief": brief, "ttl_minutes": 6000}));
    };
    pack("Oldest needle".into(), "in a haystack");
    pack("Second".into(), "a needle in the text");
    for n in 0..2100 {
        pack(format!("Straw {n}"), "hay");
    }
    pack("Newest".into(), "the needle is here");
    let found = t.ok(&s, "find", json!({"query": "needle", "kinds": ["packs"]}));
    assert_eq!(hits(&found), ["packs Oldest needle", "packs Newest", "packs Second"]);
    assert!(found["looked_at_newest"].is_null(), "{found}");
    let all = t.ok(&s, "find", json!({"query": "straw", "kinds": ["packs"], "limit": 2}));
    assert_eq!(hits(&all), ["packs Straw 2099", "packs Straw 2098"]);
    assert_eq!(all["looked_at_newest"], json!(["packs"]), "there are more than are ranked, and it says so");
    let both = t.ok(&s, "find", json!({"query": "straw 17", "kinds": ["packs"], "limit": 100}));
    let wanted = (0..2100).filter(|n| n.to_string().starts_with("17")).count();
    assert_eq!(
        both["found"].as_u64().unwrap_or(both["hits"].as_array().unwrap().len() as u64),
        wanted as u64
    );
}

/// What was written since the last checkpoint gets its words when somebody searches, and otherwise with the checkpoint,
/// for which many changes of a row are one.
#[test]
fn the_same_words_are_kept_whether_or_not_somebody_searched_in_between() {
    let place = Place::new();
    let mut host = Host::new(&place);
    for searches in [false, true] {
        for n in 0..5 {
            let name = format!("pack-{searches}-{n}");
            let title = format!("first alpha{n}");
            let made = host
                .ok("input", json!({"action": "create", "name": name, "title": title, "ttl_minutes": 600}));
            let id = made["payload"]["id"].clone();
            for (revision, title) in [(1, "second beta"), (2, "third gamma"), (3, "fourth alpha")] {
                if searches {
                    host.ok("find", json!({"query": "alpha gamma"}));
                }
                let change = json!({"action": "set_meta", "id": id, "expected_revision": revision});
                let mut change = change.as_object().unwrap().clone();
                change.insert("title".into(), title.into());
                host.ok("input", Value::Object(change));
            }
            host.ok("history_undo", json!({}));
            let found = host.ok("find", json!({"query": "third gamma", "kinds": ["packs"], "limit": 50}));
            let own = hits(&found).iter().filter(|hit| *hit == "packs third gamma").count();
            assert_eq!(own, if searches { 5 + n + 1 } else { n + 1 }, "{found}");
        }
    }
    drop(host);
    let before = kept(&place.stopped_database());
    assert_eq!(made_anew(&place), before);
}
