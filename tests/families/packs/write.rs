//! A pack in one call: written whole or edited in several places at once, with every fault told by its path.

use serde_json::{Value, json};

use super::sources::Sources;

fn code(n: usize) -> String {
    (0..5).map(|i| format!("fn part_{n}_{i}() -> usize {{\n    {}\n}}\n\n", n * 100 + i)).collect()
}

fn rig() -> Sources {
    let b = Sources::new();
    for n in 0..4 {
        b.file(&format!("src/m{n}.rs"), code(n));
    }
    b
}

impl Sources {
    fn write(&self, more: Value) -> packd::core::Reply {
        let mut args = json!({"action": "write"});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.engine.call(&self.session, "input", args)
    }

    /// The faults of a call that must fail, as `path: problem`.
    fn faults(&self, more: Value) -> Vec<String> {
        let reply = self.write(more);
        assert!(reply.is_error, "{}", reply.text);
        let error = reply.structured.unwrap();
        let all = error["details"]["faults"].as_array().unwrap_or_else(|| panic!("{error}")).clone();
        all.iter()
            .map(|f| format!("{}: {}", f["path"].as_str().unwrap(), f["problem"].as_str().unwrap()))
            .collect()
    }
}

#[test]
fn twenty_refs_in_four_sections_are_two_calls() {
    let b = rig();
    let sections: Vec<Value> = (0..4)
        .map(|n| {
            let refs: Vec<Value> = (0..5)
                .map(|i| json!({"key": format!("r-{i}"), "path": format!("src/m{n}.rs"), "symbol": format!("part_{n}_{i}"), "why": "because"}))
                .collect();
            json!({"key": format!("s-{n}"), "title": format!("Section {n}"), "refs": refs})
        })
        .collect();
    let reply = b.write(json!({"name": "doc", "title": "Doc", "status": "finalized", "sections": sections}));
    assert!(!reply.is_error, "{}", reply.text);
    assert!(reply.text.len() < 400, "{} bytes: {}", reply.text.len(), reply.text);
    let payload = reply.structured.unwrap()["payload"].clone();
    assert_eq!((&payload["counts"], &payload["revision"]), (&json!({"ok": 20}), &json!(1)));
    assert_eq!(payload["lines"]["s-2"].as_array().map(Vec::len), Some(5), "the lines it chose: {payload}");
    assert_eq!(payload["expires_at"], "2026-01-03T03:04:05Z", "a day, where nobody says how long");
    let text = b.render(json!({"name": "doc"}));
    assert_eq!(text.matches("```rust").count(), 20, "{text}");
    b.engine.ok(&b.session, "history_undo", json!({}));
    assert_eq!(b.render(json!({})), "No context packs found.", "one operation, one undo");
}

#[test]
fn every_fault_is_told_at_once_by_its_path() {
    let b = rig();
    let faults = b.faults(json!({"name": "doc", "ttl_minutes": 0, "tags": "x", "sections": [
        {"key": "ok-1", "refs": [{"key": "a1", "path": "../x", "lines": "1-2"}, {"key": "a1", "path": "src/m0.rs", "lines": "9-3"}]},
        {"key": "ok-1", "titl": "T", "refs": [{"key": "A!", "path": "src/m0.rs"}, {"key": "b2", "lines": {"start": 1}, "symbol": "x"}]},
        "text",
    ]}));
    assert_eq!(
        faults,
        [
            "tags: 'tags' must be an array of strings",
            "ttl_minutes: 'ttl_minutes' must be between 1 and 2628000, but is 0",
            "sections[0].refs[0].path: 'path' must not contain '..', but is '../x'",
            "sections[0].refs[1].lines: 'line_end' (3) must not be before 'line_start' (9)",
            "sections[1].titl: is not a field; did you mean 'title'?",
            "sections[1].key: occurs twice",
            "sections[1].refs[0].key: 'key' must match ^[a-z0-9][a-z0-9_-]{1,63}$, but is 'A!'",
            "sections[1].refs[0]: needs 'lines', 'symbol' or 'match'",
            "sections[1].refs[1].path: is required",
            "sections[1].refs[1]: takes only one of lines, symbol",
            "sections[2]: must be an object",
        ]
    );
    let faults = b.faults(json!({"name": "doc", "sections": [{"key": "s-1", "refs": [
        {"key": "a1", "path": "src/m0.rs", "symbol": "nope"}, {"key": "a2", "path": "gone.rs", "match": "x"}]}]}));
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(
        faults[0].starts_with(
            "sections[0].refs[0]: 'symbol' 'nope' is not defined in 'src/m0.rs'. Defined there:"
        ),
        "{}",
        faults[0]
    );
    assert!(faults[1].starts_with("sections[0].refs[1]: file 'gone.rs' does not exist"), "{}", faults[1]);
    assert_eq!(b.render(json!({})), "No context packs found.", "nothing was stored");
}

#[test]
fn a_pack_that_exists_is_replaced_only_in_the_revision_its_writer_knows() {
    let b = rig();
    let section = |path: &str, lines: &str| json!([{"key": "s-1", "refs": [{"key": "a1", "path": path, "lines": lines}]}]);
    b.write(json!({"name": "doc", "tags": ["one"], "sections": section("src/m0.rs", "1-3")}));
    let again = json!({"name": "doc", "title": "New", "sections": section("src/m1.rs", "1-3")});
    let refused = b.write(again.clone()).structured.unwrap();
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("'expected_revision' is required") && message.contains("revision 1"),
        "{message}"
    );
    let mut stale = again.clone();
    stale["expected_revision"] = json!(9);
    assert_eq!(b.write(stale).structured.unwrap()["code"], "revision_conflict");
    let mut right = again;
    right["expected_revision"] = json!(1);
    assert_eq!(b.write(right).structured.unwrap()["payload"]["revision"], 2);
    let pack = b.ok(json!({"action": "get", "name": "doc"}));
    assert_eq!(pack["sections"][0]["refs"][0]["path"], "src/m1.rs");
    assert_eq!((&pack["title"], &pack["tags"]), (&json!("New"), &json!(["one"])), "what is left out stays");
}

