//! At the limit of open files: new sessions are refused with the reason, those that are open go on, and a file
//! that could not be opened for want of a descriptor is never called stale.

use std::fs;

use packd::ipc::connect::{Reached, connect};
use packd::ipc::hello::KIND_MCP;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Process};

/// A daemon that may have this many files open.
fn daemon_with(place: &Place, descriptors: u64) -> Process {
    let mut command = place.command("/bin/sh");
    command.args(["-c", &format!("ulimit -n {descriptors}; exec \"$0\" daemon"), PACKD]);
    let mut daemon = Process::spawn(command);
    assert_eq!(daemon.line(), "ready");
    daemon
}

fn call(session: &mut Process, tool: &str, args: Value) -> Value {
    let params = json!({"name": tool, "arguments": args});
    session.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    loop {
        // Notices may come in between.
        let reply = session.reply();
        if reply["id"] == json!(7) {
            return reply["result"].clone();
        }
    }
}

/// A session with a pack that shows one line of a file.
fn with_a_pack(place: &Place) -> Process {
    fs::write(place.work().join("code.rs"), "fn main() {}\n").unwrap();
    let mut session = place.shim();
    session.initialize();
    let text = |v: &Value| v["content"][0]["text"].as_str().unwrap().to_string();
    let made = call(
        &mut session,
        "input",
        json!({"action": "create", "ttl_minutes": 60, "name": "doc", "title": "Doc"}),
    );
    let rev = |v: &Value| serde_json::from_str::<Value>(&text(v)).unwrap()["payload"]["revision"].clone();
    let section = json!({"action": "upsert_section", "name": "doc", "expected_revision": rev(&made),
                         "section_key": "main", "section_title": "Main"});
    let made = call(&mut session, "input", section);
    let r = json!({"action": "upsert_ref", "name": "doc", "expected_revision": rev(&made), "section_key": "main",
                   "ref_key": "line", "path": "code.rs", "line_start": 1, "line_end": 1});
    let made = call(&mut session, "input", r);
    assert_ne!(made["isError"], json!(true), "{made}");
    session
}

#[test]
fn more_sessions_than_descriptors_are_refused_at_once_and_the_others_go_on() {
    let place = Place::new();
    let _daemon = daemon_with(&place, 64);
    let mut first = with_a_pack(&place);
    let mut open = Vec::new();
    let refused = loop {
        match connect(&place.home(), &place.hello(KIND_MCP)) {
            Ok(Reached::Daemon(link)) => open.push(link),
            Ok(_) => panic!("no daemon answers"),
            Err(trouble) => break trouble,
        }
        assert!(open.len() < 64, "nobody is ever refused");
    };
    assert!(refused.message.contains("limit of open files"), "{refused}");
    assert!(refused.hint.contains("ulimit -n"), "{refused}");
    assert!(open.len() > 20, "only {} sessions", open.len());
    let shown = call(&mut first, "output", json!({"name": "doc"}));
    assert!(shown["content"][0]["text"].as_str().unwrap().contains("fn main()"), "{shown}");
    assert!(place.daemon_pid().is_some(), "and it answers questions");
    open.pop();
    crate::common::real::until("there is room for one more", || {
        connect(&place.home(), &place.hello(KIND_MCP)).is_ok()
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_opened_now_is_an_error_and_no_stale_ref() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let place = Place::new();
    let mut session = with_a_pack(&place);
    let pid = place.daemon_pid().unwrap();
    let of = Pid::from_raw(pid as i32);
    let shown = call(&mut session, "output", json!({"name": "doc"}));
    assert!(shown["content"][0]["text"].as_str().unwrap().contains("fn main()"), "{shown}");
    // From now on the daemon has as many files open as it may.
    let fds = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    let highest = fds.filter_map(|e| e.unwrap().file_name().to_str()?.parse::<u64>().ok()).max().unwrap();
    let before = prlimit(of, Resource::Nofile, Rlimit { current: Some(0), maximum: None });
    let Ok(before) = before else {
        eprintln!("skipped: limits of another process cannot be set here");
        return;
    };
    let refused = call(&mut session, "output", json!({"name": "doc"}));
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert_eq!(refused["isError"], json!(true), "{refused}");
    assert!(said.contains("too many files open") && !said.contains("stale"), "{said}");
    prlimit(of, Resource::Nofile, Rlimit { current: Some(highest + 64), ..before }).unwrap();
    let shown = call(&mut session, "output", json!({"name": "doc"}));
    assert!(shown["content"][0]["text"].as_str().unwrap().contains("fn main()"), "{shown}");
}
