//! No client waits for another's scan: filters without an index look at a bounded number of records and hand out
//! a cursor, scans run beside the serving thread, and a client that is gone leaves nothing.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::engine::TestEngine;
use crate::common::real::{Place, until};
use crate::common::words::{set, words};

/// Records one page looks at, as the history family has it.
const STEP: usize = 2000;

fn filled(n: usize) -> (TestEngine, std::sync::Arc<packd::engine::Session>) {
    let t = words();
    let s = t.session("s", "/w");
    t.ok(&s, "words_drop", json!({"name": "nothing"}));
    for i in 0..n {
        set(&t, &s, &format!("w{}", i % 7), &format!("text {i}"));
    }
    (t, s)
}

#[test]
fn a_filter_that_fits_nothing_ends_after_a_step_and_goes_on_with_its_cursor() {
    let rare = "words_many";
    let (t, s) = filled(10);
    t.ok(&s, rare, json!({"names": ["a"], "text": "x"}));
    for i in 0..STEP + 500 {
        set(&t, &s, &format!("w{}", i % 7), &format!("more {i}"));
    }
    let found = t.ok(&s, "history_list", json!({"tool": rare}));
    assert_eq!(found["operations"][0]["tool"], rare, "one filter is a list of its own");
    // Of two filters one has to be compared record by record.
    let page = t.ok(&s, "history_list", json!({"tool": rare, "session": "s"}));
    assert_eq!(page["operations"], json!([]), "it is further back than one step");
    assert_eq!(page["has_more"], json!(true));
    let mut pages = 1;
    let mut page = page;
    let found = loop {
        if let Some(op) = page["operations"].as_array().unwrap().first() {
            break op.clone();
        }
        assert_eq!(page["has_more"], json!(true), "{page}");
        page = t.ok(&s, "history_list", json!({"tool": rare, "session": "s", "before": page["next_before"]}));
        pages += 1;
    };
    assert_eq!((found["tool"].as_str(), pages), (Some(rare), 2));

    // Forwards, the cursor is the one a client asks on with anyway.
    let mut since = Value::Null;
    let mut seen = 0;
    loop {
        let mut args = json!({"tool": rare, "session": "s", "limit": 5});
        if !since.is_null() {
            args["since"] = since.clone();
        }
        let page = t.ok(&s, "history_delta", args);
        seen += page["operations"].as_array().unwrap().len();
        if page["has_more"] == json!(false) {
            break;
        }
        assert_ne!(page["latest_id"], since, "it never comes to an end");
        since = page["latest_id"].clone();
    }
    assert_eq!(seen, 1);
}

/// While scans of one session are under way, the serving thread answers others: on a runtime with one thread that
/// is only possible if the scans run elsewhere.
#[test]
fn scans_run_beside_the_serving_thread() {
    let (t, s) = filled(1500);
    let other = t.session("o", "/w");
    let order = std::cell::RefCell::new(Vec::new());
    t.block_on(async {
        let scan = |n: usize| {
            let (t, s, order) = (&t, &s, &order);
            async move {
                let request = packd::engine::CallRequest::new(
                    "history_list",
                    json!({"tool": "none", "session": "s", "limit": 500}),
                );
                let reply = t.engine.call(s, request).await;
                assert!(!reply.is_error, "{}", reply.text);
                order.borrow_mut().push(format!("scan {n}"));
            }
        };
        let short = async {
            let reply = t
                .engine
                .call(&other, packd::engine::CallRequest::new("history_list", json!({"limit": 1})))
                .await;
            assert!(!reply.is_error, "{}", reply.text);
            order.borrow_mut().push("short".to_string());
        };
        tokio::join!(scan(0), scan(1), scan(2), short);
    });
    let order = order.into_inner();
    assert_eq!(order[0], "short", "a short read waited for a scan: {order:?}");
    assert_eq!(order.len(), 4);
    assert_eq!(t.engine.scanning(), 0, "nothing is kept of who scanned");
}

/// Resident memory of a process in KiB.
#[cfg(target_os = "linux")]
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
fn descriptors(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

/// One client from its handshake to its end, with a subscription, a read, a scan and a write that fails.
#[cfg(target_os = "linux")]
fn visit(place: &Place, n: usize) {
    use std::io::{BufRead, BufReader, Write};
    let link = place.session();
    link.stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut reader = BufReader::new(link.stream.try_clone().unwrap());
    let mut writer = link.stream;
    let calls = [
        json!({"method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": format!("visitor {n}"), "version": "1"}}}),
        json!({"method": "resources/subscribe", "params": {"uri": format!("packd://packs/{n}")}}),
        json!({"method": "tools/call", "params": {"name": "history_list", "arguments": {"tool": "x"}}}),
        json!({"method": "tools/call", "params": {"name": "input", "arguments": {"action": "get", "name": "none"}}}),
        json!({"method": "ping"}),
    ];
    for (id, mut call) in calls.into_iter().enumerate() {
        call["jsonrpc"] = json!("2.0");
        call["id"] = json!(id);
        writeln!(writer, "{call}").unwrap();
        loop {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the daemon hung up");
            if serde_json::from_str::<Value>(&line).unwrap()["id"] == json!(id) {
                break;
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_sessions_that_are_gone_leave_nothing() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    for n in 0..100 {
        visit(&place, n);
    }
    let alone = || place.packd(&["status", "--json"]).json()["sessions"] == json!(0);
    until("the first are gone", alone);
    let (memory, files) = (resident(daemon.pid), descriptors(daemon.pid));
    for n in 0..1000 {
        visit(&place, n);
    }
    until("all are gone", alone);
    until("descriptors are closed", || descriptors(daemon.pid) <= files);
    let grown = resident(daemon.pid).saturating_sub(memory);
    // Generous: what a thousand sessions hold while they are open is many times this.
    assert!(grown < 8 * 1024, "{grown} KiB more than after the first hundred");
}
