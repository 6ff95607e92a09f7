//! The audit stream is a chain: exports verify, whatever is tampered with is named, and so is a store that was
//! written into behind packd's back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use redb::{Database, ReadableTable, TableDefinition, TableHandle};
use serde_json::{Value, json};

use crate::common::real::{Place, until};

type Bytes = TableDefinition<'static, &'static [u8], &'static [u8]>;
const META: Bytes = TableDefinition::new("meta");
const AUDIT: Bytes = TableDefinition::new("log");
const CHAIN: Bytes = TableDefinition::new("audit_chain");

/// A place whose audit stream has this many records: changes of the mode, each with its request.
fn place(records: usize) -> Place {
    let place = Place::new();
    speak(&place, records);
    place
}

fn speak(place: &Place, records: usize) {
    let mut editor = place.shim();
    editor.initialize();
    for n in 0..records {
        let mode = ["plan", "execute"][n % 2];
        let call = json!({"name": "amof_set_mode", "arguments": {"mode": mode}});
        let reply = editor.ask(json!(n + 1), "tools/call", call);
        assert_ne!(reply["result"]["isError"], json!(true), "{reply}");
    }
}

fn export(place: &Place) -> (PathBuf, Vec<String>) {
    let file = place.path().join("audit.jsonl");
    place.packd(&["audit", "export", file.to_str().unwrap(), "--force"]).ok();
    let lines = fs::read_to_string(&file).unwrap().lines().map(str::to_string).collect();
    (file, lines)
}

fn verify(place: &Place, args: &[&str]) -> (Option<i32>, Value) {
    let mut all = vec!["audit", "verify", "--json"];
    all.extend(args);
    let ran = place.packd(&all);
    (ran.code, ran.json())
}

fn record(line: &str) -> Value {
    serde_json::from_str::<Value>(line).unwrap()["record"].clone()
}

#[test]
fn an_export_holds_every_record_in_order_and_verifies_without_a_daemon() {
    let place = place(6);
    let (file, lines) = export(&place);
    assert_eq!(lines.len(), 6);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let mut before = "0".repeat(64);
    for (n, line) in lines.iter().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["record"]["number"], json!(n + 1));
        let mode = ["plan", "execute"][n % 2];
        assert_eq!(line["record"]["request"], json!({"mode": mode}), "{line}");
        assert_eq!(line["previous"], json!(before));
        before = line["digest"].as_str().unwrap().to_string();
        // Anybody can compute it: SHA-256 of the digest before and of the canonical record.
        let mut bytes =
            data_encoding::HEXLOWER.decode(line["previous"].as_str().unwrap().as_bytes()).unwrap();
        bytes.extend(packd::core::canonical::text(&line["record"]).into_bytes());
        assert_eq!(packd::core::Sha::of(&bytes).as_str(), before);
    }
    let name = file.to_str().unwrap();
    let said = place.packd(&["audit", "export", name]).failed(1);
    assert!(said.contains("exists already") && said.contains("--force"), "{said}");

    let said = place.packd(&["audit", "verify"]).ok();
    assert!(said.contains("6 records"), "{said}");
    assert!(
        said.contains("written anew") && said.contains("cut off") && said.contains("earlier export"),
        "{said}"
    );
    place.packd(&["stop"]).ok();
    let said = place.packd(&["audit", "verify", name]).ok();
    assert!(said.contains("6 records") && said.contains("cut off"), "{said}");
    assert!(place.daemon_pid().is_none(), "a file is verified without a daemon");
    // No half-written file stays behind.
    let left = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| name.starts_with(".packd-")).count(), 0);
}

