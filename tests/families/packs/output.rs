//! Packs as Markdown: byte-exact documents, pages that lose nothing, resources.

use serde_json::{Value, json};

use super::sources::Sources;

#[test]
fn the_document_is_exact_to_the_byte() {
    let b = Sources::new();
    b.file("auth.rs", "fn login() {\r\n    let t = \"ok\";\r\n}\r\nlast");
    b.file("long.rs", (1..=10_001).map(|i| format!("line {i}\n")).collect::<String>());
    b.file("Makefile", "all:\n");
    let p = b.ok(json!({"action": "create", "name": "render-pack", "title": "Render", "brief": "multi\nline brief", "tags": ["t1", "t2"], "ttl_minutes": 1500}));
    let id = p["id"].as_str().unwrap();
    let mut rev = 0;
    let mut put = |args: Value| {
        let mut args = args;
        rev += 1;
        args["id"] = json!(id);
        args["expected_revision"] = json!(rev);
        b.ok(args);
    };
    put(
        json!({"action": "upsert_section", "section_key": "main", "section_title": "Main # [x]", "section_description": "Desc **md**"}),
    );
    put(json!({"action": "upsert_section", "section_key": "empty", "section_title": "Empty"}));
    let mut r = |key: &str, path: &str, start: u64, end: u64, extra: Value| {
        let mut args = json!({"action": "upsert_ref", "section_key": "main", "ref_key": key, "path": path, "line_start": start, "line_end": end});
        for (k, v) in extra.as_object().unwrap() {
            args[k] = v.clone();
        }
        put(args);
    };
    r("loose", "Makefile", 1, 1, json!({}));
    r("core-1", "auth.rs", 1, 3, json!({"ref_title": "Core *one*", "ref_why": "why text", "group": "core"}));
    r("core-2", "long.rs", 9998, 10001, json!({"group": "core"}));
    r("past", "auth.rs", 9, 9, json!({"group": "Zed"}));
    put(
        json!({"action": "upsert_diagram", "section_key": "main", "diagram_key": "d1", "title": "Diag 1", "mermaid": "graph LR\nX-->Y", "diagram_why": "because"}),
    );
    put(
        json!({"action": "upsert_diagram", "section_key": "main", "diagram_key": "d2", "title": "Diag 2", "mermaid": "graph TD"}),
    );
    let wanted = format!(
        "[LEGEND]\n# Context pack: Render\n\n- id: {id}\n- name: render-pack\n- status: draft\n- revision: 9\n\
         - expires_at: 2026-01-03T04:04:05+00:00\n- ttl_remaining: 1d\n- tags: t1, t2\n- brief: multi\nline brief\n- refs: 3 ok, 1 lost\n\n\
         [CONTENT]\n\n## Main # [x] [main]\n\nDesc **md**\n\n### group: Zed\n\n#### past [main]\n- path: auth.rs\n\
         - lines: 9-9\n\n> stale ref: file 'auth.rs' has 4 lines but ref starts at 9\n> verdict: lost\n\n### group: core\n\n\
         #### core-1 [main]\n**Core *one***\n\n- path: auth.rs\n- lines: 1-3\n- why: why text\n\n```rust\n   1: fn login() {{\n\
         \x20  2:     let t = \"ok\";\n   3: }}\n```\n\n#### core-2 [main]\n- path: long.rs\n- lines: 9998-10001\n\n```rust\n\
         9998: line 9998\n9999: line 9999\n10000: line 10000\n10001: line 10001\n```\n\n### group: ungrouped\n\n\
         #### loose [main]\n- path: Makefile\n- lines: 1-1\n\n```\n   1: all:\n```\n\n### Diagrams\n\n#### Diag 1\n_because_\n\n\
         ```mermaid\ngraph LR\nX-->Y\n```\n\n#### Diag 2\n```mermaid\ngraph TD\n```\n\n## Empty [empty]\n"
    );
    assert_eq!(b.render(json!({"id": id})), wanted);
    // The same text as a resource.
    let uri = format!("pack://{id}");
    let read = b.engine.block_on(b.engine.engine.read_resource(&b.session, &uri)).unwrap();
    assert_eq!(read.text, wanted);
}

