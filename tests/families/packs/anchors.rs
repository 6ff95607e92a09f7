//! Anchors follow the code. Three inserted lines once made every ref of a pack show wrong code, and none said so.

use serde_json::{Value, json};

use super::sources::Sources;
use crate::common::real::Place;
use crate::common::text_snapshot;

const CODE: &str = "use std::fs;\n\n/// Opens it.\nfn open(path: &str) -> Store {\n    let file = fs::read(path);\n    Store { file }\n}\n\nfn close(store: Store) {\n    drop(store);\n}\n\nfn last() -> u8 {\n    7\n}\n";

impl Sources {
    fn output(&self) -> (String, Value) {
        let reply = self.engine.call(&self.session, "output", json!({"name": "doc"}));
        assert!(!reply.is_error, "{}", reply.text);
        (reply.text, reply.structured.unwrap_or_default())
    }

    fn check(&self) -> Value {
        self.ok(json!({"action": "check", "name": "doc"}))
    }

    /// `verdict path:start-end` of a ref, by its key.
    fn verdict(&self, key: &str) -> String {
        let refs = self.check()["refs"].clone();
        let one = refs.as_array().unwrap().iter().find(|r| r["key"] == key).unwrap().clone();
        format!(
            "{} {}:{}-{}",
            one["verdict"].as_str().unwrap(),
            one["path"].as_str().unwrap(),
            one["lines"]["start"],
            one["lines"]["end"]
        )
    }

    fn finalize(&self, revision: u64, reviewed: bool) -> packd::core::Reply {
        let args = json!({"action": "set_status", "name": "doc", "expected_revision": revision,
                          "status": "finalized", "reviewed": reviewed});
        self.engine.call(&self.session, "input", args)
    }
}

fn rig() -> Sources {
    let b = Sources::new();
    b.file("src/store.rs", CODE);
    b.pack(&[
        ("open", "src/store.rs", 3, 7),
        ("close", "src/store.rs", 9, 11),
        ("last", "src/store.rs", 13, 15),
    ]);
    b
}

#[test]
fn untouched_refs_render_as_ever() {
    let b = rig();
    let (text, structured) = b.output();
    assert!(!text.contains("moved") && !text.contains("- refs:") && !text.contains("verdict"), "{text}");
    assert_eq!(structured, Value::Null, "Markdown alone, as the contract has it");
    assert_eq!(b.check()["counts"], json!({"ok": 3}));
}

#[test]
fn code_that_moved_is_shown_at_its_new_place_and_says_so() {
    let b = rig();
    b.file("src/store.rs", format!("// one\n// two\n// three\n{CODE}"));
    let (text, structured) = b.output();
    text_snapshot("pack_moved", &text.replace(&b.id(), "pk_aaaaaaaa"));
    let open = &structured["refs"][0];
    assert_eq!(open["verdict"], "moved");
    assert_eq!(open["lines"], json!({"start": 6, "end": 10}));
    assert_eq!(structured["markdown"], text);
    assert_eq!(b.verdict("open"), "moved src/store.rs:6-10");
}

#[test]
fn an_edit_shows_what_is_there_now_with_a_short_diff() {
    let b = rig();
    b.file("src/store.rs", CODE.replace("    drop(store);\n", "    store.flush();\n    drop(store);\n"));
    let (text, _) = b.output();
    assert!(text.contains("- refs: 1 ok, 1 moved, 1 changed\n"), "{text}");
    assert!(text.contains("- lines: 9-12\n- changed: not what was anchored at lines 9-11\n"), "{text}");
    assert!(
        text.contains("```diff\n@@ -1,3 +1,4 @@\n fn close(store: Store) {\n+    store.flush();\n"),
        "{text}"
    );
    assert_eq!(b.verdict("close"), "changed src/store.rs:9-12");
}

#[test]
fn code_that_is_gone_is_lost_and_never_shown_as_something_else() {
    let b = rig();
    b.file("src/store.rs", CODE.replace("fn close(store: Store) {\n    drop(store);\n}\n\n", ""));
    let (text, structured) = b.output();
    assert!(
        text.contains("> stale ref: lines 9-11 of file 'src/store.rs' are gone\n> verdict: lost\n"),
        "{text}"
    );
    assert_eq!(structured["refs"].as_array().unwrap().iter().filter(|r| r["verdict"] == "lost").count(), 1);
    assert_eq!(b.verdict("last"), "moved src/store.rs:9-11");
}

