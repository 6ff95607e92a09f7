//! Context packs through the engine: replies, errors, order of checks, coercions, edits.

use packd::engine::CallRequest;
use serde_json::{Value, json};

use super::rig::Rig;

#[test]
fn create_gives_a_whole_draft_in_revision_one_with_sorted_keys() {
    let b = Rig::new();
    let reply = b.engine.call(
        &b.session,
        "input",
        json!({"action": "create", "name": "  spaced name ", "title": "T", "tags": [" a ", "b", "a"], "ttl_minutes": 90}),
    );
    let pack = reply.structured.clone().unwrap()["payload"].clone();
    let id = pack["id"].as_str().unwrap();
    assert!(id.len() == 11 && id.starts_with("pk_"), "{id}");
    assert_eq!(
        reply.text,
        format!(
            "{{\"action\":\"create\",\"payload\":{{\"brief\":null,\"created_at\":\"2026-01-02T03:04:05Z\",\"expires_at\":\
             \"2026-01-02T04:34:05Z\",\"id\":\"{id}\",\"name\":\"spaced name\",\"revision\":1,\"schema_version\":2,\
             \"sections\":[],\"status\":\"draft\",\"tags\":[\"a\",\"b\",\"a\"],\"title\":\"T\",\"updated_at\":\
             \"2026-01-02T03:04:05Z\"}}}}"
        )
    );
    assert_eq!(reply.structured.unwrap().to_string(), reply.text);
}

#[test]
fn an_error_names_kind_code_message_and_the_request() {
    let b = Rig::new();
    let mut request = CallRequest::new("input", json!({"action": "nope"}));
    request.request_id = json!("r-7");
    let reply = b.engine.request(&b.session, request);
    assert!(reply.is_error);
    let e: Value = serde_json::from_str(&reply.text).unwrap();
    assert_eq!(e["message"], "invalid data: unknown input action 'nope'");
    assert_eq!(
        (&e["error"], &e["kind"], &e["code"]),
        (&json!(true), &json!("validation"), &json!("invalid_data"))
    );
    assert_eq!(e["request_id"], "r-7");
    assert_eq!(reply.structured.unwrap(), e);
    assert!(b.err(json!({"action": "LIST"})).contains("unknown input action 'LIST'"));
}

#[test]
fn create_checks_tags_then_ttl_then_name_then_range_then_the_store() {
    let b = Rig::new();
    b.create("taken");
    let steps = [
        (
            json!({"tags": null, "name": "x"}),
            "validation/invalid_data: invalid data: 'tags' must be an array of strings",
        ),
        (
            json!({"tags": ["a", " "], "name": "x"}),
            "validation/invalid_data: invalid data: 'tags' must contain only non-empty strings",
        ),
        (json!({"name": "x"}), "validation/invalid_data: invalid data: 'ttl_minutes' is required"),
        (
            json!({"name": "x", "ttl_minutes": 0}),
            "validation/invalid_data: invalid data: 'name' must have 3 to 120 bytes, but has 1",
        ),
        (
            json!({"name": "pk_abcdefgh", "ttl_minutes": 0}),
            "validation/invalid_data: invalid data: 'name' must not look like a pack id, but is 'pk_abcdefgh'",
        ),
        (
            json!({"name": "taken", "ttl_minutes": 0}),
            "validation/invalid_data: invalid data: 'ttl_minutes' must be between 1 and 2628000, but is 0",
        ),
        (
            json!({"name": "taken", "ttl_minutes": 2628001}),
            "validation/invalid_data: invalid data: 'ttl_minutes' must be between 1 and 2628000, but is 2628001",
        ),
    ];
    for (mut args, wanted) in steps {
        args["action"] = json!("create");
        assert_eq!(b.err(args.clone()), wanted, "{args}");
    }
    let taken = b.err(json!({"action": "create", "name": "taken", "ttl_minutes": 5}));
    assert!(taken.starts_with("conflict/conflict: conflict: a pack named 'taken' already exists"), "{taken}");
    b.ok(json!({"action": "create", "name": "TAKEN", "ttl_minutes": 2628000}));
}

