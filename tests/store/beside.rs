//! The slots beside the database: made by the first write, gone after an orderly end, kept apart from those of
//! another database, and part of everything that is done to the database as a whole.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;

use crate::common::real::{Place, Ran, until};

fn create(place: &Place, title: &str) -> Ran {
    let args = json!({"action": "create", "ttl_minutes": 60, "title": title}).to_string();
    place.packd(&["call", "input", &args])
}

fn titles(place: &Place) -> Vec<String> {
    let list = place.packd(&["pack", "list", "--limit", "100000", "--json"]).json();
    let packs = list["packs"].as_array().unwrap();
    let mut titles: Vec<_> = packs.iter().map(|p| p["title"].as_str().unwrap().to_string()).collect();
    titles.sort();
    titles
}

/// Everything in the home whose name begins so, sorted.
fn named(place: &Place, start: &str) -> Vec<String> {
    let names = fs::read_dir(place.home().dir()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.starts_with(start)).collect();
    names.sort();
    names
}

/// Writes and kills until a kill leaves something in the journal that the database does not have.
fn killed_right_after(place: &Place, title: &str) -> PathBuf {
    create(place, title).ok();
    place.kill_daemon();
    let slots = named(place, "journal.");
    assert!(!slots.is_empty());
    place.home().dir().join(&slots[0])
}

#[test]
fn slots_come_with_the_first_write_and_go_with_an_orderly_end() {
    let place = Place::new();
    create(&place, "One").ok();
    let slots = named(&place, "journal.");
    assert!(!slots.is_empty());
    for slot in &slots {
        let meta = fs::metadata(place.home().dir().join(slot)).unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, 0o600, "{slot}");
        assert_eq!(meta.len() % (256 * 1024), 0, "{slot}");
    }
    place.packd(&["stop"]).ok();
    assert_eq!(named(&place, "journal."), Vec::<String>::new());
    // The database alone is complete: under another home it has everything.
    let other = Place::new();
    other.home().prepare().unwrap();
    fs::copy(place.home().database(), other.home().database()).unwrap();
    let bytes = fs::read(other.home().database()).unwrap();
    let shown =
        other.packd(&["export", "--all", other.path().join("out").to_str().unwrap(), "--json"]).json();
    assert_eq!(shown["skipped"], json!([]));
    other.packd(&["stop"]).ok();
    assert_eq!(named(&other, "journal."), Vec::<String>::new(), "reading writes nothing");
    assert!(!bytes.is_empty());
    assert_eq!(titles(&place), ["One"]);
}

#[test]
fn a_start_that_only_reads_stores_nothing() {
    let place = Place::new();
    create(&place, "One").ok();
    place.packd(&["stop"]).ok();
    assert_eq!(titles(&place), ["One"]);
    assert_eq!(named(&place, "journal."), Vec::<String>::new());
    let stats = place.packd(&["stats", "--json"]).json();
    assert_eq!(stats["writer"]["commits"], json!(0), "{stats}");
}

#[test]
fn slots_of_another_database_are_set_aside_and_never_replayed() {
    let (here, there) = (Place::new(), Place::new());
    create(&here, "Here").ok();
    here.packd(&["stop"]).ok();
    let foreign = killed_right_after(&there, "There");
    let bytes = fs::read(&foreign).unwrap();
    fs::write(here.home().dir().join("journal.1"), &bytes).unwrap();
    assert_eq!(titles(&here), ["Here"]);
    let aside = named(&here, "journal.1.foreign-20");
    assert_eq!(aside.len(), 1, "{:?}", named(&here, "journal."));
    assert!(fs::read(here.home().dir().join(&aside[0])).unwrap() == bytes, "it is kept as it was");
    create(&here, "More").ok();
    assert_eq!(titles(&here), ["Here", "More"]);
    assert_eq!(titles(&there), ["There"]);
}