#[test]
fn renamed_files_and_code_that_went_to_another_file_are_found() {
    let b = rig();
    std::fs::rename(b.dir.path().join("src/store.rs"), b.dir.path().join("src/shelf.rs")).unwrap();
    assert_eq!(b.verdict("open"), "moved src/shelf.rs:3-7");
    // The file is split: one part stays under the new name, another goes deeper.
    let (head, tail) = CODE.split_at(CODE.find("fn last").unwrap());
    b.file("src/shelf.rs", head);
    b.file("src/deep/end.rs", format!("//! The end.\n\n{tail}"));
    assert_eq!(b.verdict("last"), "moved src/deep/end.rs:3-5");
    assert_eq!(b.verdict("close"), "moved src/shelf.rs:9-11");
    let (text, _) = b.output();
    assert!(
        text.contains("- path: src/deep/end.rs\n- lines: 3-5\n- moved: was src/store.rs:13-15\n"),
        "{text}"
    );
}

#[test]
fn white_space_and_line_endings_are_no_change() {
    let b = rig();
    b.file("src/store.rs", CODE.replace("    ", "\t").replace('\n', "\r\n"));
    assert_eq!(b.check()["counts"], json!({"ok": 3}));
}

#[test]
fn of_two_identical_functions_the_one_in_the_same_surroundings_is_meant() {
    let b = Sources::new();
    let twin = "    fn get(&self) -> u8 {\n        self.value_of_this\n    }\n";
    let text = format!("impl A {{\n{twin}}}\n\nimpl B {{\n{twin}}}\n");
    b.file("a.rs", &text);
    b.pack(&[("of-b", "a.rs", 8, 10)]);
    b.file("a.rs", format!("// head\n// more\n{text}"));
    assert_eq!(b.verdict("of-b"), "moved a.rs:10-12");
    b.file("a.rs", text.replace("impl A {", "impl A {\n    const X: u8 = 1;\n    const Y: u8 = 2;\n"));
    assert_eq!(b.verdict("of-b"), "moved a.rs:11-13");
}

/// The story: when one of two identical functions was edited, its ref said that the code had moved to the other one, and
/// finalizing the pack pointed it there.
#[test]
fn of_two_identical_functions_the_edited_one_has_changed_and_not_moved_to_its_twin() {
    let b = Sources::new();
    let python = "class A:\n    def run(self):\n        self.prepare()\n        return self.value\n\n\nclass B:\n    def run(self):\n        self.prepare()\n        return self.value\n";
    b.file("twins.py", python);
    let block = |name: &str| format!("[{name}]\nretries = 3\ntimeout_seconds = 30\nverbose = false\n\n");
    let blocks = block("one") + &block("two") + &block("three");
    b.file("blocks.toml", &blocks);
    let cfg = "#[cfg(unix)]\nfn home() -> PathBuf {\n    env::var_os(HOME_VARIABLE).into()\n}\n\n#[cfg(windows)]\nfn home() -> PathBuf {\n    env::var_os(HOME_VARIABLE).into()\n}\n";
    b.file("cfg.rs", cfg);
    b.pack(&[
        ("a-run", "twins.py", 2, 4),
        ("a-body", "twins.py", 3, 4),
        ("b-run", "twins.py", 8, 10),
        ("one", "blocks.toml", 2, 3),
        ("unix", "cfg.rs", 2, 4),
    ]);
    b.file("twins.py", python.replacen("self.value", "self.total", 1));
    b.file("blocks.toml", blocks.replacen("timeout_seconds = 30", "timeout_seconds = 45", 1));
    b.file("cfg.rs", cfg.replacen("HOME_VARIABLE", "UNIX_HOME", 1));
    assert_eq!(b.verdict("a-run"), "changed twins.py:2-4");
    assert_eq!(b.verdict("a-body"), "changed twins.py:3-4");
    assert_eq!(b.verdict("b-run"), "ok twins.py:8-10");
    assert_eq!(b.verdict("one"), "changed blocks.toml:2-3");
    assert_eq!(b.verdict("unix"), "changed cfg.rs:2-4");
    // Something new right above the lines is no edit of them.
    b.file("twins.py", python);
    b.file("blocks.toml", blocks.replacen("[one]\n", "[one]\nfirst = true\n", 1));
    b.file("cfg.rs", format!("use std::env;\n\n{cfg}"));
    assert_eq!(b.verdict("one"), "moved blocks.toml:3-4");
    assert_eq!(b.verdict("unix"), "moved cfg.rs:4-6");
}

