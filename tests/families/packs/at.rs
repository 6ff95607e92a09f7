//! Who speaks of a file? Packs by the files that their refs point into.

use serde_json::{Value, json};

use super::rig::Rig;
use crate::common::host::{Host, write};
use crate::common::real::Place;

fn names(reply: &Value) -> Vec<&str> {
    reply["packs"].as_array().unwrap().iter().map(|pack| pack["name"].as_str().unwrap()).collect()
}

fn pack(host: &mut Host, name: &str, refs: Value) -> Value {
    let sections = json!([{"key": "main", "title": "Main", "refs": refs}]);
    host.ok("input", json!({"action": "write", "name": name, "title": "A title", "sections": sections}))
}

#[test]
fn a_file_or_a_line_of_it_leads_to_its_packs_through_real_programs() {
    let place = Place::new();
    let source: String = (1..=30).map(|n| format!("fn item_{n}() {{}}\n")).collect();
    write(&place.work().join("src/auth.rs"), &source);
    write(&place.work().join("src/auth/rs.rs"), &source);
    let mut host = Host::new(&place);
    let why = "Where the token is read";
    pack(&mut host, "login", json!([{"key": "read", "path": "src/auth.rs", "lines": "1-10", "why": why}]));
    pack(&mut host, "logout", json!([{"key": "drop", "path": "src/auth.rs", "lines": "20-30"}]));
    // The same words in another order are another file.
    pack(&mut host, "other", json!([{"key": "it", "path": "src/auth/rs.rs", "lines": "1-2"}]));
    let found = host.ok("packs_at", json!({"path": "src/auth.rs"}));
    assert_eq!(names(&found), ["logout", "login"], "newest first: {found}");
    assert_eq!(
        found["packs"][1]["refs"],
        json!([{"section": "main", "key": "read", "lines": "1-10", "why": why}])
    );
    // Its next call opens the first.
    let next = found["next"].clone();
    let (text, _, failed) = host.call(next["tool"].as_str().unwrap(), next["arguments"].clone());
    assert!(!failed && text.contains("item_20"), "{text}");
    assert_eq!(names(&host.ok("packs_at", json!({"path": "src/auth.rs", "line": 10}))), ["login"]);
    assert_eq!(names(&host.ok("packs_at", json!({"path": "src/auth.rs", "line": 11}))), Vec::<&str>::new());
    // Agents know files by their whole paths, too.
    let whole = place.work().canonicalize().unwrap().join("src/auth.rs");
    assert_eq!(names(&host.ok("packs_at", json!({"path": whole}))).len(), 2);
    assert_eq!(names(&host.ok("packs_at", json!({"path": "./src/auth.rs"}))).len(), 2);
    // A ref that went is not there any more, and undo brings it back.
    host.ok("input", json!({"action": "delete", "name": "logout", "expected_revision": 1}));
    assert_eq!(names(&host.ok("packs_at", json!({"path": "src/auth.rs"}))), ["login"]);
    host.ok("history_undo", json!({}));
    assert_eq!(names(&host.ok("packs_at", json!({"path": "src/auth.rs"}))).len(), 2);
}

#[test]
fn what_cannot_be_a_file_of_the_project_is_refused() {
    let rig = Rig::new();
    let refused = |args: Value| rig.engine.err(&rig.session, "packs_at", args).to_string();
    assert!(refused(json!({"path": "../secret"})).contains("'..'"));
    assert!(refused(json!({"path": "/etc/passwd"})).contains("relative to the source root"));
    assert!(refused(json!({"path": "/"})).contains("relative to the source root"));
    assert!(refused(json!({"path": ""})).contains("names no file"));
    assert!(refused(json!({})).contains("'path'"));
    assert!(refused(json!({"path": "a.rs", "line": 0})).contains("'line'"));
    assert!(refused(json!({"path": "a.rs", "lin": 3})).contains("Did you mean 'line'?"));
}

/// A store full of packs about one file is told in parts that fit.
#[test]
fn many_packs_and_refs_stay_small() {
    let rig = Rig::new();
    let why = "because ".repeat(100);
    for n in 0..25 {
        let document = document(n, &why);
        rig.ok(json!({"action": "import", "document": document, "ttl_minutes": 60}));
    }
    let found = rig.engine.ok(&rig.session, "packs_at", json!({"path": "src/big.rs"}));
    assert_eq!(found["packs"].as_array().unwrap().len(), 10);
    assert_eq!(found["more"], true);
    assert_eq!(found["packs"][0]["refs_left"], 7);
    assert!(found.to_string().len() < 16 * 1024, "{}", found.to_string().len());
}

fn document(n: u8, why: &str) -> String {
    let id = char::from(b'a' + n);
    let refs: String = (0..12)
        .map(|r| format!("  - key: ref-{r}\n    path: src/big.rs\n    lines:\n      start: 1\n      end: 2\n    why: \"{why}\"\n"))
        .collect();
    format!(
        "---\nschema_version: 2\nid: pk_{id}2345672\nname: big-{n:02}\nstatus: draft\ntags: []\nsections:\n- key: main\n  title: Main\n  refs:\n{refs}  diagrams: []\nrevision: 1\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nexpires_at: 2026-01-01T01:00:00Z\n---\n"
    )
}
