//! Hosts that speak JSON-RPC oddly, through the real shim: nothing runs unanswered, nothing keeps the shim.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::host::Host;
use crate::common::real::{Place, Process, SHIM, kill};

/// Shorter than what the shim gives open requests after the end of its input.
const AT_ONCE: Duration = Duration::from_secs(4);

fn create(id: &str, title: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"tasks_create","arguments":{{"kind":"plan","title":"{title}"}}}}}}"#
    )
}

/// The write was done, and the host waited for ever.
#[test]
fn a_call_with_an_id_of_null_is_refused_and_not_done() {
    let place = Place::new();
    let mut host = Host::new(&place);
    for id in ["null", "true", "[1]", r#"{"a":1}"#] {
        host.shim.write(format!("{}\n", create(id, "never")).as_bytes());
        let reply = host.shim.reply();
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)), "{id}: {reply}");
    }
    let done = host.ok("history_list", json!({}));
    assert_eq!(done["operations"], json!([]), "{done}");
}

/// An answer that never comes was waited for until the limit.
#[test]
fn the_shim_ends_at_once_after_its_input_whatever_came_before() {
    let place = Place::new();
    let listen = r#"{"id":"l","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let ping = r#"{"id":1,"method":"ping"}"#;
    let inputs = [
        create("null", "never"),
        create("[1]", "never"),
        format!("{}\n{listen}", ping),
        format!("[{ping},{listen}]"),
        r#"{"id":null,"method":"shutdown"}"#.to_string(),
        format!(r#"[{ping},{{"id":null,"method":"ping"}},{{"id":{{}},"method":"ping"}}]"#),
        r#"{"id":7,"result":{}}"#.to_string(),
        "{\"id\":1,\"method\":\"pi".to_string(),
        "Content-Length: 100\r\n\r\n{\"id\":1".to_string(),
        "[]\n{}\n42".to_string(),
    ];
    for input in inputs {
        let mut shim = place.shim();
        shim.ping(9);
        shim.write(input.as_bytes());
        let began = Instant::now();
        shim.close_stdin();
        assert!(shim.wait().success(), "{input}");
        assert!(began.elapsed() < AT_ONCE, "it stayed after {input}");
    }
}

/// A host that only shows that it lives has not begun.
#[test]
fn a_ping_does_not_count_as_the_first_request() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    command.env("CONTEXT_PACK_INITIALIZE_TIMEOUT_MS", "700");
    let mut shim = Process::spawn(command);
    shim.ping(1);
    shim.send(&json!([{"jsonrpc": "2.0", "id": 2, "method": "ping"}]));
    assert!(shim.wait().success(), "it leaves although its input is open");
}

/// `cargo test &` and `nohup` start programs with these ignored; the shim then outlived every host.
#[test]
fn signals_end_a_shim_that_was_started_ignoring_them() {
    let place = Place::new();
    for (name, signal) in [("INT", Signal::INT), ("HUP", Signal::HUP), ("TERM", Signal::TERM)] {
        let mut command = place.command("/bin/sh");
        command.args(["-c", &format!("trap '' {name}; exec \"$0\""), SHIM]);
        let mut shim = Process::spawn(command);
        shim.ping(1);
        kill(shim.pid, signal);
        shim.wait();
    }
}

/// Strict clients reject what is not said.
#[test]
fn success_is_said_and_not_left_out() {
    let place = Place::new();
    let mut host = Host::new(&place);
    let good = host.ask("tools/call", json!({"name": "history_list", "arguments": {}}));
    assert_eq!(good["result"]["isError"], json!(false), "{good}");
    let bad = host.ask("tools/call", json!({"name": "history_show", "arguments": {}}));
    assert_eq!(bad["result"]["isError"], json!(true), "{bad}");
}

/// Somebody else's change came as a notice between the answer to the handshake and the client's word.
#[test]
fn nothing_is_said_to_a_client_in_the_middle_of_its_handshake() {
    let place = Place::new();
    let mut host = Host::new(&place);
    let mut other = place.shim();
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    other.ask(json!(0), "initialize", params);
    assert_eq!(other.ask(json!(1), "tools/list", json!({}))["id"], json!(1));
    host.ok("tasks_create", json!({"kind": "plan", "title": "Seen by all"}));
    host.ok(
        "input",
        json!({"action": "create", "name": "one", "title": "One", "brief": "b", "ttl_minutes": 60}),
    );
    // Were there a notice, it would come before this answer.
    assert_eq!(other.ask(json!(2), "tools/list", json!({}))["id"], json!(2));
    other.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    other.ping(3);
    host.ok(
        "input",
        json!({"action": "create", "name": "two", "title": "Two", "brief": "b", "ttl_minutes": 60}),
    );
    assert_eq!(other.reply()["method"], "notifications/resources/list_changed");
}