/// The story: a function that went to another file, with a new one in its place, was shown as having become that one.
#[test]
fn code_that_went_to_another_file_is_followed_also_where_something_new_took_its_place() {
    let b = rig();
    let close = "fn close(store: Store) {\n    drop(store);\n}\n";
    b.file("src/store.rs", CODE.replace(close, "fn flush(store: &Store) {\n    store.sync();\n}\n"));
    assert_eq!(b.verdict("close"), "changed src/store.rs:9-11", "that is all there is");
    b.file("src/ends.rs", format!("//! Ends.\n\n{close}"));
    assert_eq!(b.verdict("close"), "moved src/ends.rs:3-5");
    assert_eq!(b.verdict("open"), "ok src/store.rs:3-7");
}

/// The story: a ref over a whole file, or over several functions, that was edited showed its first function alone.
#[test]
fn a_range_over_several_definitions_keeps_all_of_them_when_it_is_edited() {
    let b = Sources::new();
    b.file("src/store.rs", CODE);
    b.file("keys.toml", "one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n");
    b.pack(&[
        ("all", "src/store.rs", 1, 15),
        ("two", "src/store.rs", 4, 11),
        ("keys", "keys.toml", 1, 5),
        ("head", "keys.toml", 1, 2),
    ]);
    let edited = CODE.replace("    drop(store);\n", "    store.flush();\n    drop(store);\n");
    b.file("src/store.rs", &edited);
    b.file("keys.toml", "one = 1\ntwo = 22\nthree = 3\nfour = 4\nfive = 5\n");
    assert_eq!(b.verdict("all"), "changed src/store.rs:1-16");
    assert_eq!(b.verdict("two"), "changed src/store.rs:4-12");
    assert_eq!(b.verdict("keys"), "changed keys.toml:1-5");
    assert_eq!(b.verdict("head"), "changed keys.toml:1-2");
    let (text, _) = b.output();
    assert!(text.contains("+    store.flush();\n") && !text.contains("-fn last"), "{text}");
    b.file("src/store.rs", "\n\n");
    assert!(b.verdict("all").starts_with("lost"), "an empty file is no successor");
}

#[test]
fn a_closing_brace_alone_is_not_found_just_anywhere() {
    let b = Sources::new();
    b.file("a.rs", "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n");
    b.pack(&[("brace", "a.rs", 7, 7)]);
    b.file("a.rs", "fn c() {\n    three();\n}\n");
    let verdict = b.verdict("brace");
    assert!(verdict.starts_with("lost"), "{verdict}");
}

#[test]
fn finalizing_repairs_what_moved_in_one_operation() {
    let b = rig();
    b.file("src/store.rs", format!("// one\n{CODE}"));
    let reply = b.finalize(5, false).structured.unwrap();
    assert_eq!(reply["repaired"], 3, "{reply}");
    assert_eq!(reply["payload"]["sections"][0]["refs"][0]["lines"], json!({"start": 4, "end": 8}));
    assert_eq!(b.check()["counts"], json!({"ok": 3}));
    b.engine.ok(&b.session, "history_undo", json!({}));
    assert_eq!(b.check()["counts"], json!({"moved": 3}), "the old lines and their anchors are back together");
}

#[test]
fn finalizing_refuses_what_changed_until_somebody_has_looked() {
    let b = rig();
    b.file("src/store.rs", CODE.replace("    7\n", "    8\n"));
    let refused = b.finalize(5, false).structured.unwrap();
    assert_eq!(refused["code"], "invalid_state");
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("1 changed ref(s): main::last (src/store.rs:13-15): now lines 13-15"),
        "{message}"
    );
    assert!(refused["hint"].as_str().unwrap().contains("reviewed: true"), "{refused}");
    let done = b.finalize(5, true);
    assert!(!done.is_error, "{}", done.text);
    assert_eq!(b.check()["counts"], json!({"ok": 3}), "what was reviewed is what is anchored now");
}

#[test]
fn finalizing_refuses_what_is_lost() {
    let b = rig();
    b.file("src/store.rs", "// nothing is left\n");
    let refused = b.finalize(5, true).structured.unwrap();
    assert!(refused["message"].as_str().unwrap().contains("3 stale ref(s)"), "{refused}");
}

