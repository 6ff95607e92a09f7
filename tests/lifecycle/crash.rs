//! `kill -9` of the real daemon with real writes: what a session keeps, and "did my write happen?".

use std::io::Write;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{Place, Process, gone, kill, until};

/// Calls a tool and gives back its result, passing over the notices that come meanwhile.
fn call(shim: &mut Process, id: u64, tool: &str, arguments: Value) -> Value {
    let mut reply = shim.ask(json!(id), "tools/call", json!({"name": tool, "arguments": arguments}));
    while reply["id"].is_null() && reply["method"].is_string() {
        reply = shim.reply();
    }
    assert_eq!(reply["id"], json!(id), "{reply}");
    reply["result"].clone()
}

fn create(id: Value, name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
        {"name": "input", "arguments": {"action": "create", "ttl_minutes": 60, "name": name}}})
}

#[test]
fn a_session_keeps_its_mode_and_its_packs() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.initialize();
    let made = call(&mut shim, 1, "input", json!({"action": "create", "ttl_minutes": 60, "name": "kept"}));
    assert_eq!(made["structuredContent"]["payload"]["name"], json!("kept"), "{made}");
    let set = call(&mut shim, 2, "amof_set_mode", json!({"mode": "plan"}));
    assert_eq!(set["structuredContent"]["mode"], json!("plan"), "{set}");
    let session = set["structuredContent"]["session_id"].clone();
    place.kill_daemon();
    let info = call(&mut shim, 3, "amof_scope_info", json!({}));
    assert_eq!(info["structuredContent"]["_context"]["mode"], json!("plan"), "{info}");
    assert_eq!(info["structuredContent"]["session_id"], session);
    let got = call(&mut shim, 4, "input", json!({"action": "get", "name": "kept"}));
    assert_eq!(got["structuredContent"]["payload"]["revision"], json!(1), "{got}");
}

#[test]
fn a_write_that_never_reached_the_store_is_known_not_to_have_happened() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.initialize();
    shim.ping(1);
    let pid = place.daemon_pid().unwrap();
    kill(pid, Signal::STOP);
    shim.send(&create(json!("w"), "lost"));
    // The shim answers this one itself, and only after it handed on what came before.
    shim.write(b"?\n");
    assert_eq!(shim.reply()["error"]["code"], json!(-32700));
    kill(pid, Signal::KILL);
    let reply = shim.reply();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!("w"), &json!(1001)), "{reply}");
    let key = reply["error"]["data"]["request_key"].clone();
    gone(pid);
    let shown = call(&mut shim, 2, "history_show", json!({"request_key": key}));
    assert_eq!(shown["structuredContent"]["details"]["happened"], json!(false), "{shown}");
    let made = call(&mut shim, 3, "input", json!({"action": "create", "ttl_minutes": 60, "name": "lost"}));
    assert_ne!(made["isError"], json!(true), "{made}");
}

#[test]
fn a_write_whose_reply_was_lost_is_known_to_have_happened() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.initialize();
    shim.ping(1);
    // A client that never reads its reply.
    let link = place.session();
    (&link.stream).write_all(format!("{}\n", create(json!(77), "written")).as_bytes()).unwrap();
    let key = format!("{}:77", link.welcome.session);
    let mut id = 1;
    let mut shown = Value::Null;
    until("the write is stored", || {
        id += 1;
        shown = call(&mut shim, id, "history_show", json!({"request_key": key}));
        shown["isError"] != json!(true)
    });
    place.kill_daemon();
    drop(link);
    let again = call(&mut shim, id + 1, "history_show", json!({"request_key": key}));
    assert_eq!(again["structuredContent"], shown["structuredContent"]);
    let got = call(&mut shim, id + 2, "input", json!({"action": "get", "name": "written"}));
    assert_ne!(got["isError"], json!(true), "{got}");
}

/// The daemon dies again and again under one session that keeps writing; every acknowledged write is there.
#[test]
fn no_acknowledged_write_is_lost_in_ten_crashes() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.initialize();
    for round in 0..10 {
        let name = format!("round-{round}");
        let made = call(
            &mut shim,
            100 + round,
            "input",
            json!({"action": "create", "ttl_minutes": 60, "name": name}),
        );
        assert_ne!(made["isError"], json!(true), "{made}");
        place.kill_daemon();
    }
    let list = call(&mut shim, 200, "input", json!({"action": "list", "limit": 50}));
    assert_eq!(list["structuredContent"]["payload"]["packs"].as_array().map(Vec::len), Some(10), "{list}");
}