#[test]
fn required_integers_of_another_type_count_as_missing_and_paging_ones_are_ignored() {
    let b = Rig::new();
    for bad in [json!("5"), json!(-1), json!(1.0), json!(null), json!(18446744073709551616.0), json!([1])] {
        let e = b.err(json!({"action": "create", "ttl_minutes": bad}));
        assert!(e.starts_with("validation/invalid_data: invalid data: "), "{bad}: {e}");
        assert!(e.ends_with("'ttl_minutes' is required"), "{bad}: {e}");
        assert_eq!(e.contains("must be an integer"), !bad.is_null(), "{bad}: {e}");
    }
    let id = b.with_section("coerce");
    let r = |start: Value, rev: Value| json!({"action": "upsert_ref", "id": id, "expected_revision": rev, "section_key": "main", "ref_key": "aa", "path": "x", "line_start": start, "line_end": 2});
    assert!(b.err(r(json!(1), json!("2"))).ends_with("'expected_revision' is required"));
    assert!(b.err(r(json!(1.0), json!(2))).ends_with("'line_start' is required"));
    for ignored in [json!(-1), json!("x"), json!(null), json!(1.5)] {
        assert_eq!(b.names(json!({"limit": ignored, "offset": ignored})), ["coerce"], "{ignored}");
    }
    // Wrongly typed and blank strings are absent; any action that is no string lists.
    assert_eq!(b.ok(json!({"action": 5, "query": 7, "status": " "}))["count"], 1);
    for field in ["ttl_minutes", "extend_minutes"] {
        for bad in [json!(null), json!("5"), json!(-3)] {
            let mut args = json!({"action": "touch_ttl", "id": id, "expected_revision": 99});
            args[field] = bad;
            assert!(b.err(args).ends_with(&format!("'{field}' must be an integer")));
        }
    }
}

#[test]
fn checks_come_in_the_contracts_order() {
    let b = Rig::new();
    let id = b.with_section("order");
    // Each step repairs what the one before complained about; everything after it is still wrong.
    let steps = [
        (
            json!({"title": null, "section_key": "BAD", "line_start": 3, "line_end": 1}),
            "'title' is not supported; use 'ref_title' instead",
        ),
        (json!({"title": "DROP", "why": "x"}), "'why' is not supported; use 'ref_why' instead"),
        (json!({"why": "DROP"}), "id or name required"),
        (json!({"id": "pk_aaaaaaaa"}), "'expected_revision' is required"),
        (json!({"expected_revision": 9}), "'ref_key' is required"),
        (json!({"ref_key": "BAD KEY"}), "'path' is required"),
        (json!({"path": "../up"}), "not found: pack 'pk_aaaaaaaa'"),
        (json!({"id": id}), "revision conflict: expected 9, actual 2"),
        (
            json!({"expected_revision": 2}),
            "'section_key' must match ^[a-z0-9][a-z0-9_-]{1,63}$, but is 'BAD'",
        ),
        (json!({"section_key": "gone"}), "'ref_key' must match ^[a-z0-9][a-z0-9_-]{1,63}$, but is 'BAD KEY'"),
        (json!({"ref_key": "one"}), "'path' must not contain '..', but is '../up'"),
        (json!({"path": "a.rs"}), "'line_end' (1) must not be before 'line_start' (3)"),
        (json!({"line_end": 2003}), "a ref may span at most 2000 lines, but 3-2003 is longer"),
        (json!({"line_end": 2002}), "not found: section 'gone'"),
    ];
    let mut args = json!({"action": "upsert_ref"});
    for (repair, wanted) in steps {
        for (key, value) in repair.as_object().unwrap() {
            if value == "DROP" {
                args.as_object_mut().unwrap().remove(key);
            } else {
                args[key] = value.clone();
            }
        }
        let got = b.err(args.clone());
        assert!(got.ends_with(wanted), "{args}\n  wanted {wanted}\n  got    {got}");
    }
    args["section_key"] = json!("main");
    assert_eq!(b.ok(args)["revision"], 3);
}

#[test]
fn a_stale_revision_is_told_with_both_numbers() {
    let b = Rig::new();
    let id = b.create("rev");
    let e = b.engine.err(
        &b.session,
        "input",
        json!({"action": "set_meta", "id": id, "expected_revision": 4, "title": "x"}),
    );
    assert_eq!((&e["kind"], &e["code"]), (&json!("conflict"), &json!("revision_conflict")));
    assert_eq!(e["details"], json!({"actual_revision": 1, "expected_revision": 4}));
}