#[test]
fn reanchoring_repairs_and_says_what_is_left() {
    let b = rig();
    let text =
        CODE.replace("    7\n", "    8\n").replace("fn close(store: Store) {\n    drop(store);\n}\n\n", "");
    b.file("src/store.rs", format!("// one\n{text}"));
    let checked = b.check();
    assert_eq!(checked["counts"], json!({"moved": 1, "changed": 1, "lost": 1}));
    let next = &checked["next"];
    assert_eq!(next["arguments"]["action"], "reanchor");
    let done = b.engine.ok(&b.session, next["tool"].as_str().unwrap(), next["arguments"].clone());
    assert_eq!((&done["repaired"], &done["left"]), (&json!(1), &json!({"changed": 1, "lost": 1})));
    assert_eq!(b.check()["counts"], json!({"ok": 1, "changed": 1, "lost": 1}));
}

#[test]
fn a_ref_is_made_by_a_name_or_by_a_text() {
    let b = rig();
    let put = |more: Value, revision: u64| {
        let mut args = json!({"action": "upsert_ref", "name": "doc", "expected_revision": revision,
                              "section_key": "main", "ref_key": "new-one", "path": "src/store.rs"});
        for (k, v) in more.as_object().unwrap() {
            args[k] = v.clone();
        }
        b.engine.call(&b.session, "input", args)
    };
    let made = put(json!({"symbol": "close"}), 5).structured.unwrap();
    assert_eq!(made["chosen"], json!({"path": "src/store.rs", "lines": {"start": 9, "end": 11}}));
    let made = put(json!({"match": "let file = fs::read(path);\n    Store { file }"}), 6).structured.unwrap();
    assert_eq!(made["chosen"]["lines"], json!({"start": 5, "end": 6}));
    let wrong = |more: Value| put(more, 7).structured.unwrap()["message"].as_str().unwrap().to_string();
    assert_eq!(
        wrong(json!({"symbol": "nope"})),
        "invalid data: 'symbol' 'nope' is not defined in 'src/store.rs'"
    );
    assert_eq!(
        wrong(json!({"match": "fn "})),
        "invalid data: 'match' is in 'src/store.rs' more than once (lines 4 and 9)"
    );
    assert_eq!(
        wrong(json!({"match": "x", "line_start": 1, "line_end": 2})),
        "invalid data: send either 'line_start' and 'line_end', or 'symbol', or 'match'"
    );
}

#[test]
fn a_ref_to_nothing_is_told_at_once() {
    let b = rig();
    let put = |path: &str, end: u64, revision: u64| {
        let args = json!({"action": "upsert_ref", "name": "doc", "expected_revision": revision, "section_key": "main",
                          "ref_key": "new-one", "path": path, "line_start": 1, "line_end": end});
        b.engine.ok(&b.session, "input", args)["warnings"].clone()
    };
    assert_eq!(
        put("nope.rs", 1, 5),
        json!(["The ref is stored, but file 'nope.rs' does not exist under source root."])
    );
    assert_eq!(
        put("src/store.rs", 99, 6),
        json!(["The ref is stored, but file 'src/store.rs' has 15 lines but ref ends at 99."])
    );
    assert_eq!(put("src/store.rs", 15, 7), Value::Null);
}

#[test]
fn refs_without_an_anchor_gain_one_when_they_are_first_read() {
    let b = Sources::new();
    // Made before the code, so nothing could be remembered; the same as a ref of an older packd or of a file.
    b.pack(&[("open", "src/store.rs", 3, 7)]);
    b.file("src/store.rs", CODE);
    let (text, _) = b.output();
    assert!(text.contains("   4: fn open"), "{text}");
    // Nobody waits for what a read learns; a write after it comes after it.
    b.ok(json!({"action": "set_meta", "name": "doc", "expected_revision": 3, "title": "Doc"}));
    b.file("src/store.rs", format!("// one\n{CODE}"));
    assert_eq!(b.verdict("open"), "moved src/store.rs:4-8");
    assert_eq!(b.ok(json!({"action": "get", "name": "doc"}))["revision"], 4, "no revision was made for it");
    b.file("src/store.rs", CODE);
    assert_eq!(b.check()["refs"][0]["unverified_before"], "2026-01-02T03:04:05Z");
    b.engine.ok(&b.session, "history_undo", json!({}));
    b.engine.ok(&b.session, "history_undo", json!({}));
    let left = b.ok(json!({"action": "get", "name": "doc"}));
    assert_eq!(left["sections"][0]["refs"], json!([]), "what a read learnt is in nobody's way");
}

