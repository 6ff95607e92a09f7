//! Context packs through the engine: order of checks, coercions, bumps and no-ops, lists, time to live, undo.

use std::sync::Arc;

use packd::engine::{Request, Session};
use serde_json::{Value, json};

use crate::common::engine::TestEngine;

struct Bench {
    engine: TestEngine,
    session: Arc<Session>,
}

impl Bench {
    fn new() -> Self {
        let engine = TestEngine::new();
        let session = engine.session("s1", "/w");
        Bench { engine, session }
    }

    /// The payload of a call that must succeed.
    fn ok(&self, args: Value) -> Value {
        self.engine.ok(&self.session, "input", args)["payload"].clone()
    }

    /// `kind/code: message` of a call that must fail.
    fn err(&self, args: Value) -> String {
        let e = self.engine.err(&self.session, "input", args);
        format!(
            "{}/{}: {}",
            e["kind"].as_str().unwrap(),
            e["code"].as_str().unwrap(),
            e["message"].as_str().unwrap()
        )
    }

    fn create(&self, name: &str) -> String {
        let pack = self.ok(json!({"action": "create", "name": name, "ttl_minutes": 60}));
        pack["id"].as_str().unwrap().to_string()
    }

    /// A draft with one section, in revision 2.
    fn with_section(&self, name: &str) -> String {
        let id = self.create(name);
        self.ok(json!({"action": "upsert_section", "id": id, "expected_revision": 1, "section_key": "main", "section_title": "Main"}));
        id
    }

    /// Names of a list, in its order.
    fn names(&self, mut args: Value) -> Vec<String> {
        args["action"] = json!("list");
        let packs = self.ok(args)["packs"].clone();
        packs.as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap_or("-").to_string()).collect()
    }

    fn undo(&self) -> Value {
        self.engine.ok(&self.session, "history_undo", json!({}))
    }
}