#[test]
fn a_finalized_pack_outranks_a_missing_section_and_an_empty_set_meta() {
    let b = Rig::new();
    let id = b.with_section("final");
    b.ok(json!({"action": "upsert_diagram", "id": id, "expected_revision": 2, "section_key": "main", "diagram_key": "d1", "title": "D", "mermaid": "graph"}));
    let done = b.ok(json!({"action": "set_status", "id": id, "expected_revision": 3, "status": "FINALIZED"}));
    assert_eq!((&done["status"], &done["revision"]), (&json!("finalized"), &json!(4)));
    for args in [
        json!({"action": "delete_section", "section_key": "gone"}),
        json!({"action": "set_meta"}),
        json!({"action": "upsert_section", "section_key": "new", "section_title": "x"}),
        json!({"action": "delete_diagram", "section_key": "main", "diagram_key": "d1"}),
    ] {
        let mut args = args;
        args["id"] = json!(id);
        args["expected_revision"] = json!(4);
        assert!(b.err(args.clone()).starts_with("invalid_state/invalid_state: invalid state: "), "{args}");
    }
    // Time to live and status stay open; a malformed key still outranks the state.
    assert!(
        b.err(json!({"action": "delete_section", "id": id, "expected_revision": 4, "section_key": "B"}))
            .contains("must match")
    );
    assert_eq!(
        b.ok(json!({"action": "touch_ttl", "id": id, "expected_revision": 4, "ttl_minutes": 5}))["revision"],
        5
    );
    assert_eq!(
        b.ok(json!({"action": "set_status", "id": id, "expected_revision": 5, "status": "draft"}))["revision"],
        6
    );
    assert!(
        b.err(json!({"action": "set_meta", "id": id, "expected_revision": 6})).contains("at least one of")
    );
}

#[test]
fn what_changes_nothing_bumps_nothing_and_leaves_no_operation() {
    let b = Rig::new();
    let id = b.ok(json!({"action": "create", "title": "T", "tags": ["a"], "ttl_minutes": 9}))["id"].clone();
    b.engine.clock.advance(10);
    let same = b.ok(json!({"action": "set_meta", "id": id, "expected_revision": 1, "title": " T ", "tags": ["a"], "brief": " "}));
    assert_eq!((&same["revision"], &same["updated_at"]), (&json!(1), &json!("2026-01-02T03:04:05Z")));
    let same = b.ok(json!({"action": "set_status", "id": id, "expected_revision": 1, "status": "draft"}));
    assert_eq!(same["revision"], 1);
    let ops = b.engine.ok(&b.session, "history_list", json!({}));
    assert_eq!(ops["operations"].as_array().map(Vec::len), Some(1), "{ops}");
    let cleared = b.ok(json!({"action": "set_meta", "id": id, "expected_revision": 1, "tags": []}));
    assert_eq!(
        (&cleared["tags"], &cleared["title"], &cleared["revision"]),
        (&json!([]), &json!("T"), &json!(2))
    );
    assert_eq!(cleared["updated_at"], "2026-01-02T03:04:15Z");
    // The same section twice is a change each time.
    let section = |rev: u64| json!({"action": "upsert_section", "id": id, "expected_revision": rev, "section_key": "aa", "section_title": "A"});
    assert_eq!(b.ok(section(2))["revision"], 3);
    assert_eq!(b.ok(section(3))["revision"], 4);
}

#[test]
fn sections_move_only_when_told_and_keep_what_is_in_them() {
    let b = Rig::new();
    let id = b.create("sections");
    let mut rev = 1;
    let mut section = |key: &str, extra: Value| {
        let mut args = json!({"action": "upsert_section", "id": id, "expected_revision": rev, "section_key": key, "section_title": key});
        for (k, v) in extra.as_object().unwrap() {
            args[k] = v.clone();
        }
        rev += 1;
        let pack = b.ok(args);
        let keys =
            pack["sections"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_string());
        (keys.collect::<Vec<_>>().join(" "), pack)
    };
    section("aa", json!({"section_description": "text"}));
    section("bb", json!({}));
    assert_eq!(section("cc", json!({"section_order": 0})).0, "cc aa bb");
    assert_eq!(section("dd", json!({"section_order": 99})).0, "cc aa bb dd");
    assert_eq!(section("cc", json!({})).0, "cc aa bb dd");
    assert_eq!(section("cc", json!({"section_order": 2})).0, "aa bb cc dd");
    assert_eq!(section("aa", json!({"section_order": -1})).0, "aa bb cc dd");
    let (_, pack) = section("aa", json!({"section_title": "New"}));
    assert_eq!(
        (&pack["sections"][0]["title"], &pack["sections"][0]["description"]),
        (&json!("New"), &json!("text"))
    );
}

