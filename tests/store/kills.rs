//! The real daemon killed the hard way while several clients write: nothing that was acknowledged is lost, and
//! nothing is there twice.
//!
//! A few kills here; a thousand with `cargo test --features long store::kills`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use packd::ipc::connect::DaemonLink;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{Place, Process, gone, kill};

const KILLS: usize = if cfg!(feature = "long") { 1000 } else { 6 };
const CLIENTS: usize = 4;

/// The daemon as our own child, ready to serve.
fn start(place: &Place) -> Process {
    let mut daemon = place.daemon();
    let ready = daemon.line();
    assert!(ready.contains("ready"), "{ready}");
    daemon
}

/// Creates packs until the daemon is gone; the titles that were acknowledged.
fn write(link: DaemonLink, next: &AtomicUsize, all: &AtomicUsize) -> Vec<String> {
    let DaemonLink { stream, .. } = link;
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    let mut acknowledged = Vec::new();
    loop {
        let title = format!("Pack {:06}", next.fetch_add(1, Ordering::Relaxed));
        let args = json!({"action": "create", "ttl_minutes": 60, "title": title, "brief": "b".repeat(300)});
        let call = json!({"jsonrpc": "2.0", "id": title, "method": "tools/call",
                          "params": {"name": "input", "arguments": args}});
        if stream.write_all(format!("{call}\n").as_bytes()).is_err() {
            return acknowledged;
        }
        loop {
            let mut line = String::new();
            if !lines.read_line(&mut line).is_ok_and(|n| n > 0) {
                return acknowledged;
            }
            // Half of a line is no answer.
            let Ok(reply) = serde_json::from_str::<Value>(&line) else { return acknowledged };
            if reply["id"] == json!(title) {
                assert_eq!(reply["result"]["isError"], json!(false), "{reply}");
                acknowledged.push(title);
                all.fetch_add(1, Ordering::Release);
                break;
            }
        }
    }
}

/// Every pack there is, page by page: one reply is never longer than a megabyte.
fn titles(place: &Place) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    let mut seen = 0;
    loop {
        let args = json!({"action": "list", "limit": 1000, "offset": seen}).to_string();
        let page = place.packd(&["call", "input", &args, "--json"]).json();
        let page = page.get("structured").unwrap_or(&page)["payload"].clone();
        let packs = page["packs"].as_array().unwrap_or_else(|| panic!("{page}"));
        for pack in packs {
            *out.entry(pack["title"].as_str().unwrap().to_string()).or_default() += 1;
        }
        seen += packs.len();
        if packs.is_empty() {
            assert_eq!(json!(seen), page["total"], "{page}");
            return out;
        }
    }
}

#[test]
fn a_daemon_killed_while_it_writes_loses_nothing() {
    let place = Place::new();
    let (next, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut acknowledged: Vec<String> = Vec::new();
    let mut since_checked = 0;
    for round in 0..KILLS {
        let mut daemon = start(&place);
        let pid = daemon.pid;
        let begun = all.load(Ordering::Acquire);
        let killed = AtomicBool::new(false);
        // All are there before the first of them writes, and with that before the kill.
        let links: Vec<DaemonLink> = (0..CLIENTS).map(|_| place.session()).collect();
        std::thread::scope(|scope| {
            let writers: Vec<_> =
                links.into_iter().map(|link| scope.spawn(|| write(link, &next, &all))).collect();
            scope.spawn(|| {
                // Each time after another number of acknowledged writes, so at another moment of the batch.
                while all.load(Ordering::Acquire) < begun + 3 + round * 7 % 61 {
                    std::thread::yield_now();
                }
                kill(pid, Signal::KILL);
                gone(pid);
                killed.store(true, Ordering::Release);
            });
            for writer in writers {
                acknowledged.extend(writer.join().unwrap());
            }
        });
        assert!(killed.load(Ordering::Acquire));
        daemon.wait();
        since_checked += 1;
        if since_checked == 50 || round + 1 == KILLS || KILLS < 50 {
            since_checked = 0;
            let mut daemon = start(&place);
            let found = titles(&place);
            for title in &acknowledged {
                assert_eq!(found.get(title), Some(&1), "round {round}: {title}");
            }
            assert!(found.values().all(|n| *n == 1), "round {round}: something is there twice");
            kill(daemon.pid, Signal::KILL);
            daemon.wait();
        }
    }
    assert!(acknowledged.len() >= KILLS * 3);
    eprintln!("{KILLS} kills, {} writes acknowledged", acknowledged.len());
}