#[test]
fn create_gives_a_whole_draft_in_revision_one_with_sorted_keys() {
    let b = Bench::new();
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
    let b = Bench::new();
    let mut request = Request::new("input", json!({"action": "nope"}));
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
    let b = Bench::new();
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
    let b = Bench::new();
    for bad in [json!("5"), json!(-1), json!(1.0), json!(null), json!(18446744073709551616.0), json!([1])] {
        let e = b.err(json!({"action": "create", "ttl_minutes": bad}));
        assert_eq!(e, "validation/invalid_data: invalid data: 'ttl_minutes' is required", "{bad}");
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
    let b = Bench::new();
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
    let b = Bench::new();
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
    let b = Bench::new();
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
    let b = Bench::new();
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
    let b = Bench::new();
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
    let b = Bench::new();
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
    let b = Bench::new();
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

#[test]
fn lists_are_newest_first_filtered_then_paged_and_say_the_total() {
    let b = Bench::new();
    for (name, title) in [("alpha", "First"), ("beta", "Second"), ("gamma", "Third")] {
        b.ok(json!({"action": "create", "name": name, "title": title, "brief": "About Tokens", "ttl_minutes": 60}));
        b.engine.clock.advance(1);
    }
    assert_eq!(b.names(json!({})), ["gamma", "beta", "alpha"]);
    let page = b.ok(json!({"limit": 2, "offset": 1}));
    assert_eq!((&page["count"], &page["total"], page.get("next_offset")), (&json!(2), &json!(3), None));
    let page = b.ok(json!({"limit": 1}));
    assert_eq!((&page["count"], &page["total"], &page["next_offset"]), (&json!(1), &json!(3), &json!(1)));
    assert_eq!(b.ok(json!({"limit": 0}))["packs"], json!([]));
    assert_eq!(b.ok(json!({"offset": 9}))["count"], 0);
    // Title and name are searched as one text; so are name and brief. Tags are not.
    assert_eq!(b.names(json!({"query": " SECOND BETA "})), ["beta"]);
    assert_eq!(b.names(json!({"query": "a about"})), ["gamma", "beta", "alpha"]);
    assert_eq!(b.ok(json!({"query": "tokens", "limit": 1}))["total"], 3);
    // A change brings a pack to the front.
    b.ok(json!({"action": "set_meta", "name": "alpha", "expected_revision": 1, "title": "Changed"}));
    assert_eq!(b.names(json!({})), ["alpha", "gamma", "beta"]);
    assert_eq!(b.names(json!({"status": "finalized"})), Vec::<String>::new());
    assert_eq!(b.names(json!({"status": "Draft"})).len(), 3);
    assert!(b.err(json!({"status": "open"})).starts_with("validation/invalid_data"));
    let first = b.ok(json!({"limit": 1}))["packs"][0].clone();
    let keys: Vec<_> = first.as_object().unwrap().keys().cloned().collect();
    let wanted = [
        "expires_at",
        "id",
        "name",
        "revision",
        "status",
        "title",
        "ttl_remaining_human",
        "ttl_remaining_seconds",
        "updated_at",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(
        (&first["ttl_remaining_seconds"], &first["ttl_remaining_human"]),
        (&json!(3597), &json!("59m"))
    );
}

#[test]
fn a_list_over_the_reply_limit_pages_by_itself() {
    let b = Bench::new();
    let title = "x".repeat(300_000);
    for _ in 0..5 {
        b.ok(json!({"action": "create", "title": title, "ttl_minutes": 5}));
        b.engine.clock.advance(1);
    }
    let page = b.ok(json!({}));
    assert_eq!((&page["count"], &page["total"], &page["next_offset"]), (&json!(3), &json!(5), &json!(3)));
    assert_eq!(b.ok(json!({"offset": 3}))["count"], 2);
    let text = b.engine.call(&b.session, "output", json!({})).text;
    assert!(text.len() < 1 << 20 && text.ends_with("\n> page: 2 left, continue with offset 3\n"));
}

#[test]
fn time_to_live_is_set_extended_and_shown_in_words() {
    let b = Bench::new();
    let id = b.ok(json!({"action": "create", "ttl_minutes": 90}))["id"].clone();
    let human = || b.ok(json!({}))["packs"][0]["ttl_remaining_human"].clone();
    assert_eq!(human(), "1h");
    assert_eq!(
        b.err(json!({"action": "touch_ttl", "id": id, "expected_revision": 1})),
        "validation/ttl_required: ttl required: send 'ttl_minutes' or 'extend_minutes'"
    );
    assert!(b.err(json!({"action": "touch_ttl", "id": id, "expected_revision": 1, "ttl_minutes": 1, "extend_minutes": 1})).contains("not both"));
    assert!(
        b.err(json!({"action": "touch_ttl", "id": id, "expected_revision": 7, "extend_minutes": 0}))
            .contains("revision conflict")
    );
    assert!(
        b.err(json!({"action": "touch_ttl", "id": id, "expected_revision": 1, "extend_minutes": 0}))
            .contains("between 1 and")
    );
    let p = b.ok(json!({"action": "touch_ttl", "id": id, "expected_revision": 1, "extend_minutes": 30}));
    assert_eq!((&p["expires_at"], &p["revision"]), (&json!("2026-01-02T05:04:05Z"), &json!(2)));
    b.engine.clock.advance(5);
    let p = b.ok(json!({"action": "touch_ttl", "id": id, "expected_revision": 2, "ttl_minutes": 5}));
    assert_eq!(p["expires_at"], "2026-01-02T03:09:10Z");
    b.engine.clock.advance(1);
    assert_eq!(human(), "4m");
    b.engine.clock.advance(241);
    assert_eq!(human(), "<1m");
    b.ok(json!({"action": "touch_ttl", "id": id, "expected_revision": 3, "ttl_minutes": 2880}));
    assert_eq!(human(), "2d");
}

#[test]
fn an_expired_pack_is_invisible_at_once_and_its_name_is_free() {
    let b = Bench::new();
    let old = b.ok(json!({"action": "create", "name": "shortlived", "ttl_minutes": 1}))["id"].clone();
    b.create("longlived");
    b.engine.clock.advance(60);
    assert_eq!(b.names(json!({})), ["longlived"]);
    assert_eq!(b.ok(json!({}))["total"], 1);
    assert!(b.err(json!({"action": "get", "id": old})).starts_with("not_found/"));
    assert!(b.err(json!({"action": "get", "name": "shortlived"})).starts_with("not_found/"));
    assert!(
        b.err(json!({"action": "set_meta", "id": old, "expected_revision": 1, "title": "x"}))
            .starts_with("not_found/")
    );
    b.create("shortlived");
    assert_eq!(b.ok(json!({"query": "lived"}))["total"], 2);
}

#[test]
fn purge_is_an_operation_that_undo_takes_back_for_an_hour() {
    let b = Bench::new();
    let id = b.ok(json!({"action": "create", "name": "fleeting", "ttl_minutes": 1}))["id"].clone();
    b.ok(json!({"action": "create", "name": "second", "ttl_minutes": 1}));
    b.create("stays");
    assert_eq!(b.engine.block_on(b.engine.engine.sweep()).unwrap(), 0);
    b.engine.clock.advance(61);
    assert_eq!(b.engine.block_on(b.engine.engine.sweep()).unwrap(), 1);
    let ops = b.engine.ok(&b.session, "history_list", json!({"limit": 1}));
    assert_eq!(ops["operations"][0]["tool"], "packs_purge", "{ops}");
    b.undo();
    let back = b.ok(json!({"action": "get", "id": id}));
    assert_eq!((&back["expires_at"], &back["revision"]), (&json!("2026-01-02T04:05:06Z"), &json!(2)));
    assert_eq!(b.names(json!({})).len(), 3);
}

#[test]
fn undo_does_not_bring_back_a_name_that_was_taken_since() {
    let b = Bench::new();
    let id = b.create("contested");
    b.ok(json!({"action": "delete", "id": id, "expected_revision": 1}));
    let ops = b.engine.ok(&b.session, "history_list", json!({"limit": 1}));
    let op = ops["operations"][0]["operation_id"].clone();
    b.create("contested");
    let reply = b.engine.call(&b.session, "history_revert", json!({"operation_id": op}));
    assert!(reply.is_error && reply.text.contains("contested"), "{}", reply.text);
    assert_eq!(b.names(json!({})), ["contested"]);
}

#[test]
fn delete_needs_the_revision_and_can_be_undone() {
    let b = Bench::new();
    let id = b.create("doomed");
    assert!(b.err(json!({"action": "delete", "id": id})).ends_with("'expected_revision' is required"));
    assert!(
        b.err(json!({"action": "delete", "id": id, "expected_revision": 2}))
            .starts_with("conflict/revision_conflict")
    );
    assert_eq!(
        b.ok(json!({"action": "delete", "name": "doomed", "expected_revision": 1})),
        json!({"deleted": true, "id": id, "revision": 1})
    );
    assert!(b.err(json!({"action": "get", "id": id})).starts_with("not_found/"));
    b.undo();
    assert_eq!(b.ok(json!({"action": "get", "name": "doomed"}))["revision"], 2);
    b.engine.ok(&b.session, "history_redo", json!({}));
    assert_eq!(b.ok(json!({}))["total"], 0);
}

#[test]
fn export_and_import_move_a_pack_with_its_id() {
    let b = Bench::new();
    let id = b.with_section("portable");
    let out = b.ok(json!({"action": "export", "id": id}));
    let document = out["document"].as_str().unwrap();
    assert!(document.starts_with("---\nschema_version: 2\n"), "{document}");
    let other = b.engine.session("s2", "/other");
    let there = b.engine.ok(&other, "input", json!({"action": "import", "document": document}));
    assert_eq!((&there["payload"]["id"], &there["payload"]["revision"]), (&json!(id), &json!(2)));
    // In place it replaces what is there, for who knows the revision.
    let edited = document.replace("title: Main", "title: Edited");
    assert!(
        b.err(json!({"action": "import", "document": edited})).ends_with("'expected_revision' is required")
    );
    assert!(
        b.err(json!({"action": "import", "document": edited, "expected_revision": 1}))
            .starts_with("conflict/revision_conflict")
    );
    let new = b.ok(json!({"action": "import", "document": edited, "expected_revision": 2}));
    assert_eq!((&new["sections"][0]["title"], &new["revision"]), (&json!("Edited"), &json!(3)));
    b.undo();
    assert_eq!(b.ok(json!({"action": "get", "id": id}))["sections"][0]["title"], "Main");
    assert!(
        b.err(json!({"action": "import", "document": "x"}))
            .starts_with("io_error/io_error: pack file in 'document' is malformed")
    );
    assert!(b.err(json!({"action": "import", "document": document.replace("key: main", "key: M"), "expected_revision": 4})).contains("'section_key' must match"));
    b.engine.clock.advance(7200);
    assert!(b.err(json!({"action": "import", "document": document})).contains("send 'ttl_minutes'"));
    assert_eq!(b.ok(json!({"action": "import", "document": document, "ttl_minutes": 1}))["name"], "portable");
}

#[test]
fn plan_mode_shows_the_change_and_makes_none() {
    let b = Bench::new();
    let id = b.create("planned");
    let plan = b.engine.ok(
        &b.session,
        "input",
        json!({"action": "set_meta", "id": id, "expected_revision": 1, "title": "New", "mode": "plan"}),
    );
    assert_eq!(plan["payload"]["title"], "New");
    assert_eq!(b.ok(json!({"action": "get", "id": id}))["title"], Value::Null);
    let e = b.engine.err(
        &b.session,
        "input",
        json!({"action": "set_meta", "id": id, "expected_revision": 1, "title": "New", "mode": "ask"}),
    );
    assert_eq!((&e["kind"], &e["code"]), (&json!("invalid_state"), &json!("mode_denied")));
    assert!(e["message"].as_str().unwrap().contains(&format!("would change the context pack {id}")));
    assert_eq!(
        b.engine.ok(&b.session, "input", json!({"action": "get", "id": id, "mode": "ask"}))["payload"]["id"],
        json!(id)
    );
}

#[test]
fn spaces_follow_the_declared_root_and_not_the_workspace() {
    let b = Bench::new();
    b.create("in workspace");
    let open = |id: &str, root: &str, cwd: &str| {
        let mut info = crate::common::engine::session_info(id, "/w");
        info.cwd = cwd.into();
        info.env.insert("CONTEXT_PACK_ROOT".into(), root.into());
        b.engine.open(info)
    };
    let total = |s: &Arc<Session>| b.engine.ok(s, "input", json!({}))["payload"]["total"].clone();
    let one = open("s2", "/nowhere/packs-root", "/w");
    assert_eq!(total(&one), 0);
    let two = open("s3", "./packs-root/", "/nowhere");
    assert_eq!(total(&two), 0);
    assert_eq!(total(&b.session), 1);
}