#[test]
fn a_bare_pack_ends_after_its_heading_and_lists_are_lines() {
    let b = Sources::new();
    assert_eq!(b.render(json!({})), "No context packs found.");
    let id = b.ok(json!({"action": "create", "ttl_minutes": 5}))["id"].as_str().unwrap().to_string();
    let text = b.render(json!({"id": id}));
    assert!(text.starts_with("[LEGEND]\n# Context pack: Untitled\n\n- id: pk_"), "{text}");
    assert!(text.ends_with("- ttl_remaining: 5m\n\n[CONTENT]\n"), "{text}");
    b.engine.clock.advance(1);
    assert_eq!(
        b.render(json!({})),
        format!("# Context packs\n\n- `{id}` — Untitled (revision `1`, ttl `4m`)\n")
    );
    assert_eq!(b.render(json!({"status": "finalized"})), "No context packs found.");
}

#[test]
fn output_picks_its_action_as_the_contract_says() {
    let b = Sources::new();
    b.ok(json!({"action": "create", "name": "doc", "ttl_minutes": 5}));
    for format in [json!(null), json!("json"), json!("markdown")] {
        let e = b.err("output", json!({"format": format, "action": "nope"}));
        assert!(e.starts_with("invalid_data: ") && e.contains("always markdown"), "{e}");
    }
    assert!(b.err("output", json!({"action": "render"})).contains("unknown output action 'render'"));
    assert!(b.err("output", json!({"id": " "})).ends_with("id or name required"));
    assert!(b.render(json!({"id": 5, "name": "doc"})).starts_with("# Context packs\n"));
    assert!(b.render(json!({"action": "get", "id": 5, "name": "doc"})).starts_with("[LEGEND]"));
    assert!(b.render(json!({"action": 7, "name": "doc"})).starts_with("[LEGEND]"));
    let e = b.err("output", json!({"name": "doc", "status": "FINALIZED"}));
    assert!(e.starts_with("invalid_state: ") && e.contains("'draft'") && e.contains("'finalized'"), "{e}");
    assert!(b.render(json!({"name": "doc", "status": "draft"})).starts_with("[LEGEND]"));
    assert!(b.err("output", json!({"name": "gone"})).starts_with("not_found: not found: "));
}

#[test]
fn pages_of_refs_lose_nothing_and_say_what_is_left() {
    let b = Sources::new();
    b.file("a.txt", "1\n2\n3\n4\n5\n");
    b.ok(json!({"action": "create", "name": "doc", "ttl_minutes": 60}));
    let mut rev = 0;
    let mut put = |mut args: Value| {
        rev += 1;
        args["name"] = json!("doc");
        args["expected_revision"] = json!(rev);
        b.ok(args);
    };
    for key in ["s1", "s2", "s3"] {
        put(
            json!({"action": "upsert_section", "section_key": key, "section_title": key, "section_description": format!("about {key}")}),
        );
    }
    for (section, key, line) in [("s1", "k1", 1), ("s1", "k2", 2), ("s1", "k3", 3), ("s3", "k4", 4)] {
        put(
            json!({"action": "upsert_ref", "section_key": section, "ref_key": key, "path": "a.txt", "line_start": line, "line_end": line}),
        );
    }
    put(
        json!({"action": "upsert_diagram", "section_key": "s1", "diagram_key": "dd", "title": "Picture", "mermaid": "graph"}),
    );
    let page = |offset: usize, limit: usize| {
        let text = b.render(json!({"name": "doc", "offset": offset, "limit": limit}));
        text.split_once("[CONTENT]\n").unwrap().1.to_string()
    };
    let id = b.ok(json!({"action": "get", "name": "doc"}))["id"].as_str().unwrap().to_string();
    assert_eq!(
        page(0, 2).replace(&id, "ID"),
        "\n## s1 [s1]\n\nabout s1\n\n### group: ungrouped\n\n#### k1 [s1]\n- path: a.txt\n- lines: 1-1\n\n```\n   1: 1\n```\n\n\
         #### k2 [s1]\n- path: a.txt\n- lines: 2-2\n\n```\n   2: 2\n```\n\n> page: refs 1-2 of 4; 2 left, continue with offset 2: output {\"id\":\"ID\",\"offset\":2}\n"
    );
    assert_eq!(
        page(2, 2),
        "\n## s1 [s1]\n\n### group: ungrouped\n\n#### k3 [s1]\n- path: a.txt\n- lines: 3-3\n\n```\n   3: 3\n```\n\n### Diagrams\n\n\
         #### Picture\n```mermaid\ngraph\n```\n\n## s2 [s2]\n\nabout s2\n\n## s3 [s3]\n\nabout s3\n\n### group: ungrouped\n\n\
         #### k4 [s3]\n- path: a.txt\n- lines: 4-4\n\n```\n   4: 4\n```\n\n> page: refs 3-4 of 4; nothing left\n"
    );
    assert!(page(9, 5).ends_with("\n> page: no ref of 4; nothing left\n"));
    assert!(!page(0, 4).contains("> page:"), "everything shown: the document as it always was");
    let pack = b.ok(json!({"action": "get", "name": "doc"}));
    let uri = format!("pack://{}?offset=3&limit=1", pack["id"].as_str().unwrap());
    let read = b.engine.block_on(b.engine.engine.read_resource(&b.session, &uri)).unwrap();
    assert!(read.text.ends_with("> page: refs 4-4 of 4; nothing left\n"));
}

