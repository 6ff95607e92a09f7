//! Context packs over time: lists and pages, expiry and purge, deletion, undo, export and import, modes.

use serde_json::{Value, json};

use super::rig::Rig;

#[test]
fn lists_are_newest_first_filtered_then_paged_and_say_the_total() {
    let b = Rig::new();
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
    let b = Rig::new();
    let title = "x".repeat(300_000);
    for _ in 0..5 {
        b.ok(json!({"action": "create", "title": title, "ttl_minutes": 5}));
        b.engine.clock.advance(1);
    }
    let page = b.ok(json!({"limit": 100}));
    assert_eq!((&page["count"], &page["total"], &page["next_offset"]), (&json!(3), &json!(5), &json!(3)));
    assert_eq!(b.ok(json!({"offset": 3, "limit": 100}))["count"], 2);
    let text = b.engine.call(&b.session, "output", json!({"limit": 100})).text;
    let end = "\n> page: 2 left, continue with offset 3: output {\"offset\":3}\n";
    assert!(text.len() < 1 << 20 && text.ends_with(end));
}

#[test]
fn time_to_live_is_set_extended_and_shown_in_words() {
    let b = Rig::new();
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
    let b = Rig::new();
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
    let b = Rig::new();
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
    let b = Rig::new();
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
    let b = Rig::new();
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
    let b = Rig::new();
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
    let b = Rig::new();
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