#[test]
fn whatever_is_changed_in_an_export_is_named() {
    let place = place(5);
    let (file, lines) = export(&place);
    let id = |n: usize| record(&lines[n])["id"].as_str().unwrap().to_string();
    let broken = |what: &str, text: String| {
        fs::write(&file, text).unwrap();
        let (code, said) = verify(&place, &[file.to_str().unwrap()]);
        assert_eq!(code, Some(1), "{what}: {said}");
        assert_eq!(said["ok"], json!(false), "{what}");
        said["broken"].clone()
    };
    let whole = |lines: &[String]| lines.iter().map(|l| format!("{l}\n")).collect::<String>();
    let with = |n: usize, change: &dyn Fn(&str) -> String| {
        let mut changed = lines.clone();
        changed[n] = change(&lines[n]);
        assert_ne!(changed[n], lines[n]);
        whole(&changed)
    };

    let said = broken("a request", with(2, &|l| l.replace(r#"{"mode":"plan"}"#, r#"{"mode":"mask"}"#)));
    assert_eq!((said["number"].clone(), said["id"].clone()), (json!(3), json!(id(2))), "{said}");
    let said = broken("a time", with(1, &|l| l.replace("\"time\":\"2", "\"time\":\"3")));
    assert_eq!(said["number"], json!(2), "{said}");
    let mut swapped = lines.clone();
    swapped.swap(1, 2);
    let said = broken("a swapped pair", whole(&swapped));
    assert_eq!((said["line"].clone(), said["id"].clone()), (json!(2), json!(id(2))), "{said}");
    let mut removed = lines.clone();
    removed.remove(3);
    let said = broken("a removed line", whole(&removed));
    assert_eq!(said["id"], json!(id(4)), "{said}");
    assert!(said["why"].as_str().unwrap().contains("removed"), "{said}");
    let said = broken("the first line", whole(&lines[1..]));
    assert_eq!(said["id"], json!(id(1)), "{said}");
    let mut doubled = lines.clone();
    doubled.insert(2, lines[1].clone());
    assert_eq!(broken("a line twice", whole(&doubled))["line"], json!(3));
    let text = whole(&lines);
    broken("the last byte", text[..text.len() - 1].to_string());
    // People are told in words.
    let said = place.packd(&["audit", "verify", file.to_str().unwrap()]).failed(1);
    assert!(said.contains("line 5"), "{said}");
}

/// Any one byte of any line: digests, names, punctuation.
#[test]
fn no_byte_of_an_export_can_be_flipped_unseen() {
    let place = place(3);
    let (_, lines) = export(&place);
    let mut flipped = 0;
    for (n, line) in lines.iter().enumerate() {
        for at in 0..line.len() {
            for bit in [1u8, 0x20] {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= bit;
                let mut reading = packd::core::chain::Reading::default();
                let read = lines.iter().enumerate().try_for_each(|(m, whole)| match m == n {
                    true => reading.take(&String::from_utf8_lossy(&bytes)),
                    false => reading.take(whole),
                });
                let broken = read.expect_err("a flipped byte passed");
                assert_eq!(broken.line, n as u64 + 1, "byte {at} of {line}");
                flipped += 1;
            }
        }
    }
    assert!(flipped > 1000);
}

/// Writes into the database of a daemon that was stopped.
fn tamper(place: &Place, change: impl FnOnce(&redb::WriteTransaction)) {
    let db = place.stopped_database();
    let txn = db.begin_write().unwrap();
    change(&txn);
    txn.commit().unwrap();
}

/// Records of both streams lie in one table, digests in another.
fn key(table: Bytes, number: u64) -> Vec<u8> {
    let stream: &[u8] = if table.name() == AUDIT.name() { &[1] } else { &[] };
    [stream, &number.to_be_bytes()].concat()
}

fn get(txn: &redb::WriteTransaction, table: Bytes, number: u64) -> Vec<u8> {
    txn.open_table(table).unwrap().get(&key(table, number)[..]).unwrap().unwrap().value().to_vec()
}

fn put(txn: &redb::WriteTransaction, table: Bytes, number: u64, value: &[u8]) {
    txn.open_table(table).unwrap().insert(&key(table, number)[..], value).unwrap();
}

fn cut(txn: &redb::WriteTransaction, table: Bytes, number: u64) {
    txn.open_table(table).unwrap().remove(&key(table, number)[..]).unwrap();
}

fn swap_word(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

#[test]
fn a_store_that_was_written_into_is_found_out() {
    let saved = place(5);
    let (_, lines) = export(&saved);
    saved.packd(&["stop"]).ok();
    let id = |n: usize| record(&lines[n - 1])["id"].clone();
    let whole = fs::read(saved.home().database()).unwrap();
    let check = |what: &str, number: u64, change: &dyn Fn(&redb::WriteTransaction)| {
        saved.packd(&["stop"]).ok();
        fs::write(saved.home().database(), &whole).unwrap();
        tamper(&saved, change);
        let (code, said) = verify(&saved, &[]);
        assert_eq!(code, Some(1), "{what}: {said}");
        assert_eq!(said["broken"]["number"], json!(number), "{what}: {said}");
        said["broken"].clone()
    };
    let said =
        check("a request", 3, &|txn| put(txn, AUDIT, 3, &swap_word(&get(txn, AUDIT, 3), "plan", "mask")));
    assert_eq!(said["id"], id(3));
    check("a digest", 2, &|txn| put(txn, CHAIN, 2, &[7; 32]));
    check("two records that changed places", 2, &|txn| {
        let (two, three) = (get(txn, AUDIT, 2), get(txn, AUDIT, 3));
        put(txn, AUDIT, 2, &three);
        put(txn, AUDIT, 3, &two);
    });
    check("a record is gone", 4, &|txn| cut(txn, AUDIT, 4));
    let said = check("a record and its digest are gone", 4, &|txn| {
        cut(txn, AUDIT, 3);
        cut(txn, CHAIN, 3);
    });
    assert_eq!(said["id"], id(4));
    check("the newest record is gone", 5, &|txn| cut(txn, AUDIT, 5));
    check("the newest digest is gone", 5, &|txn| cut(txn, CHAIN, 5));
    check("a record is garbage", 3, &|txn| put(txn, AUDIT, 3, b"garbage"));

    // An export of it says so, too, and leaves nothing out.
    let file = saved.path().join("broken.jsonl");
    let said = saved.packd(&["audit", "export", file.to_str().unwrap()]).failed(1);
    assert!(said.contains("record 3") && said.contains("written"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 5);
    // New records go on from what is there.
    speak(&saved, 1);
    assert_eq!(verify(&saved, &[]).1["broken"]["number"], json!(3));
}

/// What a chain alone cannot show, an earlier export does.
#[test]
fn an_earlier_export_shows_a_cut_tail_and_a_rewrite() {
    let place = place(4);
    let (file, _) = export(&place);
    let name = file.to_str().unwrap();
    speak(&place, 2);
    let (code, said) = verify(&place, &[name, "--store"]);
    assert_eq!(
        (code, said["records"].clone(), said["compared"].clone()),
        (Some(0), json!(6), json!(4)),
        "{said}"
    );

    tamper(&place, |txn| {
        for number in [3, 4, 5, 6] {
            cut(txn, AUDIT, number);
            cut(txn, CHAIN, number);
        }
    });
    assert_eq!(verify(&place, &[]).0, Some(0), "the chain alone cannot show it");
    let (code, said) = verify(&place, &[name, "--store"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said["broken"]["why"].as_str().unwrap().contains("cut off"), "{said}");
    // And the same length with other records: written anew.
    speak(&place, 2);
    assert_eq!(verify(&place, &[]).0, Some(0));
    let (code, said) = verify(&place, &[name, "--store"]);
    assert_eq!((code, said["broken"]["number"].clone()), (Some(1), json!(3)), "{said}");
}

/// A database of an earlier packd has records without digests: they are chained by and by, in the order of their
/// numbers, and new ones after them.
#[test]
fn records_of_an_older_packd_are_chained_in_the_background() {
    let place = place(600);
    let (_, before) = export(&place);
    tamper(&place, |txn| {
        txn.delete_table(CHAIN).unwrap();
        txn.open_table(META).unwrap().remove(&b"audit_chained"[..]).unwrap().unwrap();
    });
    // Written while the old ones are being chained, or after: both must fit.
    speak(&place, 3);
    let (_, after) = export(&place);
    assert_eq!(after.len(), 603);
    assert_eq!(after[..600], before[..], "the same records have the same digests");
    assert_eq!(verify(&place, &[]).1["records"], json!(603));

    // Without anybody asking, too.
    tamper(&place, |txn| {
        txn.delete_table(CHAIN).unwrap();
        txn.open_table(META).unwrap().remove(&b"audit_chained"[..]).unwrap().unwrap();
    });
    place.packd(&["up"]).ok();
    until("every record has its digest", || {
        let copy = place.path().join("copy.redb");
        place.packd(&["backup", copy.to_str().unwrap(), "--force"]).ok();
        chained(&copy)
    });
}

fn chained(path: &Path) -> bool {
    use redb::ReadableDatabase;
    let db = Database::open(path).unwrap();
    let txn = db.begin_read().unwrap();
    txn.open_table(META).unwrap().get(&b"audit_chained"[..]).unwrap().is_some()
}

#[test]
fn only_the_command_line_sees_the_audit_of_every_project() {
    let place = place(1);
    let mut editor = place.shim();
    editor.initialize();
    let reply = editor.ask(json!(9), "packd/audit", json!({"after": 0}));
    assert!(reply["error"]["message"].as_str().unwrap().contains("command line"), "{reply}");
}