#[test]
fn a_document_over_the_limit_pages_by_itself_until_all_of_it_was_read() {
    let b = Sources::new();
    b.file("wide.txt", format!("{}\n", "w".repeat(1000)).repeat(400));
    let refs: Vec<(String, &str, u64, u64)> = (0..6).map(|i| (format!("k{i}"), "wide.txt", 1, 400)).collect();
    let refs: Vec<_> = refs.iter().map(|(k, p, s, e)| (k.as_str(), *p, *s, *e)).collect();
    b.pack(&refs);
    let (mut offset, mut seen) = (0, Vec::new());
    loop {
        let text = b.render(json!({"name": "doc", "offset": offset}));
        assert!(text.len() <= 1 << 20, "{} bytes", text.len());
        let keys = text
            .lines()
            .filter_map(|l| l.strip_prefix("#### "))
            .map(|l| l.split(' ').next().unwrap().to_string());
        seen.extend(keys);
        match text.rsplit_once("continue with offset ") {
            Some((_, next)) => offset = next.split(':').next().unwrap().parse().unwrap(),
            None => break,
        }
    }
    assert_eq!(seen, ["k0", "k1", "k2", "k3", "k4", "k5"]);
}

#[test]
fn what_can_never_fit_is_said() {
    let b = Sources::new();
    b.file("wide.txt", format!("{}\n", "w".repeat(1_000_000)));
    b.pack(&[("k1", "wide.txt", 1, 1)]);
    assert!(b.stale()[0].contains("too many for one reply"), "{:?}", b.stale());
    b.ok(json!({"action": "upsert_section", "name": "doc", "expected_revision": 3, "section_key": "long", "section_title": "L", "section_description": "ä".repeat(600_000)}));
    let text = b.render(json!({"name": "doc"}));
    assert!(text.len() <= 1 << 20 && text.contains("> cut: "), "{}", text.len());
}

#[test]
fn packs_are_resources_with_pages_completion_and_prompts() {
    let b = Sources::new();
    let mut uris = Vec::new();
    for i in 0..5 {
        let p =
            b.ok(json!({"action": "create", "name": format!("pack-{i}"), "title": "T", "ttl_minutes": 60}));
        uris.insert(0, format!("pack://{}", p["id"].as_str().unwrap()));
        b.engine.clock.advance(1);
    }
    let (mut cursor, mut seen) = (None, Vec::new());
    loop {
        let page = b.engine.engine.resource_page(&b.session, "packs", cursor.as_deref(), 2);
        let (page, next) = b.engine.block_on(page).unwrap();
        assert!(page.len() <= 2 && page.iter().all(|r| r.mime == "text/markdown"));
        seen.extend(page.into_iter().map(|r| r.uri));
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, uris);
    let complete = |reference: &str, argument: &str, typed: &str| {
        b.engine.block_on(b.engine.engine.complete(&b.session, reference, argument, typed)).unwrap()
    };
    assert_eq!(complete("use_pack", "name", "pack-3"), ["pack-3"]);
    assert_eq!(complete("pack://{id}{?offset,limit}", "id", "pk_").len(), 5);
    assert!(complete("something_else", "name", "").is_empty());
    let args = json!({"name": "pack-3"}).as_object().unwrap().clone();
    let text = b.engine.block_on(b.engine.engine.prompt(&b.session, "use_pack", &args)).unwrap();
    assert!(text.contains("'pack-3'"));
    for uri in ["pack://pk_aaaaaaaa", "pack://../etc", "pack://"] {
        assert!(b.engine.block_on(b.engine.engine.read_resource(&b.session, uri)).is_err(), "{uri}");
    }
}