#[test]
fn refs_and_diagrams_are_replaced_whole_in_place_and_deleted() {
    let b = Rig::new();
    let id = b.with_section("items");
    let put = |rev: u64, key: &str, extra: Value| {
        let mut args = json!({"action": "upsert_ref", "id": id, "expected_revision": rev, "section_key": "main", "ref_key": key, "path": "dir\\a.rs", "line_start": 1, "line_end": 2});
        for (k, v) in extra.as_object().unwrap() {
            args[k] = v.clone();
        }
        b.ok(args)["sections"][0]["refs"].clone()
    };
    put(2, "one", json!({"ref_title": "T", "ref_why": "W", "group": "G"}));
    put(3, "two", json!({}));
    let refs = put(4, "one", json!({"line_end": 9}));
    assert_eq!(
        refs,
        json!([
            {"group": null, "key": "one", "lines": {"end": 9, "start": 1}, "path": "dir/a.rs", "title": null, "why": null},
            {"group": null, "key": "two", "lines": {"end": 2, "start": 1}, "path": "dir/a.rs", "title": null, "why": null},
        ])
    );
    for bad in ["/abs", "a/../b", "a\\..\\..\\b", "\\\\share\\x", ".."] {
        let e = b.err(json!({"action": "upsert_ref", "id": id, "expected_revision": 5, "section_key": "main", "ref_key": "rr", "path": bad, "line_start": 1, "line_end": 1}));
        assert!(e.starts_with("validation/invalid_data: invalid data: 'path' must"), "{bad}: {e}");
    }
    let gone = b.ok(json!({"action": "delete_ref", "id": id, "expected_revision": 5, "section_key": "main", "ref_key": "one"}));
    assert_eq!(gone["sections"][0]["refs"].as_array().unwrap().len(), 1);
    assert!(b.err(json!({"action": "delete_ref", "id": id, "expected_revision": 6, "section_key": "main", "ref_key": "one"})).starts_with("not_found/not_found: not found: ref 'one'"));
    b.ok(json!({"action": "upsert_diagram", "id": id, "expected_revision": 6, "section_key": "main", "diagram_key": "dd", "title": "D", "mermaid": " graph ", "diagram_why": "y"}));
    let e = b.err(json!({"action": "upsert_diagram", "id": id, "expected_revision": 7, "section_key": "main", "diagram_key": "dd", "title": "D", "mermaid": "g", "why": null}));
    assert!(e.ends_with("'why' is not supported; use 'diagram_why' instead"), "{e}");
    let gone = b.ok(json!({"action": "delete_diagram", "id": id, "expected_revision": 7, "section_key": "main", "diagram_key": "dd"}));
    assert_eq!(gone["sections"][0]["diagrams"], json!([]));
    b.undo();
    let back = b.ok(json!({"action": "get", "id": id}));
    assert_eq!(
        (&back["sections"][0]["diagrams"][0]["mermaid"], &back["revision"]),
        (&json!("graph"), &json!(9))
    );
}

#[test]
fn a_pack_is_found_by_id_or_name_in_either_field() {
    let b = Rig::new();
    let id = b.create("findable");
    for args in [
        json!({"id": "findable"}),
        json!({"name": id}),
        json!({"id": id}),
        json!({"id": " ", "name": "findable"}),
    ] {
        let mut args = args;
        args["action"] = json!("get");
        assert_eq!(b.ok(args)["id"], json!(id));
    }
    assert!(b.err(json!({"action": "get", "name": "zz"})).contains("3 to 120 bytes"));
    assert!(b.err(json!({"action": "get", "name": "Findable"})).starts_with("not_found/"));
    assert!(b.err(json!({"action": "get"})).ends_with("id or name required"));
    let elsewhere = b.engine.session("s2", "/other");
    assert!(b.engine.err(&elsewhere, "input", json!({"action": "get", "id": id}))["kind"] == "not_found");
}