#[test]
fn an_id_that_nobody_has_is_not_taken_for_a_new_name() {
    let b = rig();
    let refused = b.write(json!({"name": "pk_f2ireb33", "title": "Gone"})).structured.unwrap();
    assert!(refused["message"].as_str().unwrap().contains("must not look like a pack id"), "{refused}");
    assert_eq!(b.render(json!({})), "No context packs found.");
}

#[test]
fn a_ref_to_nothing_is_a_warning_in_a_draft_and_refused_when_final() {
    let b = rig();
    let wanted = |status: &str| {
        json!({"name": "doc", "status": status, "sections": [
        {"key": "s-1", "refs": [{"key": "a1", "path": "src/m0.rs", "lines": "1-3"}, {"key": "a2", "path": "later.rs", "lines": {"start": 1, "end": 2}}]}]})
    };
    let refused = b.write(wanted("finalized")).structured.unwrap();
    assert!(
        refused["message"].as_str().unwrap().contains("1 stale ref(s): sections[0].refs[1]: file 'later.rs'"),
        "{refused}"
    );
    let done = b.write(wanted("draft")).structured.unwrap()["payload"].clone();
    assert_eq!(done["counts"], json!({"ok": 1, "lost": 1}));
    assert_eq!(
        done["warnings"],
        json!(["sections[0].refs[1]: file 'later.rs' does not exist under source root"])
    );
}

#[test]
fn several_edits_are_one_operation_or_none() {
    let b = rig();
    b.write(json!({"name": "doc", "sections": [{"key": "s-1", "refs": [{"key": "a1", "path": "src/m0.rs", "lines": "1-3"}]}]}));
    let faults = b.faults(json!({"name": "doc", "expected_revision": 1, "ops": [
        {"action": "upsert_section", "section_key": "s-2", "section_title": "Two"},
        {"action": "upsert_ref", "section_key": "s-2", "ref_key": "b1", "path": "src/m1.rs", "symbol": "nope"},
        {"action": "upsert_section", "section_key": "s-3", "title": "wrong name"},
        {"action": "dance"},
    ]}));
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].starts_with("ops[1]: 'symbol' 'nope'"), "{}", faults[0]);
    assert_eq!(faults[1], "ops[2]: 'title' is not supported; use 'section_title' instead");
    assert!(faults[2].starts_with("ops[3]: 'dance' is not an edit. Use upsert_section"), "{}", faults[2]);
    let done = b.write(json!({"name": "doc", "expected_revision": 1, "ops": [
        {"action": "upsert_section", "section_key": "s-2", "section_title": "Two"},
        {"action": "upsert_ref", "section_key": "s-2", "ref_key": "b1", "path": "src/m1.rs", "symbol": "part_1_2"},
        {"action": "delete_ref", "section_key": "s-1", "ref_key": "a1"},
        {"action": "set_meta", "title": "Edited"},
    ]}));
    assert!(!done.is_error, "{}", done.text);
    let pack = b.ok(json!({"action": "get", "name": "doc"}));
    assert_eq!((&pack["revision"], &pack["title"]), (&json!(2), &json!("Edited")));
    assert_eq!(pack["sections"][1]["refs"][0]["lines"], json!({"start": 9, "end": 11}));
    b.engine.ok(&b.session, "history_undo", json!({}));
    let pack = b.ok(json!({"action": "get", "name": "doc"}));
    assert_eq!(pack["sections"].as_array().unwrap().len(), 1, "all four are taken back at once");
    let faults = b.faults(json!({"name": "doc", "expected_revision": 3, "ops": [
        {"action": "set_meta", "title": "Lost"}, {"action": "delete_ref", "section_key": "s-1", "ref_key": "zz"}]}));
    assert_eq!(faults, ["ops[1]: not found: ref 'zz' in section 's-1'. Its refs: a1."]);
    assert_eq!(
        b.ok(json!({"action": "get", "name": "doc"}))["title"],
        Value::Null,
        "and nothing was changed"
    );
}

#[test]
fn a_document_that_says_it_is_final_must_be() {
    let b = rig();
    b.write(json!({"name": "doc", "status": "finalized", "sections": [{"key": "s-1", "refs": [{"key": "a1", "path": "src/m0.rs", "lines": "1-3"}]}]}));
    let document = b.ok(json!({"action": "export", "name": "doc"}))["document"].as_str().unwrap().to_string();
    let other = document.replace(&b.id(), "pk_f2ireb33").replace("name: doc", "name: taken");
    let bad = other.replace("src/m0.rs", "nope.rs");
    let refused =
        b.engine.err(&b.session, "input", json!({"action": "import", "document": bad, "ttl_minutes": 60}));
    assert!(
        refused["message"].as_str().unwrap().contains("1 stale ref(s): s-1::a1: file 'nope.rs'"),
        "{refused}"
    );
    b.ok(json!({"action": "import", "document": other, "ttl_minutes": 60}));
    let draft = bad
        .replace("status: finalized", "status: draft")
        .replace("pk_f2ireb33", "pk_f2ireb34")
        .replace("taken", "again");
    let taken =
        b.engine.ok(&b.session, "input", json!({"action": "import", "document": draft, "ttl_minutes": 60}));
    assert_eq!(taken["warnings"], json!(["s-1::a1: file 'nope.rs' does not exist under source root"]));
}
