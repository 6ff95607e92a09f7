//! The database is removed, replaced or emptied under a running daemon: nothing is acknowledged that is not in
//! the file people will find, and the daemon goes on with what is there.

use std::fs;

use serde_json::{Value, json};

use crate::common::real::{Place, Ran, until};

fn create(place: &Place, title: &str) -> Ran {
    place.packd(&[
        "call",
        "input",
        &json!({"action": "create", "ttl_minutes": 60, "title": title}).to_string(),
    ])
}

fn titles(place: &Place) -> Vec<Value> {
    // A fast machine makes many packs before the daemon notices that its file is gone.
    let list = place.packd(&["pack", "list", "--limit", "100000", "--json"]).json();
    let mut titles: Vec<_> = list["packs"].as_array().unwrap().iter().map(|p| p["title"].clone()).collect();
    titles.sort_by_key(Value::to_string);
    titles
}

/// A write that comes late enough after the change is told about it, or goes into the new file.
fn refused_in_time(place: &Place) -> String {
    let mut said = String::new();
    until("the daemon notices", || {
        let ran = create(place, "Lost");
        said = format!("{}{}", ran.stdout, ran.stderr);
        ran.code != Some(0)
    });
    said
}

#[test]
fn a_database_that_was_replaced_is_opened_instead() {
    let place = Place::new();
    create(&place, "Old").ok();
    let saved = place.path().join("saved.redb");
    place.packd(&["backup", saved.to_str().unwrap()]).ok();
    create(&place, "Newer").ok();
    let pid = place.daemon_pid();
    fs::rename(&saved, place.home().database()).unwrap();
    // Within a second it is noticed by whoever comes next: from then on the new file is what counts.
    until("the new file is served", || titles(&place) == ["Old"]);
    create(&place, "Into the new file").ok();
    assert_eq!(place.daemon_pid(), pid, "the daemon went on");
    place.packd(&["stop"]).ok();
    assert_eq!(titles(&place), ["Into the new file", "Old"]);
    assert!(place.log().contains("opened again"), "{}", place.log());
}

#[test]
fn a_database_that_was_removed_is_missed_and_found_again() {
    let place = Place::new();
    create(&place, "Kept").ok();
    let pid = place.daemon_pid();
    let aside = place.path().join("aside");
    fs::rename(place.home().database(), &aside).unwrap();
    let said = refused_in_time(&place);
    assert!(said.contains("removed") || said.contains("is gone"), "{said}");
    assert!(!place.home().database().exists(), "nothing was made in its place");
    let said = create(&place, "Still not").failed(1);
    assert!(said.contains("is gone") && said.contains("packd restore"), "{said}");
    fs::rename(&aside, place.home().database()).unwrap();
    create(&place, "After").ok();
    assert!(titles(&place).contains(&json!("Kept")));
    assert_eq!(place.daemon_pid(), pid);
}

/// The file that was moved away has everything that was acknowledged while it had its name.
#[test]
fn a_database_that_was_moved_away_is_complete_where_it_is() {
    let place = Place::new();
    create(&place, "Old").ok();
    let saved = place.path().join("saved.redb");
    place.packd(&["backup", saved.to_str().unwrap()]).ok();
    let aside = place.path().join("aside");
    create(&place, "Just acknowledged").ok();
    fs::rename(place.home().database(), &aside).unwrap();
    fs::rename(&saved, place.home().database()).unwrap();
    until("the new file is served", || titles(&place) == ["Old"]);
    place.packd(&["stop"]).ok();
    fs::rename(&aside, place.home().database()).unwrap();
    assert_eq!(titles(&place), ["Just acknowledged", "Old"]);
}

#[test]
fn an_empty_file_where_a_database_was_is_refused() {
    let place = Place::new();
    create(&place, "Kept").ok();
    let aside = place.path().join("aside");
    fs::rename(place.home().database(), &aside).unwrap();
    fs::write(place.home().database(), "").unwrap();
    let said = refused_in_time(&place);
    assert!(said.contains("replaced") || said.contains("empty"), "{said}");
    assert!(create(&place, "Still not").failed(1).contains("is empty"));
    place.packd(&["stop"]).ok();
    // Neither does a new daemon take it for a new beginning.
    assert!(create(&place, "Still not").failed(3).contains("is empty"));
    assert_eq!(fs::metadata(place.home().database()).unwrap().len(), 0);
    fs::rename(&aside, place.home().database()).unwrap();
    assert!(titles(&place).contains(&json!("Kept")));
}
