//! What a call of packs costs its reader, and what it says about arguments that are odd.

use packd::core::Reply;
use serde_json::{Value, json};

use super::sources::Sources;

/// The bytes of a reply: its text, and the structured part unless the text is that same JSON.
fn bytes(reply: &Reply) -> usize {
    let structured = reply.structured.as_ref().map(Value::to_string).unwrap_or_default();
    reply.text.len() + if structured == reply.text { 0 } else { structured.len() }
}

/// A pack of twenty refs in four sections, all in place.
fn twenty() -> Sources {
    let b = Sources::new();
    for file in 0..4 {
        let lines: String = (0..40).map(|n| format!("let value_{file}_{n} = compute({n});\n")).collect();
        b.file(&format!("src/m{file}.rs"), lines);
    }
    let refs = |file: usize| -> Value {
        (0..5)
            .map(|n| {
                json!({"key": format!("ref-{n}"), "path": format!("src/m{file}.rs"), "title": "What it does",
                    "lines": format!("{}-{}", n * 6 + 1, n * 6 + 5), "why": "Where the value comes from, who asks for it, and what happens to it when nobody needs it any more"})
            })
            .collect()
    };
    let sections: Value = (0..4).map(|s| json!({"key": format!("part-{s}"), "refs": refs(s)})).collect();
    let made = call(&b, "input", json!({"action": "write", "name": "doc", "sections": sections}));
    assert!(!made.is_error && bytes(&made) <= 1024, "{}", made.text);
    b
}

fn call(b: &Sources, tool: &str, args: Value) -> Reply {
    b.engine.call(&b.session, tool, args)
}

fn upsert(revision: u64, more: &Value) -> Value {
    let mut args = json!({"action": "upsert_ref", "name": "doc", "expected_revision": revision, "section_key": "part-0",
        "ref_key": "ref-0", "path": "src/m0.rs", "line_start": 2, "line_end": 4, "ref_why": "Where it is made"});
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    args
}

#[test]
fn a_write_into_a_long_pack_answers_with_what_changed() {
    let b = twenty();
    let reply = call(&b, "input", upsert(1, &json!({})));
    assert!(bytes(&reply) <= 1024, "{} bytes: {}", bytes(&reply), reply.text);
    let said = reply.structured.unwrap();
    let payload = &said["payload"];
    assert_eq!(
        (&payload["name"], &payload["revision"], &payload["status"]),
        (&json!("doc"), &json!(2), &json!("draft"))
    );
    let changed = payload["changed"].as_array().unwrap();
    assert!(
        changed.iter().all(|c| c["field"].as_str().unwrap().starts_with("sections[part-0].refs[ref-0]")),
        "{changed:?}"
    );
    let next = &payload["next"];
    assert!(!call(&b, next["tool"].as_str().unwrap(), next["arguments"].clone()).is_error);
    let whole = call(&b, "input", upsert(2, &json!({"full": true}))).structured.unwrap();
    assert_eq!(whole["payload"]["sections"].as_array().unwrap().len(), 4);
    let short =
        call(&b, "input", json!({"action": "create", "name": "small", "ttl_minutes": 5})).structured.unwrap();
    assert_eq!(short["payload"]["sections"], json!([]), "a short pack is answered whole");
}

