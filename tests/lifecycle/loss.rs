//! What happens to messages when the daemon goes away in the middle of things.

use serde_json::{Value, json};

use crate::common::fake::{Fake, empty_result};
use crate::common::real::{DEADLINE, Place, until};

/// Holds calls back; answers everything else.
fn hold_calls(line: &str) -> Option<String> {
    if line.contains("tools/call") { None } else { empty_result(line) }
}

fn hold_everything(_: &str) -> Option<String> {
    None
}

fn next(fake: &Fake) -> String {
    fake.seen.recv_timeout(DEADLINE).expect("a line arrives")
}

fn method(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap();
    value["method"].as_str().unwrap_or_default().to_string()
}

#[test]
fn a_call_in_flight_is_answered_as_unknown_with_the_key_to_look_it_up() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", hold_calls, None);
    let mut shim = place.shim();
    shim.ping(1);
    shim.send(&json!({"jsonrpc": "2.0", "id": "w-7", "method": "tools/call", "params": {"name": "input"}}));
    assert_eq!(method(&next(&fake)), "ping");
    assert_eq!(method(&next(&fake)), "tools/call");
    drop(fake);
    let reply = shim.reply();
    assert_eq!(reply["id"], json!("w-7"));
    assert_eq!(reply["error"]["code"], json!(1001));
    assert!(reply["error"]["message"].as_str().unwrap().contains("outcome is unknown"));
    assert_eq!(reply["error"]["data"]["request_key"], json!("s1:\"w-7\""));
    assert_eq!(reply["error"]["data"]["lookup"]["tool"], json!("history_show"));
    // And the session goes on, on a real daemon now.
    shim.ping(2);
}

#[test]
fn what_only_reads_is_simply_asked_again() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", hold_everything, None);
    let mut shim = place.shim();
    shim.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    next(&fake);
    drop(fake);
    assert_eq!(shim.reply(), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
}

#[test]
fn a_batch_in_flight_is_answered_as_a_batch() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", hold_everything, None);
    let mut shim = place.shim();
    shim.send(&json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}]));
    next(&fake);
    drop(fake);
    let reply = shim.reply();
    let ids: Vec<&Value> = reply.as_array().unwrap().iter().map(|r| &r["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!(2)]);
}

#[test]
fn the_session_is_resumed_and_the_handshake_repeated_before_anything_else() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", empty_result, None);
    let mut shim = place.shim();
    shim.initialize();
    shim.ask(json!(1), "resources/subscribe", json!({"uri": "pack://a"}));
    let first = fake.hellos.recv_timeout(DEADLINE).unwrap();
    assert_eq!(first.resume, None);
    assert_eq!(first.cwd, place.work().to_string_lossy());
    drop(fake);

    let fake = Fake::start(&place.home(), "0.0.1", empty_result, None);
    shim.ping(2);
    let again = fake.hellos.recv_timeout(DEADLINE).unwrap();
    let resume = again.resume.unwrap();
    assert_eq!((resume.session.as_str(), resume.key.as_str()), ("s1", "secret"));
    let methods: Vec<String> = (0..4).map(|_| method(&next(&fake))).collect();
    assert_eq!(methods, ["initialize", "notifications/initialized", "resources/subscribe", "ping"]);
    assert!(shim.silent(), "the host hears nothing of it");
}

#[test]
fn another_version_is_announced_to_hosts_of_the_older_protocols() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", empty_result, None);
    let mut shim = place.shim();
    shim.initialize();
    // Answered after the notification before it: nothing is left to send that would start a real daemon.
    shim.ping(1);
    drop(fake);
    // The host says nothing; the shim notices by itself that a daemon is there again.
    let fake = Fake::start(&place.home(), "0.0.2", empty_result, None);
    assert_eq!(shim.reply()["method"], json!("notifications/tools/list_changed"));
    assert_eq!(method(&next(&fake)), "initialize");
}

#[test]
fn live_subscriptions_of_the_newer_protocol_are_repeated_as_they_were() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "0.0.1", hold_everything, None);
    let mut shim = place.shim();
    let listen = json!({"jsonrpc": "2.0", "id": "sub", "method": "subscriptions/listen", "params": {}});
    shim.send(&listen);
    next(&fake);
    drop(fake);
    let fake = Fake::start(&place.home(), "0.0.2", hold_everything, None);
    let line: Value = serde_json::from_str(&next(&fake)).unwrap();
    assert_eq!(line, listen);
    assert!(shim.silent());
    // A live subscription does not keep a shim whose host is gone.
    shim.close_stdin();
    assert!(shim.wait().success());
}

#[test]
fn a_stopped_daemon_stays_stopped_until_somebody_asks_something() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.initialize();
    shim.ping(1);
    let pid = place.daemon_pid().unwrap();
    assert_eq!(packd::ipc::start::stop(&place.home()), Ok(true));
    crate::common::real::gone(pid);
    assert_eq!(place.daemon_pid(), None);
    assert_eq!(packd::ipc::start::stop(&place.home()), Ok(false));
    shim.ping(2);
    until("a new daemon serves", || place.daemon_pid().is_some_and(|new| new != pid));
}
