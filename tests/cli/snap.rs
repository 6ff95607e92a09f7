//! `packd snap` and `packd why` through the real binaries.

use std::fs;

use crate::common::real::Place;
use crate::families::snapshots::rig::git;

#[test]
fn a_person_takes_compares_and_goes_back() {
    let place = Place::new();
    git(&place.work(), &["init", "-q"]);
    fs::write(place.work().join("a.txt"), "one\ntwo\n").unwrap();
    fs::write(place.work().join(".env"), "SECRET=1\n").unwrap();
    let said = place.packd(&["snap", "list"]).ok();
    assert!(said.contains("no snapshot of this work tree yet"), "{said}");
    let said = place.packd(&["snap", "take", "--label", "good"]).ok();
    assert!(said.contains("sn-1: 1 file.") && said.contains("not stored .env"), "{said}");
    fs::write(place.work().join("a.txt"), "one\nTWO\n").unwrap();
    let said = place.packd(&["snap", "diff", "sn-1"]).ok();
    assert!(said.contains("changed a.txt") && said.contains("+TWO"), "{said}");
    let said = place.packd(&["why", "a.txt:2"]).ok();
    assert!(said.contains("since the last snapshot"), "{said}");
    let said = place.packd(&["snap", "take"]).ok();
    assert!(said.contains("sn-2: 1 file changed") && said.contains("packd revert"), "{said}");
    let said = place.packd(&["why", "a.txt:2"]).ok();
    assert!(said.contains("Somebody outside packd changed a.txt"), "{said}");
    let said = place.packd(&["why", "a.txt:1"]).ok();
    assert!(said.contains("older than the first snapshot"), "{said}");
    let said = place.packd(&["snap", "list"]).ok();
    assert!(said.contains("sn-2") && said.contains("good"), "{said}");
    let said = place.packd(&["snap", "restore", "sn-1"]).ok();
    assert!(said.contains("Would put back 1 file to sn-1"), "{said}");
    let said = place.packd(&["snap", "restore", "sn-1", "--yes"]).ok();
    assert!(said.contains("Put back 1 file to sn-1"), "{said}");
    assert_eq!(fs::read_to_string(place.work().join("a.txt")).unwrap(), "one\ntwo\n");
    place.packd(&["undo", "--yes"]).ok();
    assert_eq!(fs::read_to_string(place.work().join("a.txt")).unwrap(), "one\nTWO\n");
    let said = place.packd(&["snap", "restore", "sn-9", "--yes"]).failed(1);
    assert!(said.contains("There is no snapshot sn-9"), "{said}");
    let said = place.packd(&["why", "none.txt:1"]).failed(1);
    assert!(said.contains("There is no file"), "{said}");
}

#[test]
fn a_person_sees_which_files_stay_before_an_undo() {
    let place = Place::new();
    git(&place.work(), &["init", "-q"]);
    for name in ["a", "b"] {
        fs::write(place.work().join(name), "one\n").unwrap();
    }
    place.packd(&["snap", "take"]).ok();
    for name in ["a", "b"] {
        fs::write(place.work().join(name), "two\n").unwrap();
    }
    place.packd(&["snap", "take"]).ok();
    let op = place.packd(&["history", "--json"]).json()["operations"][0]["operation_id"]
        .as_str()
        .unwrap()
        .to_string();
    fs::write(place.work().join("a"), "three\n").unwrap();
    let said = place.packd(&["revert", &op]).ok();
    assert!(said.contains("stays") && said.contains("changed since"), "{said}");
    place.packd(&["revert", &op, "--yes"]).ok();
    let now = |name: &str| fs::read_to_string(place.work().join(name)).unwrap();
    assert_eq!((now("a").as_str(), now("b").as_str()), ("three\n", "one\n"));
}
