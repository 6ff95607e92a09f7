//! Mistakes with context packs.

use serde_json::json;

use super::super::rig::Agent;
use super::{Mistake, odd, other, plan, recover, with, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    let source: String = (0..5).map(|n| format!("fn item_{n}() {{\n    go({n});\n}}\n")).collect();
    std::fs::create_dir(place.work().join("src")).unwrap();
    std::fs::write(place.work().join("src/m.rs"), source).unwrap();
    let mut agent = Agent::new(&place, &[]);
    let refs = json!([{"key": "first", "path": "src/m.rs", "lines": "1-3"}]);
    let sections = json!([{"key": "main", "title": "Main", "refs": refs}]);
    agent.ok("input", json!({"action": "write", "name": "flow", "title": "Flow", "sections": sections}));
    let count = recover(&mut agent, reading());
    count + recover(&mut agent, writing())
}

fn reading() -> Vec<Mistake> {
    let flow = json!({"name": "flow"});
    vec![
        wrong("output", json!({"pack": "flw"}), &["Did you mean 'flow'"], flow.clone()),
        wrong("output", json!({"id": "pk_aaaaaaaa"}), &["'flow'"], flow.clone()),
        odd("output", json!({"nme": "flow"}), &["'nme'", "Did you mean 'name'?"], flow.clone()),
        odd("output", json!({"name": "flow", "offset": "x"}), &["'offset' must be an integer"], flow.clone()),
        wrong("output", json!({"name": "flow", "format": "json"}), &["always markdown"], flow.clone()),
        wrong(
            "output",
            json!({"name": "flow", "status": "final"}),
            &["'draft' or 'finalized'"],
            json!({"name": "flow", "status": "draft"}),
        ),
        wrong("output", json!({"action": "show", "name": "flow"}), &["list or get"], flow.clone()),
        wrong(
            "input",
            json!({"action": "get", "name": "flo"}),
            &["'flow'"],
            json!({"action": "get", "name": "flow"}),
        ),
        wrong(
            "input",
            json!({"action": "get"}),
            &["id or name required"],
            json!({"action": "get", "name": "flow"}),
        ),
        wrong(
            "input",
            json!({"action": "list", "status": "open"}),
            &["'draft' or 'finalized'"],
            json!({"action": "list", "status": "draft"}),
        ),
        odd("input", json!({"actn": "list"}), &["'actn'", "action"], json!({"action": "list"})),
    ]
}

fn writing() -> Vec<Mistake> {
    let create = json!({"action": "create", "name": "other", "ttl_minutes": 5, "mode": "plan"});
    let sections = json!([{"key": "one", "refs": [{"key": "two", "path": "src/m.rs", "symbol": "item_1"}]}]);
    let write = json!({"action": "write", "name": "other", "sections": sections, "mode": "plan"});
    let put = json!({"action": "upsert_ref", "name": "flow", "expected_revision": 1, "section_key": "main",
        "ref_key": "new", "path": "src/m.rs", "line_start": 1, "line_end": 2, "mode": "plan"});
    let lineless = json!({"action": "upsert_ref", "name": "flow", "expected_revision": 1, "section_key": "main",
        "ref_key": "new", "path": "src/m.rs", "mode": "plan"});
    let on_flow = |more| plan(&with(&json!({"name": "flow", "expected_revision": 1}), more));
    vec![
        wrong(
            "input",
            with(&create, json!({"action": "creat"})),
            &["Did you mean 'create'?"],
            create.clone(),
        ),
        wrong(
            "input",
            json!({"action": "create", "name": "other"}),
            &["'ttl_minutes' is required"],
            create.clone(),
        ),
        other(
            "input",
            with(&create, json!({"name": "flow"})),
            &["already exists", "\\\"action\\\":\\\"get\\\""],
            "input",
            json!({"action": "get", "name": "flow"}),
        ),
        odd(
            "input",
            with(&create, json!({"sections": sections})),
            &["'sections' belongs to action write"],
            write.clone(),
        ),
        wrong(
            "input",
            json!({"action": "upsert_ref", "name": "flow", "expected_revision": 1, "key": "new", "file": "src/m.rs"}),
            &["'section_key' is required", "ref_key", "path", "line_start", "line_end", "'file'"],
            put.clone(),
        ),
        wrong("input", with(&put, json!({"expected_revision": "1"})), &["must be an integer"], put.clone()),
        wrong("input", with(&put, json!({"expected_revision": 9})), &["expected_revision 1"], put.clone()),
        wrong(
            "input",
            with(&put, json!({"expected_revision": null})),
            &["'expected_revision' is required", "is in revision 1"],
            put.clone(),
        ),
        wrong("input", with(&put, json!({"section_key": "mian"})), &["Its sections: main"], put.clone()),
        wrong("input", with(&put, json!({"path": "../m.rs"})), &["must not contain '..'"], put.clone()),
        odd("input", with(&put, json!({"path": "src/no.rs"})), &["does not exist"], put.clone()),
        odd("input", with(&put, json!({"line_end": 900})), &["The ref is stored, but"], put.clone()),
        wrong(
            "input",
            with(&lineless, json!({"symbol": "itm_1"})),
            &["fn item_1"],
            with(&lineless, json!({"symbol": "item_1"})),
        ),
        wrong(
            "input",
            with(&lineless, json!({"match": "go("})),
            &["more than once", "more of the text"],
            with(&lineless, json!({"match": "go(1)"})),
        ),
        wrong(
            "input",
            on_flow(json!({"action": "upsert_section", "section_key": "two", "title": "B"})),
            &["use 'section_title'"],
            on_flow(json!({"action": "upsert_section", "section_key": "two", "section_title": "B"})),
        ),
        wrong(
            "input",
            on_flow(json!({"action": "delete_section", "section_key": "two"})),
            &["Its sections: main"],
            on_flow(json!({"action": "delete_section", "section_key": "main"})),
        ),
        wrong(
            "input",
            on_flow(json!({"action": "delete_ref", "section_key": "main", "ref_key": "two"})),
            &["Its refs: first"],
            on_flow(json!({"action": "delete_ref", "section_key": "main", "ref_key": "first"})),
        ),
        wrong(
            "input",
            on_flow(json!({"action": "set_status", "status": "done"})),
            &["'draft' or 'finalized'"],
            on_flow(json!({"action": "set_status", "status": "finalized"})),
        ),
        wrong(
            "input",
            on_flow(json!({"action": "touch_ttl"})),
            &["'ttl_minutes' or 'extend_minutes'"],
            on_flow(json!({"action": "touch_ttl", "extend_minutes": 5})),
        ),
        wrong(
            "input",
            with(&write, json!({"sections": [{"title": "A", "refs": [{"path": "src/m.rs"}]}]})),
            &["sections[0].key", "sections[0].refs[0].key", "'lines', 'symbol' or 'match'"],
            write.clone(),
        ),
        wrong(
            "input",
            with(&write, json!({"name": "flow"})),
            &["'expected_revision' is required", "revision 1"],
            with(&write, json!({"name": "flow", "expected_revision": 1})),
        ),
    ]
}