#[test]
fn a_check_of_untouched_files_reads_none() {
    let b = rig();
    // The clock of the engine stands still in the past; the file must be older than that to count as settled.
    let file = std::fs::File::open(b.dir.path().join("src/store.rs")).unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    file.set_modified(old).unwrap();
    let years = |n: i64| n * 365 * 24 * 60;
    b.ok(json!({"action": "touch_ttl", "name": "doc", "expected_revision": 5, "ttl_minutes": years(5)}));
    b.engine.clock.advance(years(4) * 60);
    assert_eq!(b.check()["counts"], json!({"ok": 3}));
    b.read.lock().unwrap().clear();
    assert_eq!(b.check()["counts"], json!({"ok": 3}));
    assert_eq!(*b.read.lock().unwrap(), Vec::<std::path::PathBuf>::new());
    b.file("src/store.rs", format!("// one\n{CODE}"));
    assert_eq!(b.check()["counts"], json!({"moved": 3}), "a touched file is read again");
}

#[test]
fn files_that_are_no_text_cannot_be_checked() {
    let b = rig();
    b.file("src/store.rs", b"\xff\xfe\x00");
    assert_eq!(b.check()["counts"], json!({"uncheckable": 3}));
    let (text, _) = b.output();
    assert!(
        text.contains("> stale ref: file 'src/store.rs' is not UTF-8 text\n> verdict: uncheckable\n"),
        "{text}"
    );
}

#[test]
fn long_files_and_whole_files_are_followed_too() {
    let b = Sources::new();
    let long: String = (1..=100_000).map(|i| format!("line number {i}\n")).collect();
    b.file("long.txt", &long);
    b.file("whole.py", "def a():\n    return 1\n\ndef b():\n    return 2\n");
    b.pack(&[("middle", "long.txt", 50_000, 50_100), ("whole", "whole.py", 1, 5)]);
    b.file("long.txt", format!("first\n{long}"));
    b.file("whole.py", "import os\n\ndef a():\n    return 1\n\ndef b():\n    return 2\n");
    assert_eq!(b.verdict("middle"), "moved long.txt:50001-50101");
    assert_eq!(b.verdict("whole"), "moved whole.py:3-7");
}

/// The whole way: a person (or CI) checks, repairs what moved, and is told what is left.
#[test]
fn the_command_line_checks_and_repairs() {
    let place = Place::new();
    let call = |args: Value| place.packd(&["call", "input", &args.to_string()]).ok();
    std::fs::write(place.work().join("a.rs"), CODE).unwrap();
    call(json!({"action": "create", "name": "doc", "ttl_minutes": 60}));
    call(
        json!({"action": "upsert_section", "name": "doc", "expected_revision": 1, "section_key": "main", "section_title": "Main"}),
    );
    for (n, symbol) in ["open", "last"].iter().enumerate() {
        call(
            json!({"action": "upsert_ref", "name": "doc", "expected_revision": n + 2, "section_key": "main",
                    "ref_key": symbol, "path": "a.rs", "symbol": symbol}),
        );
    }
    let ran = place.packd(&["pack", "check"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("2 ok"), "{ran:?}");
    std::fs::write(place.work().join("a.rs"), format!("// one\n{}", CODE.replace("    7\n", "    8\n")))
        .unwrap();
    let ran = place.packd(&["pack", "check", "doc"]);
    assert_eq!(ran.code, Some(1));
    let id = ran.stdout.split_whitespace().next().unwrap().to_string();
    text_snapshot("pack_check", &format!("{}{}", ran.stdout.replace(&id, "pk_aaaaaaaa"), ran.stderr));
    let ran = place.packd(&["pack", "check", "doc", "--fix"]);
    assert_eq!(ran.code, Some(1), "a changed ref is left");
    assert!(ran.stdout.contains("1 ok, 1 changed") && ran.stdout.contains("1 repaired"), "{ran:?}");
    std::fs::write(place.work().join("a.rs"), format!("// one\n{CODE}")).unwrap();
    place.packd(&["pack", "check", "--fix"]).ok();
    assert_eq!(place.packd(&["pack", "check", "--json"]).json()["packs"][0]["counts"], json!({"ok": 2}));
}