/// A byte of an acknowledged record is damaged: what stands before it is served, and nothing is thrown away.
#[test]
fn what_cannot_be_reached_any_more_is_said_and_kept() {
    let place = Place::new();
    // All in one breath, so that no checkpoint comes between.
    let names: Vec<String> = (0..8).map(|n| format!("Pack {n}")).collect();
    let mut slot = PathBuf::new();
    until("eight records are in the journal", || {
        let _ = fs::remove_dir_all(place.home().dir());
        let mut editor = place.shim();
        editor.initialize();
        for (id, name) in names.iter().enumerate() {
            let args = json!({"action": "create", "ttl_minutes": 60, "title": name});
            editor.send(&json!({"jsonrpc": "2.0", "id": id + 1, "method": "tools/call",
                                "params": {"name": "input", "arguments": args}}));
            while !editor.line().contains(&format!("\"id\":{},", id + 1)) {}
        }
        let pid = place.daemon_pid().unwrap();
        drop(editor);
        crate::common::real::kill(pid, rustix::process::Signal::KILL);
        crate::common::real::gone(pid);
        slot = place.home().dir().join(named(&place, "journal.")[0].clone());
        let bytes = fs::read(&slot).unwrap();
        bytes.windows(6).filter(|w| *w == b"Pack 7").count() > 0
            && bytes.windows(6).filter(|w| *w == b"Pack 1").count() > 0
            && named(&place, "journal.").len() == 1
    });
    let mut bytes = fs::read(&slot).unwrap();
    let at = bytes.windows(6).position(|w| w == b"Pack 4").unwrap();
    bytes[at] = b'X';
    fs::write(&slot, &bytes).unwrap();
    let doctor = place.packd(&["doctor", "--json"]);
    assert!(doctor.stdout.contains("cannot be reached"), "{doctor:?}");
    let found = titles(&place);
    assert!(found.len() <= 4 && found == names[..found.len()], "{found:?}");
    until("the damaged slot is kept", || !named(&place, "journal.0.damaged-20").is_empty());
    // The first lines of a log wait for the table of secrets.
    until("the log says so", || place.log().contains("cannot be reached"));
}

#[test]
fn slots_that_were_removed_under_a_running_daemon_are_missed() {
    let place = Place::new();
    create(&place, "Kept").ok();
    let pid = place.daemon_pid();
    let mut said = String::new();
    until("the daemon notices", || {
        for slot in named(&place, "journal.") {
            fs::remove_file(place.home().dir().join(slot)).unwrap();
        }
        let ran = create(&place, "Lost");
        said = format!("{}{}", ran.stdout, ran.stderr);
        ran.code != Some(0)
    });
    assert!(said.contains("journal") && said.contains("nothing was stored"), "{said}");
    create(&place, "After").ok();
    assert_eq!(place.daemon_pid(), pid, "the daemon went on");
    place.kill_daemon();
    let found = titles(&place);
    assert!(found.contains(&"Kept".to_string()) && found.contains(&"After".to_string()), "{found:?}");
}

#[test]
fn a_restore_keeps_what_the_journal_had() {
    let place = Place::new();
    create(&place, "First").ok();
    let saved = place.path().join("saved.redb");
    place.packd(&["backup", saved.to_str().unwrap()]).ok();
    killed_right_after(&place, "Only in the journal");
    let back = place.packd(&["restore", saved.to_str().unwrap(), "--yes", "--json"]).json();
    assert_eq!(titles(&place), ["First"]);
    place.packd(&["restore", back["kept"].as_str().unwrap(), "--yes"]).ok();
    assert_eq!(titles(&place), ["First", "Only in the journal"]);
}

#[test]
fn a_repair_keeps_what_the_journal_had() {
    let place = Place::new();
    for n in 0..12 {
        create(&place, &format!("Pack {n:02}")).ok();
    }
    place.packd(&["stop"]).ok();
    killed_right_after(&place, "Only in the journal");
    let database = place.home().database();
    let mut bytes = fs::read(&database).unwrap();
    let at = bytes.windows(7).position(|w| w == b"Pack 07").unwrap();
    bytes[at] ^= 0x55;
    fs::write(&database, &bytes).unwrap();
    let done = place.packd(&["repair", "--json"]).json();
    assert_eq!(done["repaired"], json!(true), "{done}");
    let found = titles(&place);
    assert_eq!(found.len(), 13, "{found:?}\n{done}");
    assert!(found.contains(&"Only in the journal".to_string()));
}