#[test]
fn nothing_is_longer_than_sixteen_kilobytes_unless_it_was_asked_for() {
    let b = twenty();
    b.file("src/long.rs", (0..900).map(|n| format!("let long_{n} = compute({n});\n")).collect::<String>());
    let refs: Value = (0..9)
        .map(|n| {
            json!({"key": format!("long-{n}"), "path": "src/long.rs",
        "lines": format!("{}-{}", n * 100 + 1, n * 100 + 100)})
        })
        .collect();
    call(&b, "input", json!({"action": "write", "name": "long", "sections": [{"key": "all", "refs": refs}]}));
    let read = |offset: usize| call(&b, "output", json!({"name": "long", "offset": offset}));
    let (mut offset, mut seen) = (0, 0);
    loop {
        let page = read(offset);
        assert!(bytes(&page) <= 16 * 1024, "{} bytes", bytes(&page));
        seen += page.text.matches("\n#### ").count();
        let Some((_, next)) = page.text.rsplit_once("continue with offset ") else { break };
        offset = next.split(':').next().unwrap().parse().unwrap();
    }
    assert_eq!(seen, 9);
    assert!(call(&b, "output", json!({"name": "long", "limit": 9})).text.len() > 16 * 1024, "asked for");
    // With code that moved, both parts of the reply say so, and still fit.
    b.file(
        "src/long.rs",
        (0..905).map(|n| format!("let long_{} = compute({});\n", n - 5, n - 5)).collect::<String>(),
    );
    let moved = read(0);
    assert!(moved.structured.is_some() && bytes(&moved) <= 16 * 1024, "{} bytes", bytes(&moved));
    for n in 0..100 {
        call(&b, "input", json!({"action": "create", "name": format!("pack-{n}"), "ttl_minutes": 5}));
    }
    let list = call(&b, "input", json!({}));
    assert!(bytes(&list) <= 16 * 1024, "{} bytes", bytes(&list));
    let payload = &list.structured.unwrap()["payload"];
    assert_eq!(payload["next_offset"], payload["count"]);
    assert!(bytes(&call(&b, "output", json!({}))) <= 16 * 1024);
}

#[test]
fn fields_that_nobody_knows_are_told_with_the_nearest_name() {
    let b = twenty();
    let reply = call(&b, "input", upsert(1, &json!({"ref_tittle": "x"})));
    let said = reply.structured.clone().unwrap();
    let warning = said["warnings"][0].as_str().unwrap();
    assert!(warning.contains("ref_tittle") && warning.contains("'ref_title'"), "{warning}");
    assert_eq!(reply.text, said.to_string());
    let read = call(&b, "output", json!({"name": "doc", "ofset": 3}));
    assert!(read.text.contains("\n> warning: ") && read.text.contains("'offset'"), "{}", read.text);
    let wrong = call(
        &b,
        "input",
        json!({"action": "upsert_ref", "name": "doc", "expected_revision": "2", "file": "a.rs"}),
    );
    for said in ["must be an integer", "section_key", "ref_key", "path", "line_start", "'file'"] {
        assert!(wrong.text.contains(said), "{said}: {}", wrong.text);
    }
    let ops = json!({"action": "write", "name": "doc", "expected_revision": 2, "ops": [{"action": "set_meta", "briefs": "x"}]});
    assert!(call(&b, "input", ops).text.contains("Did you mean 'brief'?"));
}

#[test]
fn a_pack_that_is_not_there_names_those_that_are() {
    let b = twenty();
    for (tool, args) in
        [("output", json!({"name": "dok"})), ("input", json!({"action": "get", "name": "dok"}))]
    {
        let error = b.engine.err(&b.session, tool, args);
        assert!(error["hint"].as_str().unwrap().starts_with("Did you mean 'doc' (pk_"), "{error}");
    }
    let error = b.engine.err(&b.session, "output", json!({"id": "pk_aaaaaaaa"}));
    assert!(error["hint"].as_str().unwrap().contains("'doc'"), "{error}");
    assert!(b.render(json!({"pack": "doc"})).starts_with("[LEGEND]"), "the word of our own replies is taken");
}

#[test]
fn a_preview_says_so_in_its_text() {
    let b = twenty();
    let reply = call(&b, "input", upsert(1, &json!({"mode": "plan"})));
    assert!(reply.text.starts_with("{\"_preview\":"), "{}", reply.text);
    assert_eq!(reply.text, reply.structured.unwrap().to_string());
    assert_eq!(b.ok(json!({"action": "get", "name": "doc"}))["revision"], 1);
}

#[test]
fn a_list_shows_the_names() {
    let b = twenty();
    call(&b, "input", json!({"action": "create", "name": "login-flow", "title": "Login", "ttl_minutes": 5}));
    let list = b.render(json!({}));
    assert!(list.contains("— Login (revision `1`, ttl `5m`) name `login-flow`\n"), "{list}");
}
